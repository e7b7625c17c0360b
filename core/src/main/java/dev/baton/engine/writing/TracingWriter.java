package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * A topic's writer that copies the trace context of the current input to each of its outputs. An input without a context,
 * and a tick, cost one check. For the next writer the context is the beginning of the payload. Confined to its thread.
 */
public final class TracingWriter extends WriterInFront {
    /** The bytes of the context, which reduce the longest payload. */
    static final int BYTES = Extension.bytes(Extension.TRACE_BYTES);

    private final InboundMessage input;
    private int added; // bytes of the context in the payload of the open claim

    TracingWriter(TopicWriter writer, InboundMessage input) {
        super(writer);
        this.input = input;
    }

    /** Returns whether the next claim gets the context of the current input. */
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
