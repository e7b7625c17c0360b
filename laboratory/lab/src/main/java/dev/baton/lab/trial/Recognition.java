package dev.baton.lab.trial;

/**
 * How a receiver knows which message it has before it, without relying on sequences, which the library under test gives
 * itself. Confined to the receiver's thread, and to the accounting after that has ended.
 */
interface Recognition {
    /**
     * The number of a message.
     *
     * @param originNanos as the frame says
     * @param tag as the frame says
     * @param expected the number that a message in order has
     * @return -1: its origin is none that this instance has sent by now
     */
    long numberOf(long originNanos, int tag, long expected, long nowNanos);

    /** How long after its origin a message was sent. */
    long sendDelayNanos(int tag);

    /** What the age of a message that never arrived is counted from: its origin, or the earliest that it can have. */
    long originNanos(long number);
}
