package dev.baton.broken.heap;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A small transport in memory that keeps the contract, made to be broken: each defect overrides what it breaks.
 * Thread-safe.
 */
public class HeapTransport implements Transport {
    public static final int MAX_PAYLOAD = 100;

    public final Map<String, HeapTopic> topics; // guarded by this
    public boolean isClosed; // guarded by this

    public HeapTransport() {
        this(new TreeMap<>());
    }

    public HeapTransport(Map<String, HeapTopic> topics) {
        this.topics = topics;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE);
    }

    @Override
    public Set<StartPosition.Kind> startPositions() {
        return EnumSet.allOf(StartPosition.Kind.class);
    }

    @Override
    public int maxPayload() {
        return MAX_PAYLOAD;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of(
                "durability", "memory only",
                "acknowledgement", "frees slots at once",
                "batching", "one flush publishes all committed frames",
                "copies", "none",
                "configuration", HeapProvider.MAX_PAYLOAD + "=" + MAX_PAYLOAD,
                "version", "of the tests");
    }

    @Override
    public synchronized Connection connect() {
        requireOpen();
        return newConnection();
    }

    public void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("this transport is closed");
        }
    }

    public HeapConnection newConnection() {
        return new HeapConnection(this);
    }

    public HeapTopic newTopic(String name) {
        return new HeapTopic(name);
    }

    public HeapWriter newWriter(HeapTopic topic, String topology) {
        return new HeapWriter(topic, topology);
    }

    public HeapReader newReader(HeapTopic topic, String consumer) {
        return new HeapReader(topic, consumer);
    }

    @Override
    public synchronized Set<String> createTopics(Collection<String> names) {
        for (String name : names) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("'" + name + "' is no name of a topic");
            }
        }
        PartitionTopic.requireSameCounts(names, topics::containsKey);
        Set<String> created = new TreeSet<>(names);
        created.removeAll(topics.keySet());
        created.forEach(name -> topics.put(name, newTopic(name)));
        return created;
    }

    @Override
    public synchronized Set<String> topics() {
        return new TreeSet<>(topics.keySet());
    }

    @Override
    public synchronized void deleteTopics(Collection<String> names) {
        for (String name : names) {
            if (topics.containsKey(name)) {
                topics.get(name).requireUnused();
            }
        }
        names.forEach(topics::remove);
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        return topic(topic).forgetConsumer(consumer);
    }

    public synchronized HeapTopic topic(String name) {
        HeapTopic topic = topics.get(name);
        if (topic == null) {
            throw new TransportException("there is no topic '" + name + "'; create it first");
        }
        return topic;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
    }
}
