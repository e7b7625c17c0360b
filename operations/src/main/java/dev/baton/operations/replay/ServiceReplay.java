package dev.baton.operations.replay;

import dev.baton.Chain;
import java.util.function.BooleanSupplier;

/**
 * Replays one service over its recorded inputs and compares what it sends with what was recorded, or with what another build
 * of it sends. Used once, on one thread.
 */
final class ServiceReplay {
    /** Told how far the replay has come. */
    interface Progress {
        /** Called after every few inputs. */
        void onProgress(String service, long lastInput, long inputs);
    }

    /**
     * What came of it.
     *
     * @param inputs replayed
     * @param compared outputs that were the same
     * @param firstInput sequence of the first input, 0 for none
     * @param difference null for none
     * @param isDeterministic whether a second replay differed in the same way; true where there was none
     * @param nanos that it took
     */
    record Result(
            String service,
            String input,
            String output,
            long inputs,
            long compared,
            long firstInput,
            Difference difference,
            boolean isDeterministic,
            long nanos) {}

    private static final int TURNS_PER_LOOK = 64;

    private final Chain chain;
    private final Chain against; // null: what was recorded
    private final String service;
    private final ReplayedService.Place place;
    private final ReplayRange range;
    private final RecordedInput.Pace pace;
    private final Progress progress;
    private final BooleanSupplier isStopped;

    ServiceReplay(
            Chain chain,
            Chain against,
            String service,
            ReplayedService.Place place,
            ReplayRange range,
            RecordedInput.Pace pace,
            Progress progress,
            BooleanSupplier isStopped) {
        this.chain = chain;
        this.against = against;
        this.service = service;
        this.place = place;
        this.range = range;
        this.pace = pace;
        this.progress = progress;
        this.isStopped = isStopped;
    }

    /** Replays once; a second time where that differs, to find out whether the service is to blame. */
    Result run() {
        Result first = once(range, pace);
        if (first.difference() == null || isStopped.getAsBoolean()) {
            return first;
        }
        Result second = once(range, RecordedInput.Pace.MAX);
        return new Result(
                service,
                place.input(),
                place.output(),
                first.inputs(),
                first.compared(),
                first.firstInput(),
                first.difference(),
                isStopped.getAsBoolean() || first.difference().isRepeatedBy(second.difference()),
                first.nanos());
    }

    private Result once(ReplayRange replayed, RecordedInput.Pace paced) {
        long begun = System.nanoTime();
        try (Expected expected = against == null
                        ? new Comparison(place.transport().inspect(place.output()))
                        : new OtherBuild(against, service, place, replayed);
                ReplayedService running =
                        new ReplayedService(chain, service, place, replayed, paced, new ToldFirst(expected))) {
            input = running.input();
            Throwable thrown = replay(running, expected);
            Difference difference = thrown != null
                    ? Difference.thrown(service, place.input(), place.output(), thrown)
                    : expected.isDifferent()
                            ? new Difference(
                                    service,
                                    place.input(),
                                    place.output(),
                                    expected.expected(),
                                    expected.replayed(),
                                    null)
                            : null;
            return new Result(
                    service,
                    place.input(),
                    place.output(),
                    input.inputs(),
                    expected.compared(),
                    input.first(),
                    difference,
                    true,
                    System.nanoTime() - begun);
        }
    }

    private RecordedInput input; // of the replay in progress

    private Throwable replay(ReplayedService running, Expected expected) {
        boolean isMore = true;
        while (isMore && !expected.isOver() && !isStopped.getAsBoolean()) {
            for (int i = 0; i < TURNS_PER_LOOK && isMore && !expected.isOver(); i++) {
                isMore = running.turn(Long.MAX_VALUE);
            }
            progress.onProgress(service, input.consumed(), input.inputs());
        }
        if (running.failure() != null) {
            return running.failure();
        }
        if (!isMore && !expected.isOver()) {
            expected.finish(input.consumed());
        }
        return null;
    }

    /** Says which input was the first before the first batch. */
    private final class ToldFirst implements StagedOutputs.Flushed {
        private final Expected expected;
        private boolean isTold;

        ToldFirst(Expected expected) {
            this.expected = expected;
        }

        @Override
        public void take(StagedOutputs batch) {
            if (expected.isOver()) {
                batch.clear();
                return;
            }
            if (!isTold && input.first() > 0) {
                isTold = true;
                expected.firstInput(input.first());
            }
            expected.compare(batch);
        }
    }
}
