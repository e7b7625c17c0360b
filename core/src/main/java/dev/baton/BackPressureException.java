package dev.baton;

/** Thrown when a send has waited for room until its time limit: the chain is slower than its senders, or makes no progress. */
public final class BackPressureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message text with the topic or queue that has no room, for how long, and the consumer that holds it back if
     *     that is known
     */
    public BackPressureException(String message) {
        super(message);
    }
}
