package dev.baton;

/**
 * The writing end of a chain's first topic, for one thread: the first that uses it becomes the topic's writer.
 * Every commit is handed over at once, unless a {@link #batch} is open. Confined to that thread; closed with its chain.
 */
public interface Inlet extends Sender {
    /**
     * Begins a batch: messages that are handed over together when it is closed.
     *
     * @return the batch, which is open until it is closed
     * @throws IllegalStateException when a batch or a claim is open
     * @throws ChainFailedException when the chain has stopped
     */
    Batch batch();

    /**
     * {@return the sequence of the newest message in the first topic, sent by this inlet or by one of an earlier run; 0 for
     * none} So a sender that was restarted knows where it was.
     */
    long sequence();

    /**
     * {@return the sequence of the newest message that the transport vouches for} What was sent behind it may be lost in a
     * crash.
     */
    long storedSequence();
}
