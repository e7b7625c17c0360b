package dev.baton.spi.errors;

import dev.baton.spi.Guarantee;

/**
 * Thrown when a live writer of the topic, or a live reader of the consumer, excludes this one ({@link Guarantee#EXCLUSIVE}).
 * Opening again later is correct: it succeeds when the other one has closed or its process has ended.
 */
public class OccupiedException extends TransportException {
    private static final long serialVersionUID = 1L;

    /**
     * Describes which writer or reader is excluded by which.
     *
     * @param message text with the topic, and the consumer if it is about a reader
     */
    public OccupiedException(String message) {
        super(message);
    }
}
