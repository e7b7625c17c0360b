package dev.baton;

/**
 * A source that feeds a chain from within the chain's own loop, such as a schedule, a socket or another queue.
 *
 * <p>A source that reads a store sets the position from which each message comes with {@link SourceContext#position}.
 * {@link #onStored} reports the messages that the store no longer needs to keep. Called by one thread at a time.
 */
@FunctionalInterface
public interface Source {
    /**
     * Called first, on the chain's loop. May block within {@link Deployment#openWithin}.
     *
     * @param context valid until the chain has stopped
     * @throws Exception any exception; the start then fails with it
     */
    default void onStart(SourceContext context) throws Exception {}

    /**
     * Sends the messages that are due, as far as there is room. Called once in every sweep. Must not block.
     *
     * @param out writing end of the first topic; it has room for {@link Outlet#remainingCapacity} messages
     * @return number of messages sent
     * @throws Exception any exception; nothing that was sent in this call is then in the topic, and the chain stops
     */
    int onTick(Outlet out) throws Exception;

    /**
     * {@return the {@link System#nanoTime} at which there is next something to send; {@link Long#MAX_VALUE} if the source does
     * not know it, in which case the loop's idle strategy bounds the delay}
     */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    /**
     * Called with the newest message that the transport has confirmed as stored, after every turn and before {@link #onClose},
     * possibly with the same sequence again. Must not block.
     *
     * @param sequence sequence of the newest stored message in the topic; all messages before it are stored, too
     */
    default void onStored(long sequence) {}

    /** Called last, also after a failure and if {@link #onStart} has thrown, to release resources. May block. */
    default void onClose() {}
}
