package dev.baton.opentelemetry;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A span context as messages carry it: version, trace id, span id and flags, 26 bytes. The state of vendors ({@code
 * tracestate}) is not carried. Stateless, thread-safe.
 */
final class TraceBytes {
    static final int LENGTH = 26;

    private static final int TRACE_ID = 1;
    private static final int SPAN_ID = 17;
    private static final int FLAGS = 25;
    private static final int TRACE_ID_BYTES = 16;
    private static final int SPAN_ID_BYTES = 8;
    private static final byte UNKNOWN_VERSION = (byte) 0xFF; // the one that the recommendation forbids
    private static final HexFormat HEX = HexFormat.of();

    private TraceBytes() {}

    /** {@return whether the sender of a message with this context recorded it} */
    static boolean isSampled(ByteBuffer context) {
        return (context.get(context.position() + FLAGS) & 1) != 0;
    }

    /** The context of a message; invalid when its bytes are. */
    static SpanContext read(ByteBuffer context) {
        if (context.get(context.position()) == UNKNOWN_VERSION) {
            return SpanContext.getInvalid();
        }
        return SpanContext.createFromRemoteParent(
                hex(context, TRACE_ID, TRACE_ID_BYTES),
                hex(context, SPAN_ID, SPAN_ID_BYTES),
                TraceFlags.fromByte(context.get(context.position() + FLAGS)),
                TraceState.getDefault());
    }

    private static String hex(ByteBuffer context, int from, int length) {
        byte[] bytes = new byte[length];
        context.get(context.position() + from, bytes);
        return HEX.formatHex(bytes);
    }

    /** Writes a context over the whole of a buffer of 26 bytes, whose position does not move. */
    static ByteBuffer write(SpanContext context, ByteBuffer target) {
        return target.put(0, (byte) 0)
                .put(TRACE_ID, context.getTraceIdBytes())
                .put(SPAN_ID, context.getSpanIdBytes())
                .put(FLAGS, context.getTraceFlags().asByte());
    }
}
