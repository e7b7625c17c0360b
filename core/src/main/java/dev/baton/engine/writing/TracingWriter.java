package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * A topic's writer that passes the trace context of the input in hand on to each frame that it leads to. An input without one,
 * and a tick, cost a look. To the writer behind it the context is the beginning of the payload. Confined to its thread.
 */
public final class TracingWriter extends WriterInFront {
    /** What the context takes of the longest payload. */
    static final int BYTES = Extension.bytes(Extension.TRACE_BYTES);

    private final InboundMessage input;
    private int added; // bytes that the context takes of the payload of the claim in hand

    TracingWriter(TopicWriter writer, InboundMessage input) {
        super(writer);
        this.input = input;
    }

    /** Whether the next claim has the context of the input in hand. */
    boolean passesOn() {
        return input.traceInHand() != Extension.NONE;
    }

    @Override
    public int remainingCapacity(int maxLength) {
        return writer.remainingCapacity(Math.addExact(maxLength, BYTES));
    }

    @Override
    public Frame claim(int maxLength) {
        added = 0;
        int from = input.traceInHand();
        if (from == Extension.NONE) {
            return writer.claim(maxLength);
        }
        Frame frame = writer.claim(Math.addExact(maxLength, BYTES));
        if (frame != null) {
            int before = frame.extensionBytes();
            int to = frame.addField(Extension.TRACE, Extension.TRACE_BYTES);
            added = frame.extensionBytes() - before;
            Frame source = input.frame();
            frame.memory()
                    .put(
                            frame.fieldOffset(to, Extension.TRACE_BYTES),
                            source.memory(),
                            source.fieldOffset(from, Extension.TRACE_BYTES),
                            Extension.TRACE_BYTES);
        }
        return frame;
    }

    @Override
    public long commit(int length) {
        return writer.commit(length + added);
    }
}
