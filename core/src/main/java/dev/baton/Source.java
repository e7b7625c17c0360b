package dev.baton;

/**
 * Feeds a chain from within its own loop: a schedule, a socket, another queue. Called by one thread at a time.
 *
 * <p>A source that reads what others have stored says with {@link SourceContext#position} where each message comes from, and
 * tells them in {@link #onStored} how far they need to keep it.
 */
@FunctionalInterface
public interface Source {
    /**
     * The first call, on the chain's loop. May block within {@link Deployment#openWithin}; a start fails with what this
     * throws.
     */
    default void onStart(SourceContext context) throws Exception {}

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

    /**
     * Says that the transport vouches for everything sent up to this sequence of the topic. Called after every turn and before
     * {@link #onClose}, also with the same sequence again. Must not block.
     */
    default void onStored(long sequence) {}

    /** The last call, also after a failure and when {@link #onStart} has thrown; releases what the source has. May block. */
    default void onClose() {}
}
