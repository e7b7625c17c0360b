package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * A topic's writer that adds the wall-clock origin time to each frame: that of the input for an output of an input, and
 * otherwise the frame's own origin time, converted to the wall clock. For the next writer the date is the beginning of the
 * payload. Frames are stamped before they are committed. Confined to its thread.
 */
public final class DatedWriter extends WriterInFront {
    /** The bytes of the date, which reduce the longest payload. */
    static final int BYTES = Extension.bytes(Extension.WALL_CLOCK_BYTES);

    private final Environment environment;
    private final InboundMessage input;

    private Frame claimed;
    private int at; // offset of the date
    private int added; // bytes of the date in the payload

    /**
     * Creates a writer in front of another one.
     *
     * @param input message that is being handled; null if there never is one
     */
    DatedWriter(TopicWriter writer, Environment environment, InboundMessage input) {
        super(writer);
        this.environment = environment;
        this.input = input;
    }

    @Override
    public int remainingCapacity(int maxLength) {
        return writer.remainingCapacity(Math.addExact(maxLength, BYTES));
    }

    @Override
    public Frame claim(int maxLength) {
        Frame frame = writer.claim(Math.addExact(maxLength, BYTES));
        if (frame != null) {
            int before = frame.extensionBytes();
            at = frame.addField(Extension.WALL_CLOCK, Extension.WALL_CLOCK_BYTES);
            added = frame.extensionBytes() - before;
            claimed = frame;
        }
        return frame;
    }

    @Override
    public long commit(int length) {
        long origin = claimed.originNanos();
        claimed.putFieldLong(
                at,
                continuesInput(origin)
                        ? input.originWallNanos()
                        : origin + environment.wallNanos() - environment.nanoTime());
        return writer.commit(length + added);
    }

    private boolean continuesInput(long origin) {
        return claimed.servicesPassed() > 0 && !Cause.isOfTick(claimed.cause()) && origin == input.originNanos();
    }
}
