package dev.baton;

/**
 * The writing end of a chain's first topic, for one thread: the first that uses it becomes the topic's writer.
 * Every commit is handed over at once, unless a {@link #batch} is open. Confined to that thread; closed with its chain.
 */
public interface Inlet extends Sender {
    /**
     * Begins a batch: messages that are handed over together when it is closed.
     *
     * @throws IllegalStateException when a batch or a claim is open
     * @throws ChainFailedException when the chain has stopped
     */
    Batch batch();

    /**
     * Returns the sequence of the newest message in the first topic, sent by this inlet or by one of an earlier run. So a
     * sender that was restarted knows where it was. 0 for none.
     */
    long sequence();

    /** Sequence of the newest message that the transport vouches for; what was sent behind it may be lost in a crash. */
    long storedSequence();
}
