package dev.baton.operations.replay;

import dev.baton.Chain;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Replays one service over its recorded inputs and compares what it sends with what was recorded, or with what another build
 * of it sends. Used once, on one thread.
 *
 * @param against the chain of the other build; null: what was recorded
 * @param progress told how far the replay has come, after every few inputs
 * @param isStopped asked often; once true, nothing more is replayed
 */
record ServiceReplay(
        Chain chain,
        Chain against,
        ReplayedService.Place place,
        ReplayRange range,
        RecordedInput.Pace pace,
        Consumer<RecordedInput> progress,
        BooleanSupplier isStopped) {
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
            ReplayedService.Place place,
            long inputs,
            long compared,
            long firstInput,
            Difference difference,
            boolean isDeterministic,
            long nanos) {
        private Result notDeterministic() {
            return new Result(place, inputs, compared, firstInput, difference, false, nanos);
        }
    }

    private static final int TURNS_PER_LOOK = 64;

    /** Replays once; a second time where that differs, to find out whether the service is to blame. */
    Result run() {
        Result first = once(pace);
        if (first.difference() == null || isStopped.getAsBoolean()) {
            return first;
        }
        Difference second = once(RecordedInput.Pace.MAX).difference();
        return isStopped.getAsBoolean() || first.difference().isRepeatedBy(second) ? first : first.notDeterministic();
    }

    private Result once(RecordedInput.Pace paced) {
        long begun = System.nanoTime();
        try (Expected expected = against == null
                        ? new Expected.OfRecording(place.transport().inspect(place.output()))
                        : new Expected.OfOtherBuild(against, place, range);
                ReplayedService running = new ReplayedService(chain, place, range, paced, expected::take)) {
            Throwable thrown = replay(running, expected);
            RecordedInput input = running.input();
            return new Result(
                    place,
                    input.inputs(),
                    expected.compared(),
                    input.first(),
                    thrown == null ? expected.difference() : Difference.thrown(thrown),
                    true,
                    System.nanoTime() - begun);
        }
    }

    private Throwable replay(ReplayedService running, Expected expected) {
        RecordedInput input = running.input();
        boolean isMore = true;
        while (isMore && !expected.isOver() && !isStopped.getAsBoolean()) {
            for (int i = 0; i < TURNS_PER_LOOK && isMore && !expected.isOver(); i++) {
                isMore = running.turn(Long.MAX_VALUE);
            }
            progress.accept(input);
        }
        if (running.failure() != null) {
            return running.failure();
        }
        if (!isMore && !expected.isOver()) {
            expected.finish(input.consumed());
        }
        return null;
    }
}
