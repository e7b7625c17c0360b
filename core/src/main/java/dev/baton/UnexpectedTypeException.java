package dev.baton;

/**
 * Thrown when a message has another type than its reader expects; the text names both. It stops the chain, unless the {@link
 * ErrorPolicy} names this class. Immutable, thread-safe.
 */
public final class UnexpectedTypeException extends ConfigurationException {
    private static final long serialVersionUID = 1L;

    /** Type of the message, which its reader does not take. */
    private final int type;

    /**
     * Creates an exception that names the message, its type and the types that its reader accepts.
     *
     * @param in message that has another type
     * @param known description of the types that the reader accepts
     */
    public UnexpectedTypeException(Message in, String known) {
        super("message " + in.sequence() + " of topic " + in.topic() + " has type " + in.type() + "; " + known);
        this.type = in.type();
    }

    /** {@return the type of the message} */
    public int type() {
        return type;
    }
}
