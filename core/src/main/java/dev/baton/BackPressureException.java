package dev.baton;

/** A send waited for room as long as it may: the chain is slower than its senders, or stands still. */
public final class BackPressureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BackPressureException(String message) {
        super(message);
    }
}
