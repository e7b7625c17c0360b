package dev.baton.engine.state;

import dev.baton.Service;
import dev.baton.StatefulService;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;

/** The state of a service as its snapshots see it. Confined to the loop of the service. */
public interface StateContents {
    /** Returns whether the service declares state of either kind, for which it needs a snapshot topic. */
    static boolean isDeclared(Service service) {
        return service.state() != null || service.keyedStateVersion() >= 0;
    }

    /** Returns the contents of a service that saves its state by itself, which are whole in each snapshot. */
    static StateContents of(StatefulService service) {
        return new StateContents() {
            @Override
            public int version() {
                return service.snapshotVersion();
            }

            @Override
            public boolean save(SnapshotOutput out) throws Exception {
                return service.saveState(out);
            }

            @Override
            public boolean restore(SnapshotInput in, int version) throws Exception {
                service.restoreState(in, version);
                return true;
            }
        };
    }

    /** Returns the version of the format of this build. */
    int version();

    /** Returns whether a snapshot may consist of changes, and the service may be called while one is saved. */
    default boolean savesChanges() {
        return false;
    }

    /**
     * Begins a snapshot of the state as it is now.
     *
     * @param isWhole whether it contains the whole state, or what changed since the last cut
     */
    default void cut(boolean isWhole) {}

    /** Writes the next slice of the snapshot; returns whether it is complete. */
    boolean save(SnapshotOutput out) throws Exception;

    /** Reads the next slice of a snapshot; returns whether it is read completely. */
    boolean restore(SnapshotInput in, int version) throws Exception;

    /** Ends the restoration, also one without a snapshot. */
    default void restored() {}
}
