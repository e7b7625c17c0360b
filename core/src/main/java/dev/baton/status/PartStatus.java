package dev.baton.status;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.state.SnapshotStatus;

/**
 * The status of one part of a chain between two of its turns: its position in the topic that it reads, and in the topic
 * that it writes. Positions are sequences, times are nanoseconds. Immutable, thread-safe.
 *
 * @param name name of the service, {@value Chain#OUTLET} for the consumer of the last topic, {@value #SOURCE} for a source
 * @param input topic that the part reads; null for a source
 * @param consumed newest consumed input; 0 for none; {@value #UNKNOWN} from a start until the first input, if the transport
 *     does not keep the position
 * @param backlog number of inputs that are stored and not consumed yet; {@value #UNKNOWN} if the transport does not know it
 * @param output topic that the part writes; null at the end of the chain
 * @param sent newest committed output; 0 for none
 * @param stored newest output that the transport has confirmed as stored; 0 for none
 * @param skipped number of unreadable records of the input that were skipped since the start
 * @param unstoredNanos lower bound of the time for which the oldest unstored output has waited; 0 if all are stored
 * @param idleNanos time since the part last did work, or was started; 0 while it works
 * @param unreadNanos upper bound of the time for which the oldest unconsumed input has waited, which is the age of the
 *     input before it; 0 if there is none; {@value #UNKNOWN} if the transport or the part does not know it
 * @param waiting number of messages that failed and wait for redelivery while later ones are handled
 * @param isOrdered whether outputs are in the order of inputs and, on durable transports, effectively once; false with
 *     {@link ErrorPolicy#retryUnorderedAtLeastOnce}
 * @param snapshots snapshots of a service with state; null for a service without state
 * @param heldBack the consumer because of which {@code output} has no room, so that the part takes no input; null for none
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
        SnapshotStatus snapshots,
        HeldBack heldBack) {
    /** The name of a source. */
    public static final String SOURCE = "source";

    /** The value of a number that is not known. */
    public static final long UNKNOWN = -1;

    /**
     * {@return this status with that of its snapshots}
     *
     * @param status status of the snapshots of a service with state
     */
    public PartStatus with(SnapshotStatus status) {
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
                status,
                heldBack);
    }
}
