package dev.baton;

/**
 * Where the snapshots of a {@link StatefulService} stand. Immutable, thread-safe.
 *
 * @param isRestoring whether the state is still being looked for: no input is delivered until it is found
 * @param isSaving whether a snapshot is being taken or stored
 * @param input sequence of the input that the newest whole snapshot belongs to; 0 for none
 * @param bytes of that snapshot's state
 * @param savedNanos how long it took from its beginning until it was whole; {@link PartStatus#UNKNOWN} for one of an
 *     earlier run
 * @param ageNanos how long ago the newest whole snapshot was begun, by the wall clock; {@link PartStatus#UNKNOWN} for none
 * @param isLate whether that is longer than {@link SnapshotPolicy#warnAfter} allows, or there is none that long after
 *     the start, while inputs were handled
 * @param restoredInput sequence of the input whose snapshot this run began with; 0 for none
 * @param restoredNanos how long it took from the opening until the state was restored; {@link PartStatus#UNKNOWN} until then
 */
public record SnapshotStatus(
        boolean isRestoring,
        boolean isSaving,
        long input,
        long bytes,
        long savedNanos,
        long ageNanos,
        boolean isLate,
        long restoredInput,
        long restoredNanos) {}
