package dev.baton;

/** Thrown when a chain was closed before it took a message, or before it could confirm that the message is stored. */
public final class ChainClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message text with the chain's name and the known state of the message
     */
    public ChainClosedException(String message) {
        super(message);
    }
}
