package dev.baton;

/**
 * That a lane came to this process or went away. Immutable, thread-safe.
 *
 * @param lane counted from 0
 * @param kind what happened
 */
public record LaneChange(int lane, Kind kind) {
    /** What can happen to a lane. */
    public enum Kind {
        /** Runs here now. */
        TAKEN,
        /** Everything in hand was passed on and stored; another process may go on. */
        GIVEN_UP,
        /** Had to go with messages in hand: they stay in their topics, and may be handled again. */
        CUT_OFF,
        /** Another process may have it already; was stopped without a word. */
        LOST
    }
}
