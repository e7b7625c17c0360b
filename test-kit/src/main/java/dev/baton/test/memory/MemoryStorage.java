package dev.baton.test.memory;

import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** The topics that transports in memory share, as processes share a disk. Thread-safe. */
public final class MemoryStorage {
    private static final long IDENTITY_STEP = 1_000_003;

    private final Map<String, MemoryTopic> topics = new TreeMap<>();
    private final AtomicLong identities = new AtomicLong();

    /** Starts without topics. */
    public MemoryStorage() {}

    /** Creates the topics that do not exist, and returns their names. */
    public synchronized Set<String> create(Collection<String> names) {
        for (String name : names) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("topic name '" + name + "' must not be blank");
            }
        }
        PartitionTopic.requireSameCounts(names, topics::containsKey);
        Set<String> created = new TreeSet<>(names);
        created.removeAll(topics.keySet());
        created.forEach(name -> topics.put(name, new MemoryTopic(name, identities.addAndGet(IDENTITY_STEP))));
        return created;
    }

    /** {@return a topic}
     *
     * @throws TransportException for one that does not exist
     */
    public synchronized MemoryTopic topic(String name) {
        MemoryTopic topic = topics.get(name);
        if (topic == null) {
            throw new TransportException("there is no topic '" + name + "'; create it first");
        }
        return topic;
    }

    /** {@return the names of all topics, sorted} */
    public synchronized Set<String> names() {
        return new TreeSet<>(topics.keySet());
    }

    /** Deletes topics that nobody uses; unknown names are ignored. */
    public synchronized void delete(Collection<String> names) {
        List<MemoryTopic> deleted =
                names.stream().map(topics::get).filter(Objects::nonNull).toList();
        for (MemoryTopic topic : deleted) {
            if (topic.isInUse()) {
                throw new TransportException("topic '" + topic.name + "' is in use and cannot be deleted");
            }
        }
        deleted.forEach(topic -> topics.remove(topic.name));
    }
}
