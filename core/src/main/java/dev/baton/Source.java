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
     * The first call, on the chain's loop. May block within {@link Deployment#openWithin}.
     *
     * @param context valid until the chain has stopped
     * @throws Exception anything; the start fails with it
     */
    default void onStart(SourceContext context) throws Exception {}

    /**
     * Sends what is due, as far as there is room; called once in every sweep. Must not block.
     *
     * @param out the first topic's end; {@link Outlet#remainingCapacity} says how much room there is
     * @return messages sent
     * @throws Exception anything; nothing that was sent in this call is in the topic then, and the chain stops
     */
    int onTick(Outlet out) throws Exception;

    /**
     * {@return the {@link System#nanoTime} at which there is next something to send; {@link Long#MAX_VALUE} when the source
     * cannot tell, then the loop's idle strategy bounds the delay}
     */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    /**
     * Says up to where the transport vouches for what was sent. Called after every turn and before {@link #onClose}, also
     * with the same sequence again. Must not block.
     *
     * @param sequence of the newest message in the topic that is stored; everything before it is, too
     */
    default void onStored(long sequence) {}

    /** The last call, also after a failure and when {@link #onStart} has thrown; releases what the source has. May block. */
    default void onClose() {}
}
