package dev.baton;

import java.time.Duration;

/**
 * The reaction to a failure. Immutable, thread-safe.
 *
 * @param kind what to do
 * @param pause pause before it; zero if nothing follows
 * @param cause the failure to report: if the transport caused the failure that the chain reported, the failure of the transport
 */
public record RestartStep(Kind kind, Duration pause, Throwable cause) {
    /** The kinds of steps. */
    public enum Kind {
        /** Open again after the pause. */
        RESTART,
        /** Try again after the pause, while another process occupies the topics; this is not a restart. */
        STAND_BY,
        /** Do not open again: a newer process has taken over. */
        REPLACED,
        /** Do not open again: a person has to act first, or there were too many restarts. */
        GIVE_UP
    }
}
