package dev.baton.benchmark.trial;

/** The way into an engine's chain, valid during a generator's turn. */
interface Sender {
    /**
     * Sends a message, if there is room.
     *
     * @param number of the message, which its payload follows from
     * @param slotNanos when it should have been sent: its origin
     * @param slip how late it is, see {@link dev.baton.benchmark.measure.Slip}; travels with it
     * @return false: no room, try again later
     */
    boolean trySend(long number, long slotNanos, int slip);
}
