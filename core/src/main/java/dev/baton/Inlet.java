package dev.baton;

/**
 * The writing end of a chain's first topic, for one thread: the first that uses it becomes the topic's writer.
 * Every commit is handed over at once. Confined to that thread; closed with its chain.
 *
 * <p>The first call of any method opens the topic: it may block, and throws {@link dev.baton.spi.TransportException} when
 * that fails. So does a later one when the transport cannot take a message any more.
 */
public interface Inlet {
    /**
     * Begins a message whose origin is now.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @return null when there is no room now
     * @throws IllegalArgumentException when {@code maxLength} is beyond the transport's limit
     * @throws ChainFailedException when the chain has stopped
     * @throws IllegalStateException when a claim is open, from another thread, or after close
     */
    Claim tryClaim(int maxLength);

    /**
     * Begins a message whose origin is given: the {@link System#nanoTime} at which it was meant to be sent. Otherwise as
     * {@link #tryClaim(int)}.
     */
    Claim tryClaim(int maxLength, long originNanos);

    /**
     * Sends a value if there is room now.
     *
     * @return whether it was sent
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    <T> boolean offer(T value, Codec<T> codec);

    /**
     * Sends a value, waiting for room as long as {@link Deployment#sendWithin} allows.
     *
     * @throws BackPressureException when there was no room in that time; the value is not sent
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    <T> void send(T value, Codec<T> codec);

    /**
     * Returns the sequence of the newest message in the first topic, sent by this inlet or by one of an earlier run. So a
     * sender that was restarted knows where it was. 0 for none.
     */
    long sequence();

    /** Sequence of the newest message that the transport vouches for; what was sent behind it may be lost in a crash. */
    long storedSequence();

    /** Sends bytes, waiting like the other {@code send}. */
    void send(byte[] payload);
}
