package dev.baton.state;

import dev.baton.KeyedService;
import dev.baton.StatefulService;
import dev.baton.status.PartStatus;

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
