package dev.baton.measuring.attribution;

/**
 * A time in which a sending thread did not run: first it slept, then it was ready and waited for a core. Moments are those
 * of the messages' clock. Immutable, thread-safe.
 *
 * @param thread number that tells threads of one trial apart
 * @param waitedNanos the part at its end in which it had no core
 */
public record SenderGap(int thread, long startNanos, long endNanos, long waitedNanos) {}
