package dev.baton.status;

import dev.baton.Chain;
import dev.baton.Concurrency;
import dev.baton.ErrorPolicy;
import dev.baton.KeyedService;
import dev.baton.StatefulService;
import dev.baton.state.SnapshotPolicy;
import dev.baton.status.ChainStatus.HeldBack;

/**
 * The status of one part of a chain between two of its turns. Positions are sequences, times are nanoseconds. Immutable,
 * thread-safe.
 *
 * @param name name of the service, {@value Chain#SINK} for the consumer of the last topic, {@value #SOURCE} for a source
 * @param input position in the topic that the part reads; null for a source
 * @param output position in the topic that the part writes; null at the end of the chain
 * @param idleNanos time since the part last did work, or was started; 0 while it works
 * @param snapshots snapshots of a service with state; null for a service without state
 */
public record PartStatus(
        String name, InputStatus input, OutputStatus output, long idleNanos, SnapshotStatus snapshots) {
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
        return new PartStatus(name, input, output, idleNanos, status);
    }

    /**
     * The position of a part in the topic that it reads. Immutable, thread-safe.
     *
     * @param topic topic that the part reads
     * @param consumed newest consumed input; 0 for none; {@value PartStatus#UNKNOWN} from a start until the first input, if the
     *     transport does not keep the position
     * @param backlog number of inputs that are stored and not consumed yet; {@value PartStatus#UNKNOWN} if the transport does
     *     not know it
     * @param unreadNanos upper bound of the time for which the oldest unconsumed input has waited, which is the age of the
     *     input before it; 0 if there is none; {@value PartStatus#UNKNOWN} if the transport or the part does not know it
     * @param skipped number of unreadable records that were skipped since the start
     * @param waiting number of messages that are taken and not completed while later ones are handled: those that are set
     *     aside with {@link ErrorPolicy#perKey}, or those of concurrent calls ({@link Concurrency})
     */
    public record InputStatus(
            String topic, long consumed, long backlog, long unreadNanos, long skipped, long waiting) {}

    /**
     * The position of a part in the topic that it writes. Immutable, thread-safe.
     *
     * @param topic topic that the part writes
     * @param sent newest committed output; 0 for none
     * @param stored newest output that the transport has confirmed as stored; 0 for none
     * @param unstoredNanos lower bound of the time for which the oldest unstored output has waited; 0 if all are stored
     * @param heldBack the consumer because of which the topic has no room, so that the part takes no input; null for none
     */
    public record OutputStatus(String topic, long sent, long stored, long unstoredNanos, HeldBack heldBack) {}

    /**
     * The status of the snapshots of a service with state ({@link KeyedService}, {@link StatefulService}). Immutable, thread-safe.
     *
     * @param isRestoring whether the state is still being searched for; no input is delivered until it is found
     * @param isSaving whether a snapshot is being taken or stored
     * @param input sequence of the newest input that the newest complete snapshot contains; 0 for none
     * @param bytes size of that snapshot; for keyed state that of the changes since the snapshot before, or of the whole state
     * @param recoveryBytes size of the snapshots that a restart reads: that one, and those with changes before it back to the newest
     *     whole state
     * @param savedNanos time from the beginning of that snapshot until it was complete; {@link PartStatus#UNKNOWN} for one of an
     *     earlier run
     * @param ageNanos time since the newest complete snapshot was begun, by the wall clock; {@link PartStatus#UNKNOWN} for none
     * @param isLate whether the age exceeds {@link SnapshotPolicy#warnAfter}, or there is no snapshot that long after the start,
     *     while inputs were handled
     * @param restoredInput newest input of the snapshot with which this run began; 0 for none
     * @param restoredNanos time from the opening until the state was restored; {@link PartStatus#UNKNOWN} until then
     */
    public record SnapshotStatus(
            boolean isRestoring,
            boolean isSaving,
            long input,
            long bytes,
            long recoveryBytes,
            long savedNanos,
            long ageNanos,
            boolean isLate,
            long restoredInput,
            long restoredNanos) {}
}
