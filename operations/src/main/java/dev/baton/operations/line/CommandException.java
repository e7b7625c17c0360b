package dev.baton.operations.line;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * The end of a command for a reason that a person can act upon: its text is the one line that people read, with the cause, the allowed
 * values and the remedy.
 */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The person or party that can remove the cause. */
    public enum Kind {
        /** The command line is wrong. */
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

    /** An action that may be refused by files, sockets and processes. */
    @FunctionalInterface
    public interface Attempt<T> {
        T make() throws IOException;
    }

    /** An action without a result. */
    @FunctionalInterface
    public interface Step {
        void take() throws IOException;
    }

    /**
     * Returns the result of an attempt.
     *
     * @param complaint text before the reason when the environment refuses it
     */
    public static <T> T guarded(String complaint, Attempt<T> attempt) {
        try {
            return attempt.make();
        } catch (IOException refused) {
            throw environment(complaint + ": " + reason(refused), refused);
        }
    }

    /** Describes why an access to a file failed; many exceptions of the JDK contain only the file's name, their class gives the reason. */
    public static String reason(IOException failed) {
        String message = failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
        if (failed instanceof AccessDeniedException) {
            return message + ": permission denied";
        }
        if (failed instanceof NoSuchFileException) {
            return message + " does not exist";
        }
        if (failed instanceof NotDirectoryException) {
            return message + " is not a directory";
        }
        return failed instanceof FileAlreadyExistsException ? message + " exists already" : message;
    }

    /** Runs an action without a result, as {@link #guarded(String, Attempt)} does. */
    public static void guarded(String complaint, Step step) {
        guarded(complaint, () -> {
            step.take();
            return null;
        });
    }

    public Kind kind() {
        return kind;
    }
}
