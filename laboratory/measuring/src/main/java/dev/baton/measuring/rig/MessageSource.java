package dev.baton.measuring.rig;

/** Sends the messages of one instance when they are due. Confined to the thread that writes the chain's first topic. */
public interface MessageSource {
    /** Sends what is due, as far as there is room. @return messages sent */
    int onTurn(SourceSender sender);

    /**
     * {@return the next time to send, on {@link System#nanoTime}'s clock; {@link Long#MAX_VALUE} when it is unknown: before the start,
     * while there is no room, and after the end}
     */
    long deadlineNanos();

    /** {@return whether nothing is left to send} From then on it gets no more turns. */
    default boolean isDone() {
        return false;
    }
}
