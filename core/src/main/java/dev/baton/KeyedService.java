package dev.baton;

/**
 * A service that keeps its state by key with {@link ServiceContext#state}. The engine saves the state in snapshots and
 * restores it; the guarantees are those of {@link StatefulService}, without any code to save and restore.
 *
 * <p>All state of the service belongs into its keyed states: fields with other state are empty after a restart. A callback that
 * throws leaves the keyed states as they were before, so every {@link ErrorPolicy} that keeps the order is allowed. {@link
 * Deployment#snapshots} sets when snapshots are taken. They need a durable transport. {@link #holdsInputs} has to be false.
 */
public interface KeyedService extends Service {
    /**
     * {@return the version of the format of the values; 0 by default} It is stored with each snapshot. Values of an earlier
     * version are decoded and encoded again when they are restored, and states that are not declared any more are dropped. A
     * later version is refused.
     */
    @Override
    default int keyedStateVersion() {
        return 0;
    }
}
