package dev.baton.operations.replay;

import dev.baton.spi.Cause;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicInspector;

/**
 * Compares what a service sends with what was recorded, one by one, and stops at the first difference, or where the recording
 * ends. Outputs count whose inputs were replayed: those of inputs before the range, and those of which retention may have
 * removed a part, are passed over. Confined to the replay's thread.
 */
final class Comparison extends Expected implements FrameHandler {
    private final TopicInspector recorded;
    private final Frame replayed = new Frame();
    private StagedOutputs batch; // in hand
    private int next; // of it
    private long firstInput; // that was replayed; 0: not known yet
    private long lastInput = Long.MAX_VALUE; // outputs behind this one's are not to be compared
    private long removedUpTo; // inputs whose outputs may be gone
    private boolean hasBegun;
    private boolean hasEnded;
    private boolean isAtRest; // no more will be sent: what was recorded besides is missing

    Comparison(TopicInspector recorded) {
        this.recorded = recorded;
    }

    @Override
    void compare(StagedOutputs flushed, long first) {
        firstInput = first;
        batch = flushed;
        next = 0;
        while (next < batch.count() && !isOver()) {
            skipRemoved();
            if (next < batch.count() && recorded.read(this, batch.count() - next) == 0) {
                hasEnded = difference() == null;
            }
        }
    }

    /** Of inputs whose recorded outputs may be gone. */
    private void skipRemoved() {
        while (batch != null
                && next < batch.count()
                && Cause.input(batch.view(replayed, next).cause()) <= removedUpTo) {
            next++;
        }
    }

    @Override
    void finish(long lastReplayed) {
        lastInput = lastReplayed;
        isAtRest = true;
        while (!isOver() && recorded.read(this, 1) > 0) {
            // passed over
        }
    }

    @Override
    public Verdict onFrame(Frame frame, long position) {
        String defect = frame.isPlain() ? null : frame.validate();
        long cause = Cause.input(frame.cause());
        if (!hasBegun) {
            hasBegun = true;
            removedUpTo = frame.sequence() > 1 ? cause : 0;
            skipRemoved();
        }
        if (cause < firstInput || cause <= removedUpTo) {
            return Verdict.DONE;
        }
        if (isAtRest) {
            if (cause <= lastInput) {
                differ(FrameCopy.of(frame), null);
            } else {
                hasEnded = true;
            }
            return Verdict.RETRY;
        }
        if (next == batch.count()) {
            return Verdict.RETRY;
        }
        if (defect == null && FrameCopy.isSame(batch.view(replayed, next), frame)) {
            next++;
            same();
            return Verdict.DONE;
        }
        differ(FrameCopy.of(frame), FrameCopy.of(batch.view(replayed, next)));
        return Verdict.RETRY;
    }

    @Override
    boolean isOver() {
        return hasEnded || super.isOver();
    }

    @Override
    public void close() {
        recorded.close();
    }
}
