package dev.baton;

/** Thrown when a chain was closed before it took a message, or before it could confirm that the message is stored. */
public final class ChainClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message names the chain and says what is known of the message
     */
    public ChainClosedException(String message) {
        super(message);
    }
}
