package dev.baton.spi.errors;

/** Thrown when a transport cannot be used any more: it has to be closed and opened again, so restarted chains fail as well. */
public class LostTransportException extends TransportException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception for a transport that is lost.
     *
     * @param message what has happened
     * @param cause exception of the library; null for none
     */
    public LostTransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
