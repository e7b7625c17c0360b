package dev.baton;

/** A message has another type than its reader expects; the text says both. It goes through the {@link ErrorPolicy}. */
public final class UnexpectedTypeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Type of the message, which its reader does not take. */
    private final int type;

    /**
     * Names the message, its type and what its reader takes.
     *
     * @param in that has another type
     * @param known what the reader takes, for people to read
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
