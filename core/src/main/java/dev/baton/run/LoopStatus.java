package dev.baton.run;

/**
 * The load of a loop. Times count from {@link Loops#measureSweeps}, or from the loop's start. Immutable, thread-safe.
 *
 * @param name name of its thread
 * @param busyNanos time in sweeps that found work
 * @param measuredNanos time that was measured; {@code busyNanos / measuredNanos} is the utilisation
 * @param longestSweepNanos upper bound of the longest sweep of the last {@code 30 s} to {@code 60 s}, including the current
 *     one. It is a bound because consecutive short sweeps are timed in groups
 */
public record LoopStatus(String name, long busyNanos, long measuredNanos, long longestSweepNanos) {}
