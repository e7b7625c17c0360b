package dev.baton;

/**
 * A service whose state outlives its process: it is saved in snapshots, each stored with the input that it belongs to, and
 * after a restart the service goes on from the newest whole one.
 *
 * <p>A service with state holds its inputs back by its snapshots: they are acknowledged up to the older of the two newest
 * whole ones, so that no retention removes what a snapshot still needs. After a restart the state is restored, the inputs
 * up to its snapshot are consumed without being delivered, and those behind it are delivered again, with {@link
 * Message#isRedelivered} set while their outputs are stored. As many outputs as are stored are dropped meanwhile, so that
 * each is sent once. This holds for a service that sends by inputs alone or by ticks alone and depends on nothing but its
 * state, its inputs and {@link ServiceContext#time}, whatever its {@link #maxOutputs}. At the end of what comes again one
 * tick is given, of the recorded time, if a tick sent the newest output.
 *
 * <p>{@link Deployment#snapshots} says when snapshots are taken. They need a durable transport. {@link
 * #holdsInputs} has to be false.
 */
public interface StatefulService extends Service {
    /** {@return the version of what {@link #saveState} writes, from 0; stored with each snapshot} */
    int snapshotVersion();

    /**
     * Writes the state, or the next part of it. Called again and again between two turns of the loop until it answers true;
     * no input is delivered and no tick given meanwhile, while other chains of the loop go on. A call that returns when
     * {@link SnapshotOutput#hasTime} turns false holds the loop up no longer than {@link SnapshotOutput#SLICE_NANOS}.
     *
     * @param out the same in all calls for one snapshot
     * @return whether the state is complete
     * @throws Exception anything; the chain stops then, and the snapshot is void
     */
    boolean saveState(SnapshotOutput out) throws Exception;

    /**
     * Takes the state that {@link #saveState} wrote. Called once, after {@link #onStart} and before the first message, and
     * not at all when there is no snapshot. A snapshot of an older build is upgraded here.
     *
     * @param in the whole state, whose checksum is right
     * @param version of the service that saved it
     * @throws UnknownSnapshotVersionException when this build cannot read that version
     * @throws Exception anything; the chain stops then
     */
    void restoreState(SnapshotInput in, int version) throws Exception;

    /**
     * {@return the state in some lines, for people who ask why an output differs ({@code ./baton replay}); null, the default,
     * for none} Called behind {@link #restoreState} on a service that is not started: without {@link #onStart}.
     */
    default String stateText() {
        return null;
    }

    @Override
    default StatefulService state() {
        return this;
    }
}
