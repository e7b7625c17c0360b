package dev.baton.spi;

/** The environment of a transport failed: a broker, a disk, a missing flag. The text says what to do about it. */
public class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TransportException(String message) {
        super(message);
    }

    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
