package dev.baton.measuring.rig;

/** The way into an engine's chain, valid during a source's turn. */
public interface SourceSender {
    /**
     * Sends a message, if there is room.
     *
     * @param number of the message, which its payload follows from
     * @param originNanos what the message's age is counted from; unique within the instance, and rising
     * @param tag travels with the message unaltered
     * @return false: no room, try again later
     */
    boolean trySend(long number, long originNanos, int tag);
}
