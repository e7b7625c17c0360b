package dev.baton;

/** Thrown when a service gave up a request: its error policy skipped the message or stored it as a dead letter. */
public final class RequestFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message text with the service and the cause, which may come from another process
     */
    public RequestFailedException(String message) {
        super(message);
    }
}
