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
        TAKEN("taken"),
        /** Everything in hand was passed on and stored; another process may go on. */
        GIVEN_UP("given up"),
        /** Had to go with messages in hand: they stay in their topics, and may be handled again. */
        CUT_OFF("given up with messages in hand"),
        /** Another process may have it already; was stopped without a word. */
        LOST("lost");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** For people to read. */
        public String text() {
            return text;
        }
    }
}
