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

    /**
     * The environment of a running source, with which it can also store the position up to which it has read, together with its
     * messages. Passed to {@link Source#onStart} and valid until the chain has stopped. Confined to the source's loop.
     */
    interface SourceContext {
        /** The value that {@link #resume} returns if no position is known. */
        long NO_POSITION = -1;

        /** {@return the name of the chain} */
        String chain();

        /** {@return the number of this instance of the chain; 0 for the only one} */
        int instance();

        /** {@return the number of the partition, from 0; -1 if the chain has no partitions} */
        int partition();

        /** {@return the number of partitions; 0 if the chain has none} */
        int partitions();

        /** {@return the name of the topic that the source feeds; if the chain has partitions, that of its partition} */
        String topic();

        /** {@return the time of the clock of {@link Source#deadlineNanos}} */
        long nanoTime();

        /**
         * Sets the input to which positions refer from now on, and returns the position of the newest message that the topic holds.
         * A source that continues after this position feeds each position once, whatever happened before, since position and
         * message are stored together. Call it in {@link Source#onStart}.
         *
         * @param input identity of what the source reads, not 0; it has to change if the input is deleted and created again
         * @return the position; {@link #NO_POSITION} if the topic holds no message, or its newest message has no position or refers
         *     to another input
         */
        long resume(long input);

        /**
         * Sets the position from which the next messages come, until the end of the current call of {@link Source#onTick}. It is
         * stored with each message, as its {@linkplain Message#cause cause} less one. Positions must not decrease.
         *
         * @param position 0 to 2<sup>61</sup> - 2
         */
        void position(long position);
    }
}
