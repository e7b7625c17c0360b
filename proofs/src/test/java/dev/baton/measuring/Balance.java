package dev.baton.measuring;

/**
 * A recorder with its inputs and outputs, for all states of a proof, as a recorder is too large to create one for each state. {@link
 * #record} is called by one actor for each number, {@link #take} by one other, and {@link #settle} by any thread when those have finished
 * with the present states.
 */
final class Balance {
    static final int WHOLE = 0;
    static final int TORN = 1;
    static final int LATE = 2;

    static final int BALANCED = 0;
    static final int LOST = 1;
    static final int TWICE = 2;

    private static final long NANOS = 1;
    private static final int MOST_WRITERS = 2;
    /** Distance between the counts of two writers, so that they are in different cache lines. */
    private static final int SPREAD = 16;

    private final LatencyRecorder recorder;
    private final long[] recorded = new long[MOST_WRITERS * SPREAD];
    private long taken;

    Balance(LatencyRecorder recorder) {
        this.recorder = recorder;
    }

    void record(int writer) {
        recorder.recordArrival(NANOS, NANOS);
        recorded[writer * SPREAD]++;
    }

    /** Takes an interval and reads it twice: whether its records are complete, and whether one was added later. */
    int take() {
        LatencyHistograms interval = recorder.takeInterval();
        long responses = interval.response().getTotalCount();
        long services = interval.service().getTotalCount();
        long counted = interval.response().getCountAtValue(NANOS);
        Thread.onSpinWait();
        taken += responses;
        if (responses != services || responses != counted) {
            return TORN;
        }
        return interval.service().getTotalCount() == services
                        && interval.service().getCountAtValue(NANOS) == services
                        && interval.response().getTotalCount() == responses
                ? WHOLE
                : LATE;
    }

    /** {@return whether each input has come out exactly once} Starts again after an imbalance. */
    synchronized int settle() {
        taken += recorder.takeInterval().response().getTotalCount();
        long sum = 0;
        for (long each : recorded) {
            sum += each;
        }
        int verdict = taken == sum ? BALANCED : taken < sum ? LOST : TWICE;
        taken = sum;
        return verdict;
    }
}
