package dev.baton.aeron.archive;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.TransportException;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;

/**
 * Deletes the files of a topic that no known consumer needs. A topic without consumers keeps everything. Stateless.
 */
final class Retained {
    private Retained() {}

    /** Position of the segment in which a position lies. */
    static long segmentOf(RecordingDescriptor topic, long position) {
        return AeronArchive.segmentFileBasePosition(topic.start(), position, topic.termLength(), topic.segmentLength());
    }

    /** Deletes the segments before what the slowest consumer needs. Waits for the Archive, a replay for each consumer. */
    static void purge(ArchiveSession session, String name) {
        RecordingDescriptor topic = Catalog.topic(session, name);
        long needed = Long.MAX_VALUE;
        for (RecordingDescriptor consumer : Catalog.consumers(session, name).values()) {
            if (ObservingConsumer.isObserving(consumer.consumer())) {
                continue;
            }
            RecordedPosition.Stored stored = RecordedPosition.newest(session, consumer, Catalog.end(session, consumer));
            boolean isOfThisTopic = stored != null && stored.identity() == topic.identity();
            if (isOfThisTopic) {
                needed = Math.min(needed, stored.position());
            } else if (consumer.isWritten()) { // it is being opened, and has not stored where it begins
                needed = topic.start();
            }
        }
        if (needed == Long.MAX_VALUE) {
            return;
        }
        long end = Catalog.end(session, topic); // the newest fragment stays: the next writer reads it
        long base = segmentOf(topic, Math.max(topic.start(), Math.min(needed, end - 1)));
        if (base <= segmentOf(topic, topic.start())) {
            return;
        }
        try {
            session.archive().purgeSegments(topic.id(), base);
        } catch (ArchiveException replayed) {
            // by somebody who looks at older frames; the next call comes when the next segment is read
        } catch (TransportException told) {
            throw told;
        } catch (RuntimeException failed) {
            throw ArchiveSession.refused("delete what was read of topic '" + name + "'", failed);
        }
    }
}
