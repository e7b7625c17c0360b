package dev.baton.measuring;

/**
 * The moments of one slow message, on the clock of its measurement. Immutable, thread-safe.
 *
 * @param slotNanos when it was due
 * @param sentNanos when it was sent
 * @param receivedNanos when it arrived
 * @param previousNanos when the message before it on the same way had arrived; its own slot when there was none
 */
public record SlowMessage(long slotNanos, long sentNanos, long receivedNanos, long previousNanos) {
    /** How long it took from its slot. */
    public long responseNanos() {
        return receivedNanos - slotNanos;
    }
}
