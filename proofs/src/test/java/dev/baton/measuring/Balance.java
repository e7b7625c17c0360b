package dev.baton.measuring;

/**
 * A recorder with what went in and what came out, for all states of a proof: a recorder is too large for a state of its
 * own. {@link #record}: one actor each by its number; {@link #take}: one other; {@link #settle}: when those are done with
 * the states at hand, any thread.
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
    /** So that counts of two writers lie in lines of their own. */
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

    /** Takes an interval and looks at it twice: whether records are whole in it, and whether one came after all. */
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

    /** Whether everything that went in has come out, once. Begins anew after an imbalance. */
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
