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
final class Comparison implements Expected, FrameHandler {
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
    private long compared;
    private FrameCopy expected; // of the difference
    private FrameCopy sent;
    private boolean isDifferent;

    Comparison(TopicInspector recorded) {
        this.recorded = recorded;
    }

    @Override
    public void firstInput(long sequence) {
        firstInput = sequence;
    }

    @Override
    public void compare(StagedOutputs flushed) {
        batch = flushed;
        next = 0;
        while (next < batch.count() && !isOver()) {
            skipRemoved();
            if (next < batch.count() && recorded.read(this, batch.count() - next) == 0) {
                hasEnded = !isDifferent;
            }
        }
        batch.clear();
    }

    /** Of inputs whose recorded outputs may be gone. */
    private void skipRemoved() {
        while (batch != null
                && next < batch.count()
                && Cause.input(batch.aim(replayed, next).cause()) <= removedUpTo) {
            next++;
        }
    }

    @Override
    public void finish(long lastReplayed) {
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
                isDifferent = true;
                expected = FrameCopy.of(frame);
            } else {
                hasEnded = true;
            }
            return Verdict.RETRY;
        }
        if (next == batch.count()) {
            return Verdict.RETRY;
        }
        if (defect == null && FrameCopy.isSame(view(), frame)) {
            next++;
            compared++;
            return Verdict.DONE;
        }
        differ(frame);
        return Verdict.RETRY;
    }

    private Frame view() {
        batch.aim(replayed, next);
        if (!replayed.isPlain()) {
            replayed.validate();
        }
        return replayed;
    }

    /** One that is missing on one side is shown alone: the other side's next one answers a later input. */
    private void differ(Frame frame) {
        isDifferent = true;
        FrameCopy mine = FrameCopy.of(view());
        FrameCopy other = FrameCopy.of(frame);
        sent = other.cause() < mine.cause() ? null : mine;
        expected = mine.cause() < other.cause() ? null : other;
    }

    @Override
    public boolean isOver() {
        return isDifferent || hasEnded;
    }

    @Override
    public boolean isDifferent() {
        return isDifferent;
    }

    @Override
    public FrameCopy expected() {
        return expected;
    }

    @Override
    public FrameCopy replayed() {
        return sent;
    }

    @Override
    public long compared() {
        return compared;
    }

    @Override
    public void close() {
        recorded.close();
    }
}
