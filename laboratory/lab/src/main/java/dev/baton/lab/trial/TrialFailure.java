package dev.baton.lab.trial;

import dev.baton.lab.protocol.Event;

/** A trial cannot go on: whose fault it is, and one line that says what to do about it. */
public final class TrialFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Event.Kind kind;

    public TrialFailure(Event.Kind kind, String message) {
        this(kind, message, null);
    }

    public TrialFailure(Event.Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Event.Kind kind() {
        return kind;
    }
}
