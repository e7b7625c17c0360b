package dev.baton;

/**
 * That a partition came to this process or went away. Immutable, thread-safe.
 *
 * @param partition counted from 0
 * @param kind what happened
 */
public record PartitionChange(int partition, Kind kind) {
    /** What can happen to a partition. */
    public enum Kind {
        /** Runs here now. */
        ASSIGNED("assigned"),
        /** Everything in hand was passed on and stored; another process may go on. */
        REVOKED("revoked"),
        /** Had to go with messages in hand: they stay in their topics, and may be handled again. */
        CUT_OFF("revoked with messages in hand"),
        /** Another process may have it already; was stopped without a word. */
        LOST("lost");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** {@return one line of text for logs} */
        public String text() {
            return text;
        }
    }
}
