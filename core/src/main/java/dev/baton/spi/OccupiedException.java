package dev.baton.spi;

/**
 * A live writer of the topic, or a live reader of the consumer, keeps this one out ({@link Guarantee#EXCLUSIVE}). To open
 * again is right: it succeeds when the other one has closed or its process has ended.
 */
public class OccupiedException extends TransportException {
    private static final long serialVersionUID = 1L;

    /**
     * Describes who keeps out whom.
     *
     * @param message with the topic, and the consumer if it is about a reader
     */
    public OccupiedException(String message) {
        super(message);
    }
}
