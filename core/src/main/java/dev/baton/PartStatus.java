package dev.baton;

/**
 * Where one runner of a chain stood between two of its turns: its place in the topic that it reads, and in the one that
 * it writes. Positions are sequences, times are nanoseconds. Immutable, thread-safe.
 *
 * @param name of the service, {@value Chain#OUTLET} for the consumer of the last topic, {@value #SOURCE} for what feeds
 *     the first
 * @param input topic read; null for a source
 * @param consumed newest input consumed, 0 for none, {@value #UNKNOWN} until the first one after a start where the
 *     transport does not keep it
 * @param backlog inputs stored and not yet consumed; {@value #UNKNOWN} where the transport cannot tell
 * @param output topic written; null at the end of the chain
 * @param sent newest output committed; 0 for none
 * @param stored newest output that the transport vouches for; 0 for none
 * @param skipped records of the input that could not be read and were stepped over, since the start
 * @param unstoredNanos how long its oldest output that is not stored has waited for that, at least; 0 when all are stored
 * @param idleNanos how long ago it last did something, or was started; 0 while it is at work
 * @param unreadNanos how long its oldest input that is not consumed has waited for that, at most; 0 when there is none, {@value
 *     #UNKNOWN} where the transport or the part cannot tell. It is the age of the input before it
 * @param waiting messages that failed and wait for another delivery while those behind them go on
 * @param isOrdered whether outputs are in the order of inputs and, on durable transports, effectively once: not with {@link
 *     ErrorPolicy#retryUnorderedAtLeastOnce}
 * @param snapshots of a service with state; null for one without
 */
public record PartStatus(
        String name,
        String input,
        long consumed,
        long backlog,
        String output,
        long sent,
        long stored,
        long skipped,
        long unstoredNanos,
        long idleNanos,
        long unreadNanos,
        long waiting,
        boolean isOrdered,
        SnapshotStatus snapshots) {
    /** Name of a source. */
    public static final String SOURCE = "source";

    /** In place of a number that is not known here. */
    public static final long UNKNOWN = -1;

    PartStatus with(SnapshotStatus status) {
        return new PartStatus(
                name,
                input,
                consumed,
                backlog,
                output,
                sent,
                stored,
                skipped,
                unstoredNanos,
                idleNanos,
                unreadNanos,
                waiting,
                isOrdered,
                status);
    }
}
