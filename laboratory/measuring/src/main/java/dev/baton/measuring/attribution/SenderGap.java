package dev.baton.measuring.attribution;

/**
 * An interval in which a sending thread did not run: it slept, then it was ready and waited for a core. Times are of the messages' clock.
 * Immutable, thread-safe.
 *
 * @param thread number of the thread within one trial
 * @param waitedNanos the part at its end in which it had no core
 */
public record SenderGap(int thread, long startNanos, long endNanos, long waitedNanos) {}
