package dev.baton.state;

import dev.baton.StatefulService;

/**
 * Thrown when a snapshot has a version that the service cannot read: a newer build saved it, or a build that is too old.
 * Immutable, thread-safe.
 */
public final class UnknownSnapshotVersionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception for a {@link StatefulService#restoreState} that does not know a version.
     *
     * @param found version of the snapshot
     * @param own version of this build, {@link StatefulService#snapshotVersion}
     */
    public UnknownSnapshotVersionException(int found, int own) {
        super("the snapshot has version " + found + ", which this build of version " + own
                + " cannot read; start a build that can");
    }
}
