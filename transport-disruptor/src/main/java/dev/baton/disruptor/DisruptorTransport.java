package dev.baton.disruptor;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A transport whose topics are in the memory of this process, one {@link SlottedRing} each.
 *
 * <p>A topic and its frames last until it is deleted or the transport is closed, independently of connections. A frame
 * is written and read in place: between the writer's commit and the reader's handler nothing is copied and no thread
 * waits. Deleting a topic that a connection uses is refused with a {@link TransportException}. Thread-safe.
 */
public final class DisruptorTransport implements Transport {
    static final Set<Guarantee> GUARANTEES = Set.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE);

    private final DisruptorOptions options;
    private final Map<String, SlottedRing> rings = new TreeMap<>(); // guarded by this
    private boolean closed; // guarded by this

    private DisruptorTransport(DisruptorOptions options) {
        this.options = Objects.requireNonNull(options, "options");
    }

    /** {@return a transport with the default options} */
    public static DisruptorTransport create() {
        return create(DisruptorOptions.defaults());
    }

    /**
     * {@return a transport without topics}
     *
     * @param options of all its topics
     */
    public static DisruptorTransport create(DisruptorOptions options) {
        return new DisruptorTransport(options);
    }

    @Override
    public String name() {
        return DisruptorProvider.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return GUARANTEES;
    }

    /**
     * Returns all kinds but that by time: frames have no stamps of a wall clock that would outlive the process, and a
     * ring is soon read through.
     */
    @Override
    public Set<StartPosition.Kind> startPositions() {
        return EnumSet.complementOf(EnumSet.of(StartPosition.Kind.TIME));
    }

    @Override
    public int maxPayload() {
        return options.get(DisruptorOptions.MAX_PAYLOAD);
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: gone when the transport is closed");
        properties.put("acknowledgement", "frees the slot of a message; messages exist in memory only");
        properties.put("batching", "one flush publishes all committed frames with one release store");
        properties.put("copies", "none: frames are written and read in place");
        properties.put("configuration", options + ", " + options.ringBytes() + " bytes of direct memory per topic");
        properties.put("version", "LMAX Disruptor " + DisruptorProvider.LIBRARY_VERSION);
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public synchronized Connection connect() {
        ensureOpen();
        return new RingConnection(this);
    }

    @Override
    public synchronized Set<String> createTopics(Collection<String> names) {
        ensureOpen();
        List<String> checked =
                names.stream().map(PartitionTopic::requirePortable).toList();
        PartitionTopic.requireSameCounts(checked, rings::containsKey);
        Set<String> created = new TreeSet<>(checked);
        created.removeAll(rings.keySet());
        Map<String, SlottedRing> made = new TreeMap<>();
        created.forEach(
                name -> made.put(name, new SlottedRing(name, options.get(DisruptorOptions.SLOTS), maxPayload())));
        rings.putAll(made); // all of them: the last one may have found no memory
        return created;
    }

    @Override
    public synchronized Set<String> topics() {
        ensureOpen();
        return Collections.unmodifiableSet(new TreeSet<>(rings.keySet()));
    }

    @Override
    public synchronized void deleteTopics(Collection<String> names) {
        ensureOpen();
        List<SlottedRing> deleted = names.stream()
                .map(rings::get)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        SlottedRing.retire(deleted);
        deleted.forEach(ring -> rings.remove(ring.topic));
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        return ring(topic).forgetConsumer(consumer);
    }

    @Override
    public synchronized void close() {
        closed = true;
        rings.clear();
    }

    /** Returns the ring of a topic that exists. */
    synchronized SlottedRing ring(String topic) {
        ensureOpen();
        SlottedRing ring = rings.get(topic);
        if (ring == null) {
            throw new TransportException("there is no topic '" + topic + "'; create it first");
        }
        return ring;
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this transport is closed");
        }
    }
}
