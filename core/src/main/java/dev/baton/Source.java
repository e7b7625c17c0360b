package dev.baton;

/**
 * Feeds a chain from within its own loop: a schedule, a socket, another queue. Called by one thread at a time.
 */
@FunctionalInterface
public interface Source {
    /**
     * Sends what is due, as far as there is room; called once in every sweep. Must not block. When it throws, nothing that
     * it sent in this call is in the topic, and the chain stops.
     *
     * @return messages sent
     */
    int onTick(Outlet out) throws Exception;

    /**
     * The {@link System#nanoTime} at which there is next something to send; {@link Long#MAX_VALUE} when the source
     * cannot tell, then the loop's idle strategy bounds the delay.
     */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }
}
