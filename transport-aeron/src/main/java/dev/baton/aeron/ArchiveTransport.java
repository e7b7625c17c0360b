package dev.baton.aeron;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.OccupiedException;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicName;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Carries topics over Aeron as recordings of an Aeron Archive: they survive processes, and writers and readers may be in different
 * processes and on different hosts. The media driver and the Archive are programs of their own, which this transport
 * connects to.
 *
 * <p>A topic is a recording, found by its name in the Archive's catalog. A writer extends it, which the Archive allows to one at a
 * time; readers have it replayed, and so see nothing that is not recorded. What a consumer has acknowledged is a recording
 * too. Each connection is a client of the driver, without a thread: it has to have its turns more often than the driver's client
 * liveness timeout, 10 s by default. Thread-safe.
 */
public final class ArchiveTransport implements Transport {
    static final Set<Guarantee> GUARANTEES = Collections.unmodifiableSet(
            EnumSet.of(Guarantee.DURABLE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS, Guarantee.CROSS_HOST));

    private final ArchiveOptions options;
    private final Set<Place> taken = new HashSet<>(); // guarded by this
    private boolean closed; // guarded by this

    /** What one can be at a time: the writer of a topic, or the reader of a consumer. */
    record Place(String topic, String consumer) {
        static Place ofWriter(String topic) {
            return new Place(topic, null);
        }

        static Place ofReader(String topic, String consumer) {
            return new Place(topic, Objects.requireNonNull(consumer, "consumer"));
        }

        boolean isWriter() {
            return consumer == null;
        }

        @Override
        public String toString() {
            return isWriter() ? "topic '" + topic + "'" : "consumer '" + consumer + "' of topic '" + topic + "'";
        }
    }

    private ArchiveTransport(ArchiveOptions options) {
        this.options = options;
        ArchiveSession.connect(options).close(); // or the first to use it is the first to know
    }

    /**
     * Opens a transport over a running media driver and Archive.
     *
     * @param options where they are, and how topics are made
     * @return the transport
     * @throws TransportException when the JVM lacks a flag, no driver runs there, or no Archive answers within the timeout
     */
    public static ArchiveTransport open(ArchiveOptions options) {
        return new ArchiveTransport(Objects.requireNonNull(options, "options"));
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
        return options.maxPayload();
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(
                "durability",
                "recorded by the Archive: survives every process that uses the topic, and the machine as far as the"
                        + " Archive's own file sync level says (0 unless set: the page cache)");
        properties.put(
                "acknowledgement",
                "recorded every " + ConsumerPosition.STORE_MILLIS + " ms and at close; what a killed process"
                        + " acknowledged since comes again");
        properties.put("batching", "one flush writes all committed frames, as many into one fragment as it holds");
        properties.put(
                "copies",
                "three: from the batch into the log, into the recording, into the replay; read in place there");
        properties.put("configuration", options.text());
        properties.put("version", "Aeron " + AeronProvider.LIBRARY_VERSION);
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public Connection connect() {
        ensureOpen();
        return new ArchiveConnection(this, ArchiveSession.connect(options));
    }

    private <T> T inSession(Function<ArchiveSession, T> task) {
        ensureOpen();
        try (ArchiveSession session = ArchiveSession.connect(options)) {
            return task.apply(session);
        }
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        List<String> checked = names.stream().map(TopicName::checked).toList();
        return inSession(session -> {
            Set<String> known = Catalog.topics(session).keySet();
            PartitionTopic.requireSameCounts(checked, known::contains);
            Set<String> created = new TreeSet<>();
            try {
                for (String name : PartitionTopic.inOrderOfCreation(new TreeSet<>(checked))) {
                    if (!known.contains(name) && create(session, name)) {
                        created.add(name);
                    }
                }
            } catch (RuntimeException failure) {
                try {
                    Deletion.delete(session, created);
                } catch (RuntimeException atRemoval) {
                    failure.addSuppressed(atRemoval);
                }
                throw failure;
            }
            return created;
        });
    }

    /**
     * Creates a topic. Of two processes that do so at the same moment, one deletes its own again.
     *
     * @return whether the topic is the one that was created here
     */
    private boolean create(ArchiveSession session, String name) {
        String alias = Recording.topicAlias(name);
        RecordedPublication created =
                RecordedPublication.create(session, alias, Recording.TOPICS, options.termLength(), options.mtu());
        created.close();
        Recording oldest = Catalog.oldest(session, alias, Recording.TOPICS);
        if (oldest != null && oldest.id() != created.recordingId()) {
            Deletion.purge(session, created.recordingId());
            return false;
        }
        return true;
    }

    @Override
    public Set<String> topics() {
        return inSession(session -> Collections.unmodifiableSet(
                new TreeSet<>(Catalog.topics(session).keySet())));
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        Collection<String> wanted = new TreeSet<>(names);
        synchronized (this) {
            for (Place place : taken) {
                if (wanted.contains(place.topic())) {
                    throw new TransportException("topic '" + place.topic() + "' is in use and cannot be deleted: "
                            + place + " is open in this process");
                }
            }
        }
        inSession(session -> {
            Deletion.delete(session, wanted);
            return null;
        });
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        Place place = Place.ofReader(topic, consumer);
        return inSession(session -> {
            Recording log = Catalog.topic(session, topic);
            take(place);
            try {
                Recording found =
                        Catalog.oldest(session, Recording.consumerAlias(log.topic(), consumer), Recording.CONSUMERS);
                if (found == null) {
                    return false;
                }
                Deletion.purge(
                        session,
                        RecordedPublication.awaitEnd(session, found, place.toString(), true)
                                .id());
            } finally {
                leave(place);
            }
            if (options.retention() == ArchiveOptions.Retention.UNREAD) {
                Retained.purge(session, topic);
            }
            return true;
        });
    }

    @Override
    public Set<StartPosition.Kind> startPositions() {
        return EnumSet.allOf(StartPosition.Kind.class);
    }

    @Override
    public TopicInspector inspect(String topic) {
        ensureOpen();
        return ArchiveInspector.open(options, topic);
    }

    /** Waits, with a client of its own, until nobody has a place, or who has it is known to live. */
    void awaitFree(Place place) {
        requireFree(place);
        inSession(session -> {
            Recording topic = Catalog.topic(session, place.topic());
            Recording recording = place.isWriter()
                    ? topic
                    : Catalog.oldest(
                            session, Recording.consumerAlias(place.topic(), place.consumer()), Recording.CONSUMERS);
            return recording == null ? null : RecordedPublication.awaitEnd(session, recording, place.toString(), true);
        });
    }

    /** Takes a place in this process; others are kept out by the Archive. */
    synchronized void take(Place place) {
        requireFree(place);
        taken.add(place);
    }

    private synchronized void requireFree(Place place) {
        if (taken.contains(place)) {
            throw new OccupiedException(place + " has a live " + (place.isWriter() ? "writer" : "reader")
                    + " in this process; close that one first");
        }
    }

    synchronized void leave(Place place) {
        taken.remove(place);
    }

    private synchronized void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this transport is closed");
        }
    }

    /** Connections stay as they are: each has a client of its own. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
