package dev.baton.run;

/**
 * How much a loop has to do. Times count from {@link Loops#measureSweeps} on, or from the loop's start. Immutable, thread-safe.
 *
 * @param name of its thread
 * @param busyNanos time spent in sweeps that found work
 * @param measuredNanos time that was measured: {@code busyNanos / measuredNanos} is the utilisation
 * @param longestSweepNanos the longest sweep of the last {@code 30 s} to {@code 60 s}, the one in progress included: at
 *     most, as short sweeps that follow each other without a pause are timed in groups
 */
public record LoopStatus(String name, long busyNanos, long measuredNanos, long longestSweepNanos) {}
