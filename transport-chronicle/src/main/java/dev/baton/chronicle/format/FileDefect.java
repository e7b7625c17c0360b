package dev.baton.chronicle.format;

/** What is wrong with a file, and where; without a stack trace. */
public final class FileDefect extends Exception {
    private static final long serialVersionUID = 1L;

    FileDefect(String message) {
        super(message, null, false, false);
    }
}
