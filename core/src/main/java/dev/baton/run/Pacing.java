package dev.baton.run;

/** How often a loop with a latency budget sweeps. */
final class Pacing {
    /**
     * Sweeps that fit into the budget of one message: it just misses one, waits for the next, and that one may start late
     * because its predecessor was long.
     */
    private static final int SWEEPS_PER_BUDGET = 3;

    private Pacing() {}

    /** The time from one sweep to the next, 0 for no pacing. */
    static long periodNanos(long budgetNanos, int sweepsPerMessage) {
        return budgetNanos == 0 ? 0 : Math.max(1, budgetNanos / ((long) SWEEPS_PER_BUDGET * sweepsPerMessage));
    }
}
