package dev.baton.spi.errors;

/**
 * Thrown when the environment of a transport fails, such as a broker, a disk or a missing flag. The text contains the
 * remedy.
 */
public class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Describes a failure that the transport found itself.
     *
     * @param message what failed, and what to do about it
     */
    public TransportException(String message) {
        super(message);
    }

    /**
     * Describes a failure that a library or the system reported.
     *
     * @param message what failed, and what to do about it
     * @param cause exception that was reported; null for none
     */
    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
