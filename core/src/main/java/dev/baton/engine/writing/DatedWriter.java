package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * A topic's writer that gives each frame its origin by the wall clock: the input's where the frame continues an input's
 * way, and otherwise what the wall clock says of the frame's own origin. To the writer behind it the date is the
 * beginning of the payload. Frames are stamped before they are committed. Confined to its thread.
 */
public final class DatedWriter extends WriterInFront {
    /** What the date takes of the longest payload. */
    static final int BYTES = Extension.bytes(Extension.WALL_CLOCK_BYTES);

    private final Environment environment;
    private final InboundMessage input;

    private Frame claimed;
    private int at; // where the date is
    private int added; // bytes that it takes of the payload

    /** @param input that is being handled, null where there never is one */
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
