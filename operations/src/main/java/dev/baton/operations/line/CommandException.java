package dev.baton.operations.line;

/**
 * The end of a command for a reason that a person can act upon: the text is the one line that they get to read, and says
 * what was wrong, what is allowed and what to do.
 */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Whose turn it is to change something. */
    public enum Kind {
        /** What was typed cannot be done. */
        USAGE,
        /** The machine, a disk or a broker does not allow it. */
        ENVIRONMENT,
        /** It ran and failed. */
        FAILURE
    }

    private final Kind kind;

    public CommandException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public CommandException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public static CommandException usage(String message) {
        return new CommandException(Kind.USAGE, message);
    }

    public static CommandException usage(String message, Throwable cause) {
        return new CommandException(Kind.USAGE, message, cause);
    }

    public static CommandException environment(String message) {
        return new CommandException(Kind.ENVIRONMENT, message);
    }

    public static CommandException environment(String message, Throwable cause) {
        return new CommandException(Kind.ENVIRONMENT, message, cause);
    }

    public Kind kind() {
        return kind;
    }
}
