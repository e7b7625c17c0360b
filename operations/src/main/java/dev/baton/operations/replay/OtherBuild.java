package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;

/**
 * What another build of a service sends, over the same inputs: as far as the first build has come, and kept until that is
 * compared. Confined to the replay's thread.
 */
final class OtherBuild implements Expected {
    private final ReplayedService other;
    private final Frame mine = new Frame();
    private final Frame its = new Frame();
    private StagedOutputs kept; // what it sent and was not compared; null: nothing yet
    private int next; // of these
    private long compared;
    private boolean isDifferent;
    private FrameCopy expected;
    private FrameCopy replayed;

    OtherBuild(Chain chain, String service, ReplayedService.Place place, ReplayRange range) {
        other = new ReplayedService(chain, service, place, range, RecordedInput.Pace.MAX, batch -> kept = batch);
    }

    @Override
    public void firstInput(long sequence) {}

    @Override
    public void compare(StagedOutputs batch) {
        for (int i = 0; i < batch.count() && !isDifferent; i++) {
            view(batch, mine, i);
            bringOther(Cause.input(mine.cause()));
            if (isAnyKept() && FrameCopy.isSame(mine, view(kept, its, next))) {
                compared++;
                next++;
            } else {
                differ(isAnyKept() ? FrameCopy.of(its) : null, FrameCopy.of(mine));
            }
        }
        batch.clear();
    }

    /** Lets the other build go on until it has sent something, or has handled an input. */
    private void bringOther(long cause) {
        while (!isAnyKept()) {
            if (kept != null) {
                kept.clear();
                next = 0;
            }
            if (!other.turn(cause)) {
                checkFailure();
                return;
            }
        }
    }

    private void checkFailure() {
        if (other.failure() != null) {
            throw new IllegalStateException(
                    "the other build failed: " + other.failure().getMessage(), other.failure());
        }
    }

    private boolean isAnyKept() {
        return kept != null && next < kept.count();
    }

    private static Frame view(StagedOutputs batch, Frame view, int index) {
        batch.aim(view, index);
        if (!view.isPlain()) {
            view.validate();
        }
        return view;
    }

    private void differ(FrameCopy other, FrameCopy sent) {
        isDifferent = true;
        expected = other != null && sent != null && sent.cause() < other.cause() ? null : other;
        replayed = other != null && sent != null && other.cause() < sent.cause() ? null : sent;
    }

    @Override
    public void finish(long lastInput) {
        bringOther(lastInput);
        if (isAnyKept()) {
            differ(FrameCopy.of(view(kept, its, next)), null);
        }
    }

    @Override
    public boolean isOver() {
        return isDifferent;
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
        return replayed;
    }

    @Override
    public long compared() {
        return compared;
    }

    @Override
    public void close() {
        other.close();
    }
}
