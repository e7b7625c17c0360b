package dev.baton.aeron;

import dev.baton.spi.TransportException;
import io.aeron.archive.client.AeronArchive;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The topics and consumers that an Archive has, as its catalog lists them. Of two recordings with one name, as two processes
 * make that create a topic at the same moment, the older one counts. Each call waits for the Archive. Stateless.
 */
final class Catalog {
    private static final String ALIAS = "alias=";

    private Catalog() {}

    /** All topics, by name. */
    static TreeMap<String, Recording> topics(ArchiveSession session) {
        TreeMap<String, Recording> topics = new TreeMap<>();
        for (Recording each : list(session, Recording.topics(), Recording.TOPICS)) {
            topics.putIfAbsent(each.topic(), each);
        }
        return topics;
    }

    /** A topic that exists. */
    static Recording topic(ArchiveSession session, String topic) {
        Recording found = oldest(session, Recording.topicAlias(topic), Recording.TOPICS);
        if (found == null) {
            throw new TransportException("there is no topic '" + topic + "'; create it first");
        }
        return found;
    }

    /** The consumers of a topic, by name. */
    static TreeMap<String, Recording> consumers(ArchiveSession session, String topic) {
        TreeMap<String, Recording> consumers = new TreeMap<>();
        for (Recording each : list(session, Recording.consumersOf(topic), Recording.CONSUMERS)) {
            consumers.putIfAbsent(each.consumer(), each);
        }
        return consumers;
    }

    /** The oldest recording of an alias; null for none. */
    static Recording oldest(ArchiveSession session, String alias, int stream) {
        List<Recording> all = list(session, alias, stream);
        return all.isEmpty() ? null : all.get(0);
    }

    /** All recordings whose alias begins like this, the oldest first. */
    static List<Recording> list(ArchiveSession session, String alias, int stream) {
        List<Recording> found = new ArrayList<>();
        session.call(
                "list the recordings of the Archive",
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
                                    String name = Recording.aliasOf(channel);
                                    if (name.startsWith(alias)) {
                                        found.add(new Recording(
                                                name,
                                                id,
                                                begun,
                                                start,
                                                stop,
                                                initialTerm,
                                                segment,
                                                term,
                                                mtu,
                                                streamId));
                                    }
                                }));
        return found;
    }

    /** The same recording as it is now; null when it was deleted. */
    static Recording again(ArchiveSession session, Recording recording) {
        for (Recording each : list(session, recording.alias(), recording.streamId())) {
            if (each.id() == recording.id()) {
                return each;
            }
        }
        return null;
    }

    /** How far a recording goes now. */
    static long end(ArchiveSession session, Recording recording) {
        long end = session.call(
                "ask for the end of a recording", () -> session.archive().getMaxRecordedPosition(recording.id()));
        return end == AeronArchive.NULL_POSITION ? recording.start() : end;
    }
}
