package dev.baton.spi.errors;

/**
 * Thrown when a topic is not the one that the chain worked on before, or belongs to a chain of other services. Nothing was
 * dropped or handled. Opening again fails until an operator has decided what happens to the messages; the text names the
 * choices.
 */
public class TopicMismatchException extends TransportException {
    private static final long serialVersionUID = 1L;

    /**
     * Describes how the topic differs.
     *
     * @param message text with the topic and the choices that an operator has
     */
    public TopicMismatchException(String message) {
        super(message);
    }
}
