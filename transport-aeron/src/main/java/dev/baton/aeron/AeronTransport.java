package dev.baton.aeron;

import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.DriverCounters;
import dev.baton.aeron.ipc.IpcTopics;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A transport in shared memory: topics are streams of Aeron IPC. An embedded media driver has no threads: it runs when a writer
 * needs room and when something is opened or closed, and topics exist until they are deleted or the transport is closed.
 *
 * <p>With a running media driver ({@link AeronOptions#DRIVER}) all processes share the topics that use it, and these exist until
 * they are deleted or the driver ends. Some connection must have its turns more often than that driver's client liveness timeout,
 * 10 s by default, as long as a writer or reader is open.
 *
 * <p>A frame
 * is copied once, from the batch into the log, and read in place. Deleting a topic that a connection uses is refused with a
 * {@link TransportException}. Thread-safe.
 */
public final class AeronTransport implements Transport {
    private final AeronOptions options;
    private final IpcTopics topics;

    private AeronTransport(AeronOptions options) {
        this.options = Objects.requireNonNull(options, "options");
        topics = new IpcTopics(options);
    }

    /** Returns the guarantees with an embedded or a running media driver. */
    static Set<Guarantee> guarantees(boolean isShared) {
        return isShared
                ? Set.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS)
                : Set.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE);
    }

    /**
     * {@return a transport without topics, with the default options}
     *
     * @throws TransportException as {@link #open(AeronOptions)}
     */
    public static AeronTransport open() {
        return open(AeronOptions.defaults());
    }

    /**
     * {@return a transport without topics}
     *
     * @param options of all its topics
     * @throws TransportException when the JVM lacks a flag, the embedded driver's directory cannot be made, or no driver runs in
     *     the directory of the options
     */
    public static AeronTransport open(AeronOptions options) {
        return new AeronTransport(options);
    }

    @Override
    public String name() {
        return AeronProvider.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return guarantees(options.get(AeronOptions.DRIVER) != null);
    }

    @Override
    public int maxPayload() {
        return options.get(AeronOptions.MAX_PAYLOAD);
    }

    @Override
    public Map<String, String> properties() {
        boolean isShared = options.get(AeronOptions.DRIVER) != null;
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(
                "durability", "memory only: gone when the " + (isShared ? "media driver ends" : "transport is closed"));
        properties.put(
                "acknowledgement",
                "frees the log; kept while the " + (isShared ? "media driver runs" : "transport is open"));
        properties.put("batching", "one flush writes all committed frames, as many into one fragment as it holds");
        properties.put("copies", "one: from the batch into the log; frames are read in place");
        properties.put(
                "configuration",
                options + ", " + options.topicBytes() + " bytes of shared memory per topic in "
                        + (isShared ? "the directory of the media driver" : options.get(AeronOptions.DIRECTORY)) + ", "
                        + topics.driverText());
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

    @Override
    public Map<String, Long> counters() {
        Path driver = options.get(AeronOptions.DRIVER);
        return driver == null ? Map.of() : DriverCounters.of(driver);
    }

    /** Closes the driver once the last connection is closed; until then its logs stay mapped. */
    @Override
    public void close() {
        topics.close();
    }
}
