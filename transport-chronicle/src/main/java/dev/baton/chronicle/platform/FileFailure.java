package dev.baton.chronicle.platform;

import dev.baton.spi.support.Causes;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The reason of a failed access to a file, as text for messages. Stateless, thread-safe. */
public final class FileFailure {
    /** The operating system's message for EIO, which the JDK repeats. */
    private static final String IO_ERROR = "Input/output error";

    private FileFailure() {}

    /** {@return what to do about a failure, which may be null, as the end of a sentence; empty if nothing more is known} */
    public static String remedy(Throwable failure) {
        for (Throwable each : Causes.of(failure)) {
            if (String.valueOf(each.getMessage()).contains(IO_ERROR)) {
                return "; check the storage device, then open it again";
            }
        }
        return MaxFileSize.hint(failure);
    }

    /** {@return the reason in words, with the file where the exception names one} */
    public static String reason(Exception failed) {
        Throwable cause = failed instanceof UncheckedIOException ? failed.getCause() : failed;
        String message = cause.getMessage();
        if (message == null) {
            return cause.getClass().getSimpleName();
        }
        return message
                + (cause instanceof AccessDeniedException
                        ? ": permission denied"
                        : cause instanceof NoSuchFileException
                                ? " does not exist"
                                : cause instanceof NotDirectoryException
                                        ? " is no directory"
                                        : cause instanceof FileAlreadyExistsException
                                                ? " exists and is no directory"
                                                : "")
                + remedy(cause);
    }
}
