package dev.baton.engine.loop;

/**
 * The time between the sweeps of a loop with a latency budget. The loop sweeps as often as it can with half of its time,
 * but not less often than the budget requires. It therefore uses only as much of the budget as the load requires
 * (docs/decisions/006).
 *
 * <p>The cost of a sweep is its own time and that of the wake-up before it. If a frame takes a round trip to a server, the
 * CPU time of the other threads and processes is added as an estimate. Under a higher load a loop sweeps less often, so
 * that more messages share the cost of each sweep; at the bound, batches are as large as the budget allows. After a
 * sweep that leaves work there is no wait ({@link Loop#sweepAgain}). Confined to the loop.
 */
final class Pacing {
    /**
     * The number of sweeps that fit into the budget of one message: the message may just miss a sweep, wait for the next
     * one, and that one may begin late by another period.
     */
    private static final int SWEEPS_PER_BUDGET = 3;

    /** The period as a multiple of the cost of a sweep that found work: the loop is busy for half of its time. */
    private static final int COSTS_PER_PERIOD = 2;

    /** The period as a multiple of the cost of a sweep without work: an idle loop uses about 4 % of a core. */
    private static final int COSTS_PER_IDLE_PERIOD = 50;

    /** The cost of a park and the following wake-up. */
    private static final long WAKE_NANOS = 10_000;

    /**
     * The CPU time of a batch of one Kafka partition in client and broker, measured with a broker and ten chains on two
     * cores.
     */
    private static final long ROUND_TRIP_NANOS = 100_000;

    /** The number of sweeps over which the cost is smoothed. */
    private static final int SMOOTHED_SWEEPS = 8;

    private long longestNanos;
    private long roundTripsNanos; // estimated cost of a sweep with work in other threads and processes
    private long periodNanos;

    /**
     * Sets the values that limit the period.
     *
     * @param budgetNanos latency budget of a message, 0 for no pacing
     * @param sweepsPerMessage maximum number of sweeps until a message has passed a task
     * @param roundTrips number of round trips that a sweep may cause
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
     * {@return the time from the beginning of a sweep to the beginning of the next one}
     *
     * @param sweepNanos duration of the sweep
     * @param work work count of the sweep
     */
    long periodNanos(long sweepNanos, int work) {
        long cost = sweepNanos + WAKE_NANOS;
        long wanted = work > 0 ? (cost + roundTripsNanos) * COSTS_PER_PERIOD : cost * COSTS_PER_IDLE_PERIOD;
        periodNanos += (Math.min(longestNanos, wanted) - periodNanos) / SMOOTHED_SWEEPS;
        return periodNanos;
    }
}
