package dev.baton.chronicle.format;

/** What is wrong with a file, and where; without a stack trace. */
public final class Defect extends Exception {
    private static final long serialVersionUID = 1L;

    Defect(String message) {
        super(message, null, false, false);
    }
}
