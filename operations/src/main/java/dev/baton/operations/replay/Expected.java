package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicInspector;
import java.util.EnumMap;
import java.util.Map;

/**
 * The expected outputs of a replayed service, compared up to the first difference, or to the end. Outputs of the same call of the service are
 * compared in their order. Confined to the replay's thread.
 */
abstract class Expected implements AutoCloseable {
    private final boolean isToTheEnd;
    private final Map<Difference.Kind, Long> differences = new EnumMap<>(Difference.Kind.class);
    private Difference difference; // the first one; null: none yet
    private long compared;

    /** Creates a comparison. @param isToTheEnd whether differences are counted instead of ending it */
    Expected(boolean isToTheEnd) {
        this.isToTheEnd = isToTheEnd;
    }

    /** Takes a batch, and empties it. @param firstInput that was replayed; 0: none yet */
    final void take(StagedOutputs batch, long firstInput) {
        if (!isOver()) {
            compare(batch, firstInput);
        }
        batch.clear();
    }

    /** Compares a batch, as {@link #take} has it. */
    abstract void compare(StagedOutputs batch, long firstInput);

    /**
     * Ends the comparison: no more outputs follow, and all other expected outputs are missing.
     *
     * @param lastInput that was replayed
     */
    abstract void finish(long lastInput);

    /** Counts an output that was the same. */
    final void same() {
        compared++;
    }

    /** Counts a difference, which ends a comparison up to the first one; null: the output is missing on one side. */
    final Difference differ(FrameCopy expected, FrameCopy replayed) {
        Difference found = Difference.between(expected, replayed);
        differences.merge(found.kind(), 1L, Long::sum);
        if (difference == null) {
            difference = found;
        }
        return found;
    }

    /** {@return whether the comparison has ended: at a difference, or at the end of the recording} */
    boolean isOver() {
        return difference != null && !isToTheEnd;
    }

    /** {@return the number of differences of each kind that was found} */
    final Map<Difference.Kind, Long> differences() {
        return differences;
    }

    /** {@return the first difference; null for none} */
    final Difference difference() {
        return difference;
    }

    final long compared() {
        return compared;
    }

    @Override
    public abstract void close();

    /**
     * Compares what a service sends with what was recorded, one by one, at most to the end of the recording. Only outputs of replayed inputs count: it skips outputs of inputs before the range, and of inputs whose outputs retention may have
     * removed in part. Confined to the replay's thread.
     */
    static final class OfRecording extends Expected implements FrameHandler {
        private final TopicInspector recorded;
        private final Frame replayed = new Frame();
        private StagedOutputs batch; // the current one
        private int next; // of it
        private long firstInput; // that was replayed; 0: not known yet
        private long lastInput = Long.MAX_VALUE; // outputs of later inputs are not compared
        private long removedUpTo; // inputs whose outputs may be gone
        private boolean hasBegun;
        private boolean hasEnded;
        private boolean isAtRest; // no outputs follow: all other recorded ones are missing
        private boolean wasOffered; // a recorded frame, in the read in progress

        OfRecording(TopicInspector recorded, boolean isToTheEnd) {
            super(isToTheEnd);
            this.recorded = recorded;
        }

        @Override
        void compare(StagedOutputs flushed, long first) {
            firstInput = first;
            batch = flushed;
            next = 0;
            while (next < batch.count() && !isOver()) {
                skipRemoved();
                wasOffered = false;
                if (next < batch.count() && recorded.read(this, batch.count() - next) == 0) {
                    hasEnded |= !wasOffered;
                }
            }
        }

        /** Skips replayed outputs of inputs whose recorded outputs may have been removed. */
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
                // skipped
            }
        }

        @Override
        public Verdict onFrame(Frame frame, long position) {
            wasOffered = true;
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
                return isOver() ? Verdict.RETRY : Verdict.DONE;
            }
            while (next < batch.count() && !isOver()) {
                if (defect == null && FrameCopy.isSame(batch.view(replayed, next), frame)) {
                    next++;
                    same();
                    return Verdict.DONE;
                }
                Difference found = differ(FrameCopy.of(frame), FrameCopy.of(batch.view(replayed, next)));
                if (isOver()) {
                    return Verdict.RETRY;
                }
                if (found.replayed() != null) {
                    next++;
                }
                if (found.expected() != null) {
                    return Verdict.DONE;
                }
            }
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

    /**
     * Compares with the outputs of another build for the same inputs. Replays the other build up to the input of the first build, and keeps
     * its outputs until they are compared. Confined to the replay's thread.
     */
    static final class OfOtherBuild extends Expected {
        private final ReplayedService other;
        private final Frame mine = new Frame();
        private final Frame its = new Frame();
        private StagedOutputs kept; // its outputs not yet compared; null: none yet
        private int next; // of these

        OfOtherBuild(Chain chain, ReplayedService.Place place, ReplayRange range, boolean isToTheEnd) {
            super(isToTheEnd);
            other = new ReplayedService(chain, place, range, RecordedInput.Pace.MAX, (batch, first) -> kept = batch);
        }

        @Override
        void compare(StagedOutputs batch, long firstInput) {
            for (int i = 0; i < batch.count() && !isOver(); i++) {
                compare(batch.view(mine, i));
            }
        }

        private void compare(Frame output) {
            boolean isMissing;
            do {
                bringOther(Cause.input(output.cause()));
                if (isAnyKept() && FrameCopy.isSame(output, kept.view(its, next))) {
                    same();
                    next++;
                    return;
                }
                Difference found = differ(isAnyKept() ? FrameCopy.of(its) : null, FrameCopy.of(output));
                if (found.expected() != null) {
                    next++;
                }
                isMissing = found.replayed() == null;
            } while (isMissing && !isOver());
        }

        /** Lets the other build go on until it has sent something, or has handled an input. */
        private void bringOther(long cause) {
            while (!isAnyKept()) {
                if (kept != null) {
                    kept.clear();
                    next = 0;
                }
                if (!other.turn(cause)) {
                    if (other.failure() != null) {
                        throw new IllegalStateException(
                                "the other build failed: " + other.failure().getMessage(), other.failure());
                    }
                    return;
                }
            }
        }

        private boolean isAnyKept() {
            return kept != null && next < kept.count();
        }

        @Override
        void finish(long lastInput) {
            bringOther(lastInput);
            while (isAnyKept() && !isOver()) {
                differ(FrameCopy.of(kept.view(its, next)), null);
                next++;
                bringOther(lastInput);
            }
        }

        @Override
        public void close() {
            other.close();
        }
    }
}
