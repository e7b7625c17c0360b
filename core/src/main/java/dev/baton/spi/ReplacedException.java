package dev.baton.spi;

/**
 * A newer writer of the topic, or a newer reader of the consumer, has taken the place of this one. What the newer one
 * found stored is kept; what this one stored behind that is dropped by every reader, and the text says how much. To open
 * again would take the place back: a process that is told so ends, or waits until somebody asks it to go on.
 */
public class ReplacedException extends TransportException {
    private static final long serialVersionUID = 1L;

    public ReplacedException(String message) {
        super(message);
    }

    public ReplacedException(String message, Throwable cause) {
        super(message, cause);
    }
}
