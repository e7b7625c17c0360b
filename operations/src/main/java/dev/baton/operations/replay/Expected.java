package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.DamagedTopicException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The expected outputs of a replayed service, compared up to the first difference, or to the end. Outputs of the same call of the service are
 * compared in their order. Confined to the replay's thread.
 */
abstract class Expected implements AutoCloseable {
    private final Comparing comparing;
    private final Map<ReplayDifference.Kind, Long> differences = new EnumMap<>(ReplayDifference.Kind.class);
    private final Map<String, Long> fields = new TreeMap<>();
    private ReplayDifference difference; // the first one; null: none yet
    private long compared;

    /**
     * The way in which outputs are compared.
     *
     * @param isToTheEnd whether differences are counted instead of ending the comparison
     * @param codecs decode the outputs that differ
     * @param listener receives each difference
     */
    record Comparing(boolean isToTheEnd, Codecs codecs, Consumer<? super ReplayDifference> listener) {}

    Expected(Comparing comparing) {
        this.comparing = comparing;
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
    final ReplayDifference differ(Frame expectedFrame, Frame replayedFrame) {
        ReplayDifference found = ReplayDifference.between(copy(expectedFrame), copy(replayedFrame));
        differences.merge(found.kind(), 1L, Long::sum);
        found.changes().keySet().forEach(field -> fields.merge(field, 1L, Long::sum));
        comparing.listener().accept(found);
        if (difference == null) {
            difference = found;
        }
        return found;
    }

    private MessageCopy copy(Frame frame) {
        return frame == null ? null : MessageCopy.of(frame, comparing.codecs());
    }

    /** {@return whether the comparison has ended: at a difference, or at the end of the recording} */
    boolean isOver() {
        return difference != null && !comparing.isToTheEnd();
    }

    /** {@return the number of differences of each kind that was found} */
    final Map<ReplayDifference.Kind, Long> differences() {
        return differences;
    }

    /** {@return the number of outputs in which each field of the decoded value changed} */
    final Map<String, Long> fields() {
        return fields;
    }

    /** {@return the first difference; null for none} */
    final ReplayDifference difference() {
        return difference;
    }

    final long compared() {
        return compared;
    }

    @Override
    public abstract void close();

    /** Reads as the inspector does, past records that are not frames: no service has sent them. */
    static int readFrames(TopicInspector inspector, FrameHandler handler, int limit) {
        while (true) {
            try {
                return inspector.read(handler, limit);
            } catch (DamagedTopicException unreadable) {
                if (unreadable.isEnd()) {
                    throw unreadable;
                }
            }
        }
    }

    /**
     * Compares what a service sends with what was recorded, one by one, at most to the end of the recording. Only outputs of replayed inputs count: it skips outputs of inputs before the range, and of inputs whose outputs retention may have
     * removed in part. Confined to the replay's thread.
     */
    static final class OfRecording extends Expected implements FrameHandler {
        private final TopicInspector recorded;
        private final NewOutputs fed; // receives the outputs as well; null for none
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

        OfRecording(TopicInspector recorded, NewOutputs fed, Comparing comparing) {
            super(comparing);
            this.recorded = recorded;
            this.fed = fed;
        }

        @Override
        public void onWriter(Incarnation writer) {
            if (fed != null) {
                fed.onWriter(writer);
            }
        }

        @Override
        void compare(StagedOutputs flushed, long first) {
            firstInput = first;
            batch = flushed;
            next = 0;
            while (next < batch.count() && !isOver()) {
                skipRemoved();
                wasOffered = false;
                if (next < batch.count() && readFrames(recorded, this, batch.count() - next) == 0) {
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
            while (!isOver() && readFrames(recorded, this, 1) > 0) {
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
                    differ(frame, null);
                    if (fed != null) {
                        fed.missing(frame);
                    }
                } else {
                    hasEnded = true;
                }
                return isOver() ? Verdict.RETRY : Verdict.DONE;
            }
            while (next < batch.count() && !isOver()) {
                if (defect == null && MessageCopy.isSame(batch.view(replayed, next), frame)) {
                    feed(frame, true);
                    next++;
                    same();
                    return Verdict.DONE;
                }
                ReplayDifference found = differ(frame, batch.view(replayed, next));
                if (isOver()) {
                    return Verdict.RETRY;
                }
                if (found.replayed() != null) {
                    feed(frame, found.expected() != null);
                    next++;
                } else if (fed != null) {
                    fed.missing(frame);
                }
                if (found.expected() != null) {
                    return Verdict.DONE;
                }
            }
            return Verdict.RETRY;
        }

        private void feed(Frame frame, boolean isCounterpart) {
            if (fed == null) {
                return;
            }
            if (isCounterpart) {
                fed.add(batch.copy(next), frame);
            } else {
                fed.additional(batch.copy(next), frame);
            }
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

        OfOtherBuild(Chain chain, ReplayedService.Place place, ReplayRange range, Comparing comparing) {
            super(comparing);
            other = new ReplayedService(
                    chain,
                    place,
                    place.transport().inspect(place.input()),
                    range,
                    RecordedInput.Pace.MAX,
                    (batch, first) -> kept = batch);
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
                if (isAnyKept() && MessageCopy.isSame(output, kept.view(its, next))) {
                    same();
                    next++;
                    return;
                }
                ReplayDifference found = differ(isAnyKept() ? its : null, output);
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
                differ(kept.view(its, next), null);
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
