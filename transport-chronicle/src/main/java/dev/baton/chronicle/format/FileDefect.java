package dev.baton.chronicle.format;

/** The defect of a file and its place; has no stack trace. */
public final class FileDefect extends Exception {
    private static final long serialVersionUID = 1L;

    FileDefect(String message) {
        super(message, null, false, false);
    }
}
