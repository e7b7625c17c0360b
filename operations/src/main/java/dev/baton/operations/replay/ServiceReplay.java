package dev.baton.operations.replay;

import dev.baton.operations.replay.ReplayedService.Place;
import dev.baton.spi.TopicInspector;

/**
 * The replay of one service, whose outputs are compared with the recorded ones, or with those of another build. Its inputs are the recorded
 * ones, or the new outputs of the replay of the service before it. Confined to the replay's thread.
 */
final class ServiceReplay implements AutoCloseable {
    private final Place place;
    private final Expected expected;
    private final ReplayedService running;
    private final long begun = System.nanoTime();
    private long nanos;
    private Throwable thrown; // null: nothing
    private boolean hasEnded;

    /**
     * Begins a replay.
     *
     * @param inputs inputs of the service, closed with the replay
     * @param range range of these inputs
     * @param outputs receives the outputs as well; null for none
     * @param isFirst whether this is not a repetition
     */
    ServiceReplay(
            Replay replay, Place place, TopicInspector inputs, ReplayRange range, NewOutputs outputs, boolean isFirst) {
        this.place = place;
        Expected.Comparing comparing = replay.comparing(place, isFirst);
        try {
            expected = replay.against() == null
                    ? new Expected.OfRecording(place.transport().inspect(place.output()), outputs, comparing)
                    : new Expected.OfOtherBuild(replay.against(), place, range, comparing);
        } catch (RuntimeException | Error failure) {
            inputs.close();
            throw failure;
        }
        try {
            RecordedInput.Pace pace = isFirst ? replay.pace() : RecordedInput.Pace.MAX;
            running = new ReplayedService(replay.chain(), place, inputs, range, pace, expected::take);
        } catch (RuntimeException | Error failure) {
            expected.close();
            throw failure;
        }
        if (outputs != null) {
            outputs.from(this::advance);
        }
    }

    /** Runs one turn. Returns false at the end. */
    boolean advance() {
        if (hasEnded || !expected.isOver() && running.turn(Long.MAX_VALUE)) {
            return !hasEnded;
        }
        hasEnded = true;
        thrown = running.failure();
        if (thrown == null && !expected.isOver()) {
            expected.finish(running.input().consumed());
        }
        nanos = System.nanoTime() - begun;
        return false;
    }

    RecordedInput input() {
        return running.input();
    }

    Place place() {
        return place;
    }

    /** Returns the result so far. */
    ReplayComparison.Part result() {
        ReplayDifference difference = expected.difference();
        if (thrown != null) {
            expected.differences().put(ReplayDifference.Kind.THROWN, 1L);
            difference = difference == null ? ReplayDifference.thrown(thrown) : difference;
        }
        return new ReplayComparison.Part(
                place.service(),
                place.input(),
                place.output(),
                input().inputs(),
                expected.compared(),
                input().first(),
                difference,
                expected.differences(),
                expected.fields(),
                true,
                hasEnded ? nanos : System.nanoTime() - begun);
    }

    @Override
    public void close() {
        try {
            running.close();
        } finally {
            expected.close();
        }
    }
}
