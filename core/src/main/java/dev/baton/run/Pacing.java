package dev.baton.run;

/**
 * How often a loop with a latency budget sweeps: as often as it can with half of its time, and not less often than the
 * budget needs. So a loop spends its budget only as the load asks for it (docs/decisions/049).
 *
 * <p>A sweep costs its own time and that of the wake-up before it; where a frame takes a round trip to a server, it also
 * costs what others do for it, which the loop does not see and which is estimated. A loop with more to do sweeps less
 * often, each sweep has more messages to share its cost, and at the bound batches are as large as the budget allows.
 * Confined to the loop.
 */
final class Pacing {
    /**
     * Sweeps that fit into the budget of one message: it just misses one, waits for the next, and that one may start late
     * by as much again.
     */
    private static final int SWEEPS_PER_BUDGET = 3;

    /** A period by the cost of a sweep that found work: the loop is busy for half of its time. */
    private static final int COSTS_PER_PERIOD = 2;

    /** The same for a sweep that found nothing: a loop without work takes some 4 % of a core. */
    private static final int COSTS_PER_IDLE_PERIOD = 50;

    /** What a park and the wake-up behind it cost. */
    private static final long WAKE_NANOS = 10_000;

    /** CPU time of a batch of one Kafka partition on both sides, where a broker and ten chains share two cores. */
    private static final long ROUND_TRIP_NANOS = 100_000;

    /** A period follows the cost of so many sweeps. */
    private static final int SMOOTHED_SWEEPS = 8;

    private long longestNanos;
    private long roundTripsNanos; // that a sweep with work costs elsewhere
    private long periodNanos;

    /**
     * Sets what bounds the period.
     *
     * @param budgetNanos latency that a message may take, 0 for no pacing
     * @param sweepsPerMessage until a message is through, the most of all tasks
     * @param roundTrips that a sweep may cause
     */
    void bound(long budgetNanos, int sweepsPerMessage, int roundTrips) {
        longestNanos = budgetNanos == 0 ? 0 : Math.max(1, budgetNanos / ((long) SWEEPS_PER_BUDGET * sweepsPerMessage));
        roundTripsNanos = roundTrips * ROUND_TRIP_NANOS;
        periodNanos = Math.min(periodNanos, longestNanos);
    }

    /** {@return whether there is a budget} */
    boolean isOn() {
        return longestNanos > 0;
    }

    /**
     * {@return the time from the beginning of a sweep to the next one's}
     *
     * @param sweepNanos that it took
     * @param work that it did
     */
    long periodNanos(long sweepNanos, int work) {
        long cost = sweepNanos + WAKE_NANOS;
        long wanted = work > 0 ? (cost + roundTripsNanos) * COSTS_PER_PERIOD : cost * COSTS_PER_IDLE_PERIOD;
        periodNanos += (Math.min(longestNanos, wanted) - periodNanos) / SMOOTHED_SWEEPS;
        return periodNanos;
    }
}
