package dev.baton.measuring;

/**
 * The times of one slow message, on the clock of its measurement. Immutable, thread-safe.
 *
 * @param slotNanos when it was due
 * @param sentNanos when it was sent
 * @param receivedNanos when it arrived
 * @param previousNanos arrival of the message before it on the same path; its own slot when there was none
 */
public record SlowMessage(long slotNanos, long sentNanos, long receivedNanos, long previousNanos) {
    /** {@return the time from its slot to its arrival} */
    public long responseNanos() {
        return receivedNanos - slotNanos;
    }
}
