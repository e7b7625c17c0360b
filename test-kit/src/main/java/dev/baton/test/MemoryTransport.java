package dev.baton.test;

import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.test.memory.MemoryProcess;
import dev.baton.test.memory.MemoryStorage;
import dev.baton.test.memory.TransportFaults;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A transport for tests whose topics lie in the memory of this process and survive the chains over them as those of a durable transport
 * do. {@link #reopen} is the next process over the same topics. A flush is stored completely or not at all. Topics keep every frame, so
 * that only the heap limits them.
 *
 * <p>The testers run over it. It is public for tests that start a {@link dev.baton.Deployment} of their own, also on loops with
 * threads. Thread-safe.
 */
public final class MemoryTransport implements Transport {
    /** The longest payload unless another one is given, in bytes. */
    public static final int DEFAULT_MAX_PAYLOAD = 64 << 10;

    private final MemoryProcess process;

    MemoryTransport(MemoryProcess process) {
        this.process = process;
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
        return new MemoryTransport(
                new MemoryProcess(new MemoryStorage(), Environment.system(), TransportFaults.NONE, maxPayload));
    }

    /** {@return another transport over the same topics, as another process would open it} */
    public MemoryTransport reopen() {
        return new MemoryTransport(process.another());
    }

    /**
     * Ends everything that was opened through this transport, as {@code kill -9} ends a process: nothing is flushed, and the places of
     * its writers and readers are free. Later calls have no effect or throw a {@link dev.baton.spi.errors.TransportException}. Idempotent.
     */
    public void kill() {
        process.kill();
    }

    @Override
    public String name() {
        return MemoryProcess.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        Set<Guarantee> guarantees = EnumSet.of(Guarantee.DURABLE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS);
        if (process.storesAtOnce()) {
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
        return process.maxPayload();
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: gone with the last transport over these topics");
        properties.put("acknowledgement", "remembered at once");
        properties.put("batching", "one flush stores all committed frames, or none");
        properties.put("copies", "one at the commit of a claim that was not filled");
        properties.put("configuration", "max-payload=" + maxPayload());
        properties.put("version", "of the test kit");
        return properties;
    }

    @Override
    public Connection connect() {
        return process.connect();
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        return process.storage().create(names);
    }

    @Override
    public Set<String> topics() {
        return process.storage().names();
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        process.storage().delete(names);
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        return process.storage().topic(topic).forgetConsumer(consumer);
    }

    @Override
    public TopicInspector inspect(String topic) {
        return process.inspect(topic);
    }

    @Override
    public void close() {
        process.close();
    }
}
