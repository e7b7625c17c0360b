package dev.baton;

import java.time.Duration;

/**
 * What follows a failure. Immutable, thread-safe.
 *
 * @param kind what to do
 * @param pause before it; zero where nothing follows
 * @param cause what to report: the failure of the transport behind what a chain reported, if that is what it was
 */
public record RestartStep(Kind kind, Duration pause, Throwable cause) {
    /** What to do. */
    public enum Kind {
        /** Open again after the pause. */
        RESTART,
        /** The same, while another process keeps this one out: it is no restart. */
        STAND_BY,
        /** Open nothing again: a newer process has taken over. */
        REPLACED,
        /** Open nothing again: somebody has to act first, or there were too many restarts. */
        GIVE_UP
    }
}
