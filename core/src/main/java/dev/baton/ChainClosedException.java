package dev.baton;

/** A chain was closed before it could say that a message is stored, or before it took the message. */
public final class ChainClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    ChainClosedException(String message) {
        super(message);
    }
}
