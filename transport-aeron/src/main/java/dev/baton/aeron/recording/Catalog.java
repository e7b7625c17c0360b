package dev.baton.aeron.recording;

import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The topics and consumers in the catalog of an Archive: lists and deletes their recordings. Of two recordings with one name, as
 * two processes make that create a topic at the same moment, the older one counts. Each call waits for the Archive. Stateless.
 */
public final class Catalog {
    private static final String ALIAS = "alias=";

    /** The time that a replay may take to end after its reader has closed. */
    private static final long REPLAY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private Catalog() {}

    /** Returns all topics, by name. */
    public static TreeMap<String, RecordingDescriptor> topics(ArchiveSession session) {
        TreeMap<String, RecordingDescriptor> topics = new TreeMap<>();
        for (RecordingDescriptor each : list(session, RecordingDescriptor.topics(), RecordingDescriptor.TOPICS)) {
            topics.putIfAbsent(each.topic(), each);
        }
        return topics;
    }

    /** Returns a topic, and refuses a name that has none. */
    public static RecordingDescriptor topic(ArchiveSession session, String topic) {
        RecordingDescriptor found = oldest(session, RecordingDescriptor.topicAlias(topic), RecordingDescriptor.TOPICS);
        if (found == null) {
            throw new TransportException("there is no topic '" + topic + "'; create it first");
        }
        return found;
    }

    /** Returns the consumers of a topic, by name. */
    public static TreeMap<String, RecordingDescriptor> consumers(ArchiveSession session, String topic) {
        TreeMap<String, RecordingDescriptor> consumers = new TreeMap<>();
        for (RecordingDescriptor each :
                list(session, RecordingDescriptor.consumersOf(topic), RecordingDescriptor.CONSUMERS)) {
            consumers.putIfAbsent(each.consumer(), each);
        }
        return consumers;
    }

    /** Returns the oldest recording of an alias; null for none. */
    public static RecordingDescriptor oldest(ArchiveSession session, String alias, int stream) {
        List<RecordingDescriptor> all = list(session, alias, stream);
        return all.isEmpty() ? null : all.get(0);
    }

    /**
     * Returns all recordings whose alias has a prefix, the oldest first.
     *
     * @throws TransportException also when an entry has values that Aeron never writes
     */
    public static List<RecordingDescriptor> list(ArchiveSession session, String alias, int stream) {
        List<RecordingDescriptor> found = new ArrayList<>();
        try {
            session.call(
                    ArchiveSession.LISTING,
                    () -> session.archive()
                            .listRecordingsForUri(
                                    0,
                                    Integer.MAX_VALUE,
                                    ALIAS + alias,
                                    stream,
                                    (control,
                                            correlation,
                                            id,
                                            begun,
                                            ended,
                                            start,
                                            stop,
                                            initialTerm,
                                            segment,
                                            term,
                                            mtu,
                                            sessionId,
                                            streamId,
                                            stripped,
                                            channel,
                                            source) -> {
                                        String name = RecordingDescriptor.aliasOf(channel);
                                        if (name.startsWith(alias)) {
                                            found.add(new RecordingDescriptor(
                                                    name,
                                                    id,
                                                    begun,
                                                    start,
                                                    stop,
                                                    initialTerm,
                                                    segment,
                                                    term,
                                                    mtu,
                                                    sessionId,
                                                    streamId));
                                        }
                                    }));
        } catch (OutOfMemoryError tooLong) { // Aeron allocates the length of a text in an entry before it checks it
            throw ArchiveSession.refused(
                    ArchiveSession.LISTING, new IllegalStateException("the length of a text is damaged", tooLong));
        }
        for (RecordingDescriptor each : found) {
            String defect = each.defect();
            if (defect != null) {
                throw ArchiveSession.refused(ArchiveSession.LISTING, new IllegalStateException(defect));
            }
        }
        return found;
    }

    /** Returns the current entry of a recording; null when it was deleted. */
    public static RecordingDescriptor again(ArchiveSession session, RecordingDescriptor recording) {
        for (RecordingDescriptor each : list(session, recording.alias(), recording.streamId())) {
            if (each.id() == recording.id()) {
                return each;
            }
        }
        return null;
    }

    /** Returns the position up to which a recording goes now. */
    public static long end(ArchiveSession session, RecordingDescriptor recording) {
        long end = session.call(
                "ask for the end of a recording", () -> session.archive().getMaxRecordedPosition(recording.id()));
        return end == AeronArchive.NULL_POSITION ? recording.start() : end;
    }

    /** Deletes topics and the positions of their consumers, all or, when one is in use, none. Unknown names are ignored. */
    public static void delete(ArchiveSession session, Collection<String> names) {
        deletable(session, names).forEach(each -> purge(session, each.id(), each.what()));
    }

    /** Returns the recordings of topics, and refuses one that is in use. */
    public static List<RecordingDescriptor> deletable(ArchiveSession session, Collection<String> names) {
        List<RecordingDescriptor> deletable = new ArrayList<>();
        for (String name : new TreeSet<>(names)) {
            for (RecordingDescriptor each : allOf(session, name)) {
                if (each.isWritten()) {
                    throw new TransportException("topic '" + name + "' is in use and cannot be deleted: it has a live "
                            + (each.streamId() == RecordingDescriptor.CONSUMERS
                                    ? "reader of consumer '" + each.consumer() + "'"
                                    : "writer")
                            + "; close it first");
                }
                deletable.add(each);
            }
        }
        return deletable;
    }

    /**
     * Returns the recordings of a topic. The topic itself is the first: one that is inspected is refused before anything of it is
     * deleted. Then comes the record of its end: a topic of which a killed deletion leaves that one alone is refused as lost until
     * it is deleted again. Positions that are left have another identity than a topic that is created later.
     */
    private static List<RecordingDescriptor> allOf(ArchiveSession session, String name) {
        List<RecordingDescriptor> all =
                new ArrayList<>(list(session, RecordingDescriptor.topicAlias(name), RecordingDescriptor.TOPICS));
        all.addAll(list(session, RecordingDescriptor.endAlias(name), RecordingDescriptor.ENDS));
        all.addAll(list(session, RecordingDescriptor.consumersOf(name), RecordingDescriptor.CONSUMERS));
        return all;
    }

    /** Deletes a recording that has no writer, once it has no replay. */
    public static void purge(ArchiveSession session, long recording) {
        purge(session, recording, "a recording");
    }

    private static void purge(ArchiveSession session, long recording, String what) {
        long begun = System.nanoTime();
        while (true) {
            try {
                Interrupts.without(() -> session.archive().purgeRecording(recording));
                return;
            } catch (ArchiveException refused) {
                boolean isActive = refused.errorCode() == ArchiveException.ACTIVE_RECORDING;
                if (refused.errorCode() == ArchiveException.UNKNOWN_RECORDING) {
                    return; // deleted by another process meanwhile
                }
                if (!isActive || System.nanoTime() - begun > REPLAY_NANOS) {
                    throw isActive
                            ? new TransportException(
                                    what + " is in use and cannot be deleted: " + refused.getMessage(), refused)
                            : ArchiveSession.refused("delete " + what, refused);
                }
                session.awaitFor(1_000_000, () -> false);
            } catch (TransportException failed) {
                throw failed;
            } catch (RuntimeException failed) {
                throw ArchiveSession.refused("delete " + what, failed);
            }
        }
    }
}
