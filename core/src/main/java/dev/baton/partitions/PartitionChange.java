package dev.baton.partitions;

/**
 * The event that a partition came to this process or left it. Immutable, thread-safe.
 *
 * @param partition number of the partition, from 0
 * @param kind what happened
 */
public record PartitionChange(int partition, Kind kind) {
    /** The kinds of changes. */
    public enum Kind {
        /** The partition runs here now. */
        ASSIGNED("assigned"),
        /** The partition left, after all messages in progress were completed and stored. Another process may continue. */
        REVOKED("revoked"),
        /** The partition left with messages in progress. They remain in their topics, and may be handled again. */
        CUT_OFF("revoked with messages in flight"),
        /** The partition was stopped at once, because another process may have it already. */
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
