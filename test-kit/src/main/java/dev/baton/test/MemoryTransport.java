package dev.baton.test;

import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Topics in the memory of this process that survive the chains over them as those of a durable transport do: for tests.
 * {@link #reopen} is the next process over the same topics. A flush is stored wholly or not at all. Topics keep every frame, so
 * they are limited by the heap alone.
 *
 * <p>The testers run over it. It is public for tests that start a {@link dev.baton.Deployment} of their own, also on loops with
 * threads. Thread-safe.
 */
public final class MemoryTransport implements Transport {
    /** The longest payload unless another one is given, in bytes. */
    public static final int DEFAULT_MAX_PAYLOAD = 64 << 10;

    private static final int HIGHEST_MAX_PAYLOAD = 1 << 24;

    final MemoryStorage storage;
    final Environment environment;
    final Fate fate;
    private final int maxPayload;
    private final List<MemoryConnection> connections = new ArrayList<>(); // open; guarded by this
    private boolean isClosed; // guarded by this
    private volatile boolean isDead;

    MemoryTransport(MemoryStorage storage, Environment environment, Fate fate, int maxPayload) {
        if (maxPayload < 1 || maxPayload > HIGHEST_MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                    "longest payload " + maxPayload + "; 1 to " + HIGHEST_MAX_PAYLOAD + " bytes are allowed");
        }
        this.storage = storage;
        this.environment = environment;
        this.fate = fate;
        this.maxPayload = maxPayload;
    }

    /** {@return a transport without topics, for payloads of up to {@link #DEFAULT_MAX_PAYLOAD} bytes} */
    public static MemoryTransport create() {
        return create(DEFAULT_MAX_PAYLOAD);
    }

    /**
     * {@return a transport without topics}
     *
     * @param maxPayload the longest payload, 1 to 16 MiB
     */
    public static MemoryTransport create(int maxPayload) {
        return new MemoryTransport(new MemoryStorage(), Environment.system(), Fate.NONE, maxPayload);
    }

    /** {@return another transport over the same topics, as another process would open it} */
    public MemoryTransport reopen() {
        return new MemoryTransport(storage, environment, Fate.NONE, maxPayload);
    }

    /**
     * Ends everything that was opened through this transport, as {@code kill -9} ends a process: nothing is flushed, its places in
     * the topics are free. Whatever is called then has no effect or throws a {@link dev.baton.spi.TransportException}.
     * Idempotent.
     */
    public synchronized void kill() {
        if (!isDead) {
            isDead = true;
            isClosed = true;
            List.copyOf(connections).forEach(MemoryConnection::killed);
            connections.clear();
        }
    }

    boolean isDead() {
        return isDead;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Set<Guarantee> guarantees() {
        Set<Guarantee> guarantees = EnumSet.of(Guarantee.DURABLE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS);
        if (!fate.storesLate()) {
            guarantees.add(Guarantee.IMMEDIATE);
        }
        return guarantees;
    }

    @Override
    public Set<StartPosition.Kind> startPositions() {
        return EnumSet.allOf(StartPosition.Kind.class);
    }

    @Override
    public int maxPayload() {
        return maxPayload;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: gone with the last transport over these topics");
        properties.put("acknowledgement", "remembered at once");
        properties.put("batching", "one flush stores all committed frames, or none");
        properties.put("copies", "one at the commit of a claim that was not filled");
        properties.put("configuration", "max-payload=" + maxPayload);
        properties.put("version", "of the test kit");
        return properties;
    }

    @Override
    public synchronized Connection connect() {
        requireOpen();
        MemoryConnection connection = new MemoryConnection(this);
        connections.add(connection);
        return connection;
    }

    @Override
    public synchronized Set<String> createTopics(Collection<String> names) {
        requireOpen();
        return storage.create(names);
    }

    @Override
    public synchronized Set<String> topics() {
        requireOpen();
        return storage.names();
    }

    @Override
    public synchronized void deleteTopics(Collection<String> names) {
        requireOpen();
        storage.delete(names);
    }

    @Override
    public synchronized boolean forgetConsumer(String topic, String consumer) {
        requireOpen();
        return storage.topic(topic).forgetConsumer(consumer);
    }

    @Override
    public synchronized TopicInspector inspect(String topic) {
        requireOpen();
        return new MemoryInspector(storage.topic(topic));
    }

    synchronized void closed(MemoryConnection connection) {
        connections.remove(connection);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("this transport is closed");
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
    }
}
