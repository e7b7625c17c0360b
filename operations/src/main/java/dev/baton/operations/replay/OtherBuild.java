package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;

/**
 * What another build of a service sends, over the same inputs: as far as the first build has come, and kept until that is
 * compared. Confined to the replay's thread.
 */
final class OtherBuild extends Expected {
    private final ReplayedService other;
    private final Frame mine = new Frame();
    private final Frame its = new Frame();
    private StagedOutputs kept; // what it sent and was not compared; null: nothing yet
    private int next; // of these

    OtherBuild(Chain chain, ReplayedService.Place place, ReplayRange range) {
        other = new ReplayedService(chain, place, range, RecordedInput.Pace.MAX, (batch, first) -> kept = batch);
    }

    @Override
    void compare(StagedOutputs batch, long firstInput) {
        for (int i = 0; i < batch.count() && !isOver(); i++) {
            batch.view(mine, i);
            bringOther(Cause.input(mine.cause()));
            if (isAnyKept() && FrameCopy.isSame(mine, kept.view(its, next))) {
                same();
                next++;
            } else {
                differ(isAnyKept() ? FrameCopy.of(its) : null, FrameCopy.of(mine));
            }
        }
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

    @Override
    void finish(long lastInput) {
        bringOther(lastInput);
        if (isAnyKept()) {
            differ(FrameCopy.of(kept.view(its, next)), null);
        }
    }

    @Override
    public void close() {
        other.close();
    }
}
