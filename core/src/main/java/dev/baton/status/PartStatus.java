package dev.baton.status;

import dev.baton.Chain;
import dev.baton.state.SnapshotStatus;

/**
 * The status of one part of a chain between two of its turns. Positions are sequences, times are nanoseconds. Immutable,
 * thread-safe.
 *
 * @param name name of the service, {@value Chain#OUTLET} for the consumer of the last topic, {@value #SOURCE} for a source
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
}
