package dev.baton;

/**
 * The writing end of a chain's first topic, for one thread: the first that uses it becomes the topic's writer.
 * Every commit is handed over at once. Confined to that thread; closed with its chain.
 */
public interface Inlet extends Sender {
    /**
     * Returns the sequence of the newest message in the first topic, sent by this inlet or by one of an earlier run. So a
     * sender that was restarted knows where it was. 0 for none.
     */
    long sequence();

    /** Sequence of the newest message that the transport vouches for; what was sent behind it may be lost in a crash. */
    long storedSequence();
}
