package dev.baton.operations.replay;

import dev.baton.Chain;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Replays one service over its recorded inputs and compares its outputs with the recorded ones, or with those of another build. Used once,
 * on one thread.
 *
 * @param isToTheEnd whether it counts all differences instead of stopping at the first one
 * @param against the chain of the other build; null: the recording
 * @param progress receives the progress after every few inputs
 * @param isStopped polled often; true stops the replay
 */
record ServiceReplay(
        Chain chain,
        Chain against,
        ReplayedService.Place place,
        ReplayRange range,
        RecordedInput.Pace pace,
        boolean isToTheEnd,
        Consumer<RecordedInput> progress,
        BooleanSupplier isStopped) {
    /**
     * The result of a replay.
     *
     * @param inputs replayed
     * @param compared number of equal outputs
     * @param firstInput sequence of the first input, 0 for none
     * @param difference the first one; null for none
     * @param differences number of each kind found
     * @param isDeterministic whether a second replay differed in the same way; true where there was none
     * @param nanos duration of the replay
     */
    record Result(
            ReplayedService.Place place,
            long inputs,
            long compared,
            long firstInput,
            Difference difference,
            Map<Difference.Kind, Long> differences,
            boolean isDeterministic,
            long nanos) {
        private Result notDeterministic() {
            return new Result(place, inputs, compared, firstInput, difference, differences, false, nanos);
        }
    }

    private static final int TURNS_PER_LOOK = 64;

    /** Replays once, and a second time after a difference, to find out whether the service is deterministic. */
    Result run() {
        Result first = once(pace, isToTheEnd);
        if (first.difference() == null || isStopped.getAsBoolean()) {
            return first;
        }
        Difference second = once(RecordedInput.Pace.MAX, false).difference();
        return isStopped.getAsBoolean() || first.difference().isRepeatedBy(second) ? first : first.notDeterministic();
    }

    private Result once(RecordedInput.Pace paced, boolean isAll) {
        long begun = System.nanoTime();
        try (Expected expected = against == null
                        ? new Expected.OfRecording(place.transport().inspect(place.output()), isAll)
                        : new Expected.OfOtherBuild(against, place, range, isAll);
                ReplayedService running = new ReplayedService(chain, place, range, paced, expected::take)) {
            Throwable thrown = replay(running, expected);
            RecordedInput input = running.input();
            Difference difference = expected.difference();
            if (thrown != null) {
                expected.differences().put(Difference.Kind.THROWN, 1L);
                difference = difference == null ? Difference.thrown(thrown) : difference;
            }
            return new Result(
                    place,
                    input.inputs(),
                    expected.compared(),
                    input.first(),
                    difference,
                    expected.differences(),
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
