package dev.baton.operations.line;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

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

    /** What files, sockets and processes may refuse. */
    @FunctionalInterface
    public interface Attempt<T> {
        T make() throws IOException;
    }

    /** The same without a result. */
    @FunctionalInterface
    public interface Step {
        void take() throws IOException;
    }

    /** What an attempt gives. @param complaint that comes before the reason when the environment refuses it */
    public static <T> T guarded(String complaint, Attempt<T> attempt) {
        try {
            return attempt.make();
        } catch (IOException refused) {
            throw environment(complaint + ": " + reason(refused), refused);
        }
    }

    /** Why an access to a file failed, in words; the JDK's exceptions have no more than its name where the class says it. */
    public static String reason(IOException failed) {
        String message = failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
        if (failed instanceof AccessDeniedException) {
            return message + ": permission denied";
        }
        if (failed instanceof NoSuchFileException) {
            return message + " does not exist";
        }
        if (failed instanceof NotDirectoryException) {
            return message + " is no directory";
        }
        return failed instanceof FileAlreadyExistsException ? message + " exists already" : message;
    }

    /** The same of what gives nothing. */
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
