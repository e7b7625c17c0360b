package dev.baton;

import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.UnknownSnapshotVersionException;

/**
 * A service whose state survives its process. The state is saved in snapshots, each stored with the input that it belongs to.
 * After a restart the service continues from the newest complete snapshot.
 *
 * <p>Inputs are acknowledged up to the older of the two newest complete snapshots, so that retention removes no input that a
 * snapshot still needs. After a restart the state is restored, the inputs up to its snapshot are consumed without being
 * delivered, and later inputs are delivered again, with {@link Message#isRedelivered} set while their outputs are stored.
 * Meanwhile as many outputs are dropped as are already stored, so that each is sent once. If a tick sent the newest output, one
 * tick with the recorded time follows at the end. This holds for any {@link #maxOutputs}, if the service sends only for inputs
 * or only on ticks, and depends only on its state, its inputs and {@link ServiceContext#time}.
 *
 * <p>If {@link #onMessage} throws, the chain stops, since the state may be changed half; after a restart it is restored. {@link
 * #isFailureAtomic} allows other error policies.
 *
 * <p>{@link Deployment#snapshots} sets when snapshots are taken. They need a durable transport. {@link #holdsInputs} has to be
 * false.
 */
public interface StatefulService extends Service {
    /** {@return the version of the format that {@link #saveState} writes, from 0; it is stored with each snapshot} */
    int snapshotVersion();

    /**
     * Writes the state, or the next part of it. Called once per turn of the loop until it returns true. Meanwhile the service
     * receives no inputs and no ticks, and other chains of the loop continue. A call that returns when {@link
     * SnapshotOutput#hasTime} becomes false blocks the loop no longer than {@link SnapshotOutput#SLICE_NANOS}.
     *
     * @param out the same object in all calls for one snapshot
     * @return true if the state is complete
     * @throws Exception any exception; the chain then stops, and the snapshot is void
     */
    boolean saveState(SnapshotOutput out) throws Exception;

    /**
     * Reads the state that {@link #saveState} wrote. Called once, after {@link #onStart} and before the first message; not
     * called if there is no snapshot. Upgrade the format of an older build here.
     *
     * @param in the complete state, whose checksum is correct
     * @param version version of the service that saved it
     * @throws UnknownSnapshotVersionException if this build cannot read that version
     * @throws Exception any exception; the chain then stops
     */
    void restoreState(SnapshotInput in, int version) throws Exception;

    /**
     * {@return the state as lines of text, to find out why an output differs ({@code ./baton replay}); null, the default, for
     * none} Called after {@link #restoreState} on a service that is not started, so without {@link #onStart}.
     */
    default String stateText() {
        return null;
    }

    @Override
    default StatefulService state() {
        return this;
    }
}
