package dev.baton.aeron;

import dev.baton.aeron.archive.ArchiveTopics;
import dev.baton.aeron.archive.RecordedPosition;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.DriverCounters;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A transport over Aeron Archive: topics are recordings. They survive processes, and writers and readers may be in different
 * processes and on different hosts. The media driver and the Archive are programs of their own, which this transport connects to.
 *
 * <p>A topic is a recording, found by its name in the Archive's catalog. A writer extends it, which the Archive allows to one at
 * a time; readers have it replayed, and so see nothing that is not recorded. The positions that a consumer acknowledges are a
 * recording too. Each connection is a client of the driver, without a thread: it must have its turns more often than the driver's
 * client liveness timeout, 10 s by default. Thread-safe.
 */
public final class ArchiveTransport implements Transport {
    static final Set<Guarantee> GUARANTEES = Collections.unmodifiableSet(
            EnumSet.of(Guarantee.DURABLE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS, Guarantee.CROSS_HOST));

    private final ArchiveOptions options;
    private final ArchiveTopics topics;

    private ArchiveTransport(ArchiveOptions options) {
        this.options = Objects.requireNonNull(options, "options");
        topics = ArchiveTopics.open(options);
    }

    /**
     * Opens a transport over a running media driver and Archive.
     *
     * @param options where they are, and how topics are made
     * @return the transport
     * @throws TransportException when the JVM lacks a flag, no driver runs there, or no Archive answers within the timeout
     */
    public static ArchiveTransport open(ArchiveOptions options) {
        return new ArchiveTransport(options);
    }

    @Override
    public String name() {
        return ArchiveProvider.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return GUARANTEES;
    }

    @Override
    public int maxPayload() {
        return options.get(ArchiveOptions.MAX_PAYLOAD);
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(
                "durability",
                (options.hasStandby()
                                ? "replicated: recorded by the Archive and its standby, survives the loss of either host"
                                : "process: recorded by the Archive, survives every process")
                        + "; the loss of power as far as the Archive's own file sync level says (0 unless set: the page"
                        + " cache)");
        properties.put(
                "acknowledgement",
                "recorded every " + RecordedPosition.STORE_MILLIS + " ms and at close; what a killed process"
                        + " acknowledged since comes again");
        properties.put("batching", "one flush writes all committed frames, as many into one fragment as it holds");
        properties.put(
                "copies",
                "two: from the batch into the log, into the recording; frames are read in place. A replay, for a reader that"
                        + " is behind or elsewhere, is a third");
        properties.put("configuration", options.toString());
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
    public Set<StartPosition.Kind> startPositions() {
        return EnumSet.allOf(StartPosition.Kind.class);
    }

    @Override
    public TopicInspector inspect(String topic) {
        return topics.inspect(topic);
    }

    @Override
    public Map<String, Long> counters() {
        return DriverCounters.of(options.get(ArchiveOptions.DRIVER));
    }

    /** Leaves connections open: each has a client of its own. */
    @Override
    public void close() {
        topics.close();
    }
}
