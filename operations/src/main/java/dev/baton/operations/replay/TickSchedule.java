package dev.baton.operations.replay;

import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicInspector;

/**
 * The ticks that sent something, as the outputs of a service record them: after which input, and at which time. Reads ahead to the next
 * one. Confined to the replay's thread.
 */
final class TickSchedule implements FrameHandler, AutoCloseable {
    private static final int READ_LIMIT = 1024;

    private final TopicInspector recorded;
    private long wallOffset; // of the writer of the outputs
    private boolean isFound;
    private boolean hasEnded;
    private long input;
    private long nanos;
    private boolean isClosing;

    TickSchedule(TopicInspector recorded) {
        this.recorded = recorded;
        next();
    }

    /** Advances to the next tick. */
    void next() {
        isFound = false;
        while (!isFound && !hasEnded) {
            hasEnded = Expected.readFrames(recorded, this, READ_LIMIT) == 0 && !isFound;
        }
    }

    /** The last input before the tick; {@link Long#MAX_VALUE} when there is no further tick. */
    long input() {
        return isFound ? input : Long.MAX_VALUE;
    }

    /** Its time, in nanoseconds since 1970. */
    long nanos() {
        return nanos;
    }

    /** {@return whether it was the service's last call, at a close} */
    boolean isClosing() {
        return isClosing;
    }

    @Override
    public Verdict onFrame(Frame frame, long position) {
        if (isFound) {
            return Verdict.RETRY;
        }
        long cause = frame.cause();
        if (!Cause.isOfTick(cause)) {
            return Verdict.DONE;
        }
        long after = Cause.input(cause);
        int field = frame.field(Extension.TICK);
        long time = field == Extension.NONE ? frame.originNanos() + wallOffset : frame.getFieldLong(field);
        boolean isSame = after == input && time == nanos && isClosing == Cause.isOfClosing(cause);
        input = after;
        nanos = time;
        isClosing = Cause.isOfClosing(cause);
        isFound = !isSame; // another output of the tick before, which has been given
        return Verdict.DONE;
    }

    @Override
    public void onWriter(Incarnation writer) {
        wallOffset = writer.wallOffsetNanos();
    }

    @Override
    public void close() {
        recorded.close();
    }
}
