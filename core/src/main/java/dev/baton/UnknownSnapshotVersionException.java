package dev.baton;

/** A snapshot has a version that the service cannot read: a newer build saved it, or one too old. Immutable, thread-safe. */
public final class UnknownSnapshotVersionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * For a {@link StatefulService#restoreState} that is given a version it does not know.
     *
     * @param found of the snapshot
     * @param own of this build, {@link StatefulService#snapshotVersion}
     */
    public UnknownSnapshotVersionException(int found, int own) {
        super("the snapshot has version " + found + ", this build knows version " + own
                + " and does not know it; start a build that does");
    }
}
