package dev.baton.aeron;

import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.udp.UdpTopics;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A transport between processes and hosts without a store: topics are streams of Aeron over UDP, by unicast or to several
 * destinations, and exist in the memory of one process, which writes them. A transport has one address: a service that reads from one
 * host and writes to another uses two transports.
 *
 * <p>The writer's process keeps the frames that a known consumer has not acknowledged, and refuses the writer when they fill its
 * window. Readers are in that process or in others ({@link UdpOptions#ROLE}); each receives every frame from its position on, or a
 * {@link TransportException} that names the sequences that it cannot have: those that a consumer missed that had no reader for longer
 * than {@link UdpOptions#CONSUMER_TIMEOUT}, and those of a writer's process that has ended.
 *
 * <p>In a process that reads, {@link #createTopics} only declares topics. Opening a reader there waits for the writer's
 * process and for the topic. A transport has a thread for requests of other processes and one for its client; an embedded media
 * driver has another one. If a running driver ends, the transport has to be opened again. Thread-safe.
 */
public final class UdpTransport implements Transport {
    /** The guarantees of all transports of this kind; one process writes all topics, so no chain crosses processes. */
    static final Set<Guarantee> GUARANTEES = Set.of(Guarantee.EXCLUSIVE, Guarantee.CROSS_HOST);

    private final UdpOptions options;
    private final UdpTopics topics;

    private UdpTransport(UdpOptions options) {
        this.options = options;
        topics = new UdpTopics(options);
    }

    /**
     * {@return a transport without topics}
     *
     * @param options of all its topics
     * @throws OccupiedException when another process writes at its address
     * @throws TransportException when the JVM lacks a flag, the embedded driver cannot start, or no driver runs in the directory of
     *     the options
     */
    public static UdpTransport open(UdpOptions options) {
        return new UdpTransport(options);
    }

    @Override
    public String name() {
        return UdpProvider.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return GUARANTEES;
    }

    @Override
    public int maxPayload() {
        return options.get(UdpOptions.MAX_PAYLOAD);
    }

    @Override
    public Set<StartPosition.Kind> startPositions() {
        return UdpTopics.START_POSITIONS;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: gone when the process that writes ends");
        properties.put("acknowledgement", "frees the window; kept while the process that writes runs");
        properties.put(
                "batching",
                "one flush writes all committed frames, as many into one datagram of " + options.mtu()
                        + " bytes as it holds");
        properties.put("copies", "two at the writer, into its window and into the log; frames are read in place");
        properties.put("configuration", options + ", " + topics.driverText());
        properties.put("version", "Aeron " + DriverClient.LIBRARY_VERSION);
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public Connection connect() {
        return topics.connect();
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        return topics.create(names);
    }

    @Override
    public Set<String> topics() {
        return topics.names();
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        topics.delete(names);
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        return topics.forgetConsumer(topic, consumer);
    }

    /** Closes client and driver once the last connection is closed. */
    @Override
    public void close() {
        topics.close();
    }
}
