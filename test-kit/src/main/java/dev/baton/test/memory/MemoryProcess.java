package dev.baton.test.memory;

import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import java.util.ArrayList;
import java.util.List;

/**
 * One process over topics in memory: its clock, its faults and its open connections. Its end by {@link #kill} loses what a killed process
 * would lose. Thread-safe.
 */
public final class MemoryProcess {
    /** The longest payload that may be configured, in bytes. */
    public static final int HIGHEST_MAX_PAYLOAD = 1 << 24;

    /** The name of the transport. */
    public static final String NAME = "memory";

    final Environment environment;
    final TransportFaults faults;
    private final MemoryStorage storage;
    private final int maxPayload;
    private final List<MemoryConnection> connections = new ArrayList<>(); // open; guarded by this
    private boolean isClosed; // guarded by this
    private volatile boolean isDead;

    /**
     * Starts a process without connections.
     *
     * @param storage shared with other processes
     * @param environment the clock
     * @param faults of this process
     * @param maxPayload the longest payload, 1 to {@link #HIGHEST_MAX_PAYLOAD} bytes
     */
    public MemoryProcess(MemoryStorage storage, Environment environment, TransportFaults faults, int maxPayload) {
        if (maxPayload < 1 || maxPayload > HIGHEST_MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                    "longest payload " + maxPayload + "; 1 to " + HIGHEST_MAX_PAYLOAD + " bytes are allowed");
        }
        this.storage = storage;
        this.environment = environment;
        this.faults = faults;
        this.maxPayload = maxPayload;
    }

    /** {@return another process over the same topics, without faults} */
    public MemoryProcess another() {
        return new MemoryProcess(storage, environment, TransportFaults.NONE, maxPayload);
    }

    /** {@return the longest payload, in bytes} */
    public int maxPayload() {
        return maxPayload;
    }

    /** {@return whether a flush is stored when it returns} */
    public boolean storesAtOnce() {
        return !faults.storesLate();
    }

    /** {@return the topics, while this process is open} */
    public synchronized MemoryStorage storage() {
        if (isClosed) {
            throw new IllegalStateException("this transport is closed");
        }
        return storage;
    }

    /** Opens a connection of the calling thread. */
    public synchronized Connection connect() {
        MemoryConnection connection = new MemoryConnection(this, storage());
        connections.add(connection);
        return connection;
    }

    /** Opens an inspector of the calling thread. */
    public TopicInspector inspect(String topic) {
        return new MemoryInspector(storage().topic(topic));
    }

    /** Ends the process as {@code kill -9} would: nothing is flushed, and the places of its writers and readers are free. Idempotent. */
    public synchronized void kill() {
        if (!isDead) {
            isDead = true;
            isClosed = true;
            List.copyOf(connections).forEach(MemoryConnection::killed);
            connections.clear();
        }
    }

    /** {@return whether the process was killed} */
    public boolean isDead() {
        return isDead;
    }

    synchronized void closed(MemoryConnection connection) {
        connections.remove(connection);
    }

    /** Refuses further use; connections stay open. Idempotent. */
    public synchronized void close() {
        isClosed = true;
    }
}
