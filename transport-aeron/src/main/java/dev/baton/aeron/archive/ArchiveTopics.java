package dev.baton.aeron.archive;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.Copy;
import dev.baton.aeron.recording.RecordedPublication;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.Connection;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.agrona.BitUtil;

/**
 * The topics of an Archive: creates, lists and deletes them, and admits one writer to a topic and one reader to a consumer in this
 * process. Others are kept out by the Archive. Thread-safe.
 */
public final class ArchiveTopics {
    /** Larger batches gain nothing, and a reader on another host receives each fragment in as many packets. */
    private static final int USUAL_MTU = 8 << 10;

    /** The payload of an Ethernet packet. */
    private static final int LEAST_MTU = 1408;

    private final ArchiveOptions options;
    private final Set<Place> taken = new HashSet<>(); // guarded by this
    private boolean closed; // guarded by this

    /** The place of the one writer of a topic, or of the one reader of a consumer. */
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

    private ArchiveTopics(ArchiveOptions options) {
        this.options = options;
        ArchiveSession.connectAlone(options).close(); // reports a missing Archive before the first use
    }

    /**
     * Checks that the media driver and the Archive answer.
     *
     * @throws TransportException when the JVM lacks a flag, no driver runs there, or no Archive answers within the timeout
     */
    public static ArchiveTopics open(ArchiveOptions options) {
        return new ArchiveTopics(options);
    }

    /** Opens a connection for the calling thread, with a client of its own. */
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

    /** Creates topics, all or none, and returns those that did not exist. */
    public Set<String> create(Collection<String> names) {
        List<String> checked =
                names.stream().map(PartitionTopic::requirePortable).toList();
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
                copy(session, checked);
            } catch (RuntimeException failure) {
                try {
                    delete(session, created);
                } catch (RuntimeException atRemoval) {
                    failure.addSuppressed(atRemoval);
                }
                throw failure;
            }
            return created;
        });
    }

    /** Has the standby copy topics, if there is one. */
    private static void copy(ArchiveSession session, Collection<String> names) {
        if (session.standby() == null) {
            return;
        }
        Map<String, RecordingDescriptor> all = Catalog.topics(session);
        List<RecordingDescriptor> topics =
                names.stream().distinct().map(all::get).filter(Objects::nonNull).toList();
        for (RecordingDescriptor each : topics) {
            if (each.isEmpty()) { // from before there was a standby
                RecordedPublication written = RecordedPublication.extend(session, each, each.what(), false);
                written.pad();
                written.close();
            }
        }
        session.standby().copy(topics);
    }

    /** Returns the longest fragment of topics that are created, Aeron's header included. */
    private int mtu() {
        int wanted = Math.max(
                options.isRemote() ? LEAST_MTU : USUAL_MTU,
                FragmentLayout.logBytes(options.get(ArchiveOptions.MAX_PAYLOAD)));
        return Math.min(BitUtil.align(wanted, 32), FragmentLayout.mtu(options.get(ArchiveOptions.TERM_LENGTH)));
    }

    /**
     * Creates a topic. Of two processes that do so at the same moment, one deletes its own again.
     *
     * @return whether the topic is the one that was created here
     */
    private boolean create(ArchiveSession session, String name) {
        RecordedEnd.requireNone(session, name);
        String alias = RecordingDescriptor.topicAlias(name);
        RecordedPublication created = RecordedPublication.create(
                session, alias, RecordingDescriptor.TOPICS, options.get(ArchiveOptions.TERM_LENGTH), mtu());
        created.close();
        RecordingDescriptor oldest = Catalog.oldest(session, alias, RecordingDescriptor.TOPICS);
        if (oldest != null && oldest.id() != created.recordingId()) {
            Catalog.purge(session, created.recordingId());
            return false;
        }
        return true;
    }

    /** {@return the names of all topics} */
    public Set<String> names() {
        ensureOpen();
        try (ArchiveSession session = ArchiveSession.connectAlone(options)) {
            return Collections.unmodifiableSet(
                    new TreeSet<>(Catalog.topics(session).keySet()));
        }
    }

    /** Deletes topics, all or, when one of them is in use, none. */
    public void delete(Collection<String> names) {
        Collection<String> wanted = new TreeSet<>(names);
        synchronized (this) {
            for (Place place : taken) {
                if (wanted.contains(place.topic())) {
                    throw new TransportException("topic '" + place.topic() + "' is in use and cannot be deleted: "
                            + place + " is open in this process; close it first");
                }
            }
        }
        inSession(session -> {
            delete(session, wanted);
            return null;
        });
    }

    /** Deletes topics, their copies first: what is left by a failure in between is copied again. */
    private static void delete(ArchiveSession session, Collection<String> names) {
        if (session.standby() != null) {
            Catalog.deletable(session, names); // refuses a topic that is in use
            session.standby().delete(names);
        }
        Catalog.delete(session, names);
    }

    /** Deletes the positions of a consumer; false when the topic has none of this name. */
    public boolean forgetConsumer(String topic, String consumer) {
        Place place = Place.ofReader(topic, consumer);
        return inSession(session -> {
            RecordingDescriptor log = Catalog.topic(session, topic);
            take(place);
            try {
                RecordingDescriptor found = Catalog.oldest(
                        session,
                        RecordingDescriptor.consumerAlias(log.topic(), consumer),
                        RecordingDescriptor.CONSUMERS);
                if (found == null) {
                    return false;
                }
                Catalog.purge(
                        session,
                        RecordedPublication.awaitEnd(session, found, place.toString(), true)
                                .id());
                if (session.standby() != null) {
                    session.standby().forget(topic, consumer);
                }
            } finally {
                leave(place);
            }
            if (options.get(ArchiveOptions.RETENTION) == ArchiveOptions.Retention.UNREAD) {
                RecordedPosition.purgeSegments(session, topic);
            }
            return true;
        });
    }

    /** Opens an inspector with a client of its own. */
    public TopicInspector inspect(String topic) {
        ensureOpen();
        return ArchiveInspector.open(options, topic);
    }

    /**
     * Waits, with a client of its own, until a place is free and the standby has the topic to write, and refuses a place whose holder
     * is alive.
     */
    void awaitFree(Place place) {
        requireFree(place);
        inSession(session -> {
            RecordingDescriptor topic = Catalog.topic(session, place.topic());
            RecordingDescriptor recording = place.isWriter()
                    ? topic
                    : Catalog.oldest(
                            session,
                            RecordingDescriptor.consumerAlias(place.topic(), place.consumer()),
                            RecordingDescriptor.CONSUMERS);
            if (recording != null) {
                RecordedPublication.awaitEnd(session, recording, place.toString(), true);
            }
            if (place.isWriter()) {
                Copy.await(session, topic);
            }
            return null;
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

    /** Refuses further connections and administration; connections stay open. */
    public synchronized void close() {
        closed = true;
    }
}
