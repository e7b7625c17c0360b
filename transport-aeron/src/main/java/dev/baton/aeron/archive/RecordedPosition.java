package dev.baton.aeron.archive;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.Copy;
import dev.baton.aeron.recording.RecordedPublication;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import io.aeron.archive.client.ArchiveException;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The stored position of a consumer, or the stored end of a topic: a recording of its own, to which each new position is appended and in which the newest one
 * counts. All fragments have one length, so that the newest one is found at the end. While it is open it excludes another reader
 * of the consumer.
 *
 * <pre>
 * little endian
 *  0  identity  8  of the topic that it was; positions of one that was deleted do not count
 *  8  sequence  8  of the newest frame acknowledged
 * 16  position  8  in the topic's log, before which nothing is needed any more; of an end: the boot that stored it
 * 24  format    4  {@value #FORMAT}
 * 28  checksum  4  CRC32C of the bytes before
 * 32  the same once more
 * 64  the same once more
 * </pre>
 *
 * <p>A position counts if one of its copies agrees with its checksum. If none does, the one before it counts. With three copies a
 * fragment has 128 bytes, so that none lies in two pages: an Archive that was not synced does not start over a newest fragment in
 * two pages, and its tool cuts that fragment off.
 *
 * <p>A process that is killed loses the acknowledgements of the last {@value #STORE_MILLIS} ms: those frames are delivered again.
 * Confined to its session's thread.
 */
public final class RecordedPosition {
    /** The least time between two stored positions. */
    public static final int STORE_MILLIS = 10;

    /** A stored position: the topic, the sequence acknowledged, and the log position of the first fragment needed. */
    record Stored(long identity, long sequence, long position) {}

    private static final int FORMAT = 3;
    private static final int COPY = 32;
    private static final int CHECKSUM_AT = 28;
    private static final int BYTES = 3 * COPY;
    private static final int FRAGMENT = DataHeaderFlyweight.HEADER_LENGTH + BYTES;
    private static final int TERM = AeronOptions.LEAST_TERM;
    private static final int MTU = 1408;
    private static final long STORE_NANOS = STORE_MILLIS * 1_000_000L;

    private final ArchiveSession session;
    private final RecordedPublication publication;
    private final RecordingDescriptor recording;
    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(BYTES));
    private final ByteBuffer memory = record.byteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C checksum = new CRC32C();
    private final Copy copy;
    private final Stored atOpen; // null for none
    private final long identity;
    private final boolean isCreated; // by this opening

    private long sequence;
    private long position;
    private boolean isNew; // differs from what is stored
    private long storedNanos = System.nanoTime();
    private long purgedTo;

    private RecordedPosition(
            ArchiveSession session,
            RecordingDescriptor recording,
            RecordedPublication publication,
            Stored atOpen,
            long identity,
            boolean isCreated) {
        this.session = session;
        this.recording = recording;
        copy = Copy.ofWriter(session, recording);
        this.publication = publication;
        this.atOpen = atOpen;
        this.identity = identity;
        this.isCreated = isCreated;
        purgedTo = publication.publication().position();
    }

    /**
     * Opens the position of a topic's consumer, or creates it.
     *
     * @param waits whether it may wait for a reader that was killed
     * @throws OccupiedException when the consumer has a live reader
     */
    static RecordedPosition open(ArchiveSession session, RecordingDescriptor topic, String consumer, boolean waits) {
        return open(
                session,
                topic,
                RecordingDescriptor.consumerAlias(topic.topic(), consumer),
                RecordingDescriptor.CONSUMERS,
                waits);
    }

    /**
     * Opens the recording of a topic's positions with an alias, or creates it.
     *
     * @param waits whether it may wait for a holder that was killed
     * @throws OccupiedException when it has a live holder
     */
    static RecordedPosition open(
            ArchiveSession session, RecordingDescriptor topic, String alias, int stream, boolean waits) {
        RecordingDescriptor found = Catalog.oldest(session, alias, stream);
        boolean isCreated = found == null;
        RecordedPublication publication = isCreated
                ? RecordedPublication.create(session, alias, stream, TERM, MTU)
                : RecordedPublication.extend(session, found, found.what(), waits);
        try {
            if (isCreated) {
                found = Catalog.oldest(session, alias, stream);
                if (found == null || found.id() != publication.recordingId()) { // another process has created one first
                    throw new OccupiedException(
                            (found == null ? alias : found.what()) + " is being opened by another process; try again");
                }
            }
            Stored stored = isCreated
                    ? null
                    : newest(session, found, publication.publication().position());
            return new RecordedPosition(session, found, publication, stored, topic.identity(), isCreated);
        } catch (RuntimeException | Error failed) { // an Error for example without direct memory
            CloseHelper.quietClose(publication::close);
            if (isCreated && session.isAlive()) {
                Catalog.purge(session, publication.recordingId());
            }
            throw failed;
        }
    }

    /** Returns the newest position in a recording before an end; null for none. */
    static Stored newest(ArchiveSession session, RecordingDescriptor recording, long end) {
        Stored[] stored = {null};
        boolean[] isDamaged = {false};
        RecordingReplay.Fragments keep = (memory, at, length, next) -> {
            Stored found = length == BYTES ? decode(memory, at) : null;
            stored[0] = found == null ? stored[0] : found;
            isDamaged[0] |= found == null;
            return true;
        };
        // at the end of a term, padding may precede the end: a copied recording begins with padding
        if (recording.termOf(end) != end) {
            RecordingReplay.scan(session, recording, Math.max(recording.start(), end - FRAGMENT), end, keep);
        }
        // a reader that was killed while it claimed a position leaves padding at the end
        for (long to = end; stored[0] == null && to > recording.start(); to = recording.termOf(to - 1)) {
            RecordingReplay.scan(session, recording, recording.termOf(to - 1), to, keep);
        }
        if (stored[0] == null && isDamaged[0]) {
            throw new DamagedTopicException(
                    "the positions of " + recording.what() + " are damaged in recording " + recording.id()
                            + ": none agrees with its checksum; restore the recordings of the Archive, or "
                            + (recording.streamId() == RecordingDescriptor.CONSUMERS
                                    ? "forget the consumer, which then starts at the oldest frame left"
                                    : "delete the topic"),
                    true);
        }
        return stored[0];
    }

    /** Returns the position in a fragment; null when it is damaged. */
    private static Stored decode(ByteBuffer memory, int fragment) {
        for (int at = fragment; at < fragment + BYTES; at += COPY) {
            if (memory.getInt(at + CHECKSUM_AT) == checksum(memory, at)) {
                return new Stored(memory.getLong(at), memory.getLong(at + 8), memory.getLong(at + 16));
            }
        }
        return null;
    }

    private static int checksum(ByteBuffer memory, int at) {
        CRC32C crc = new CRC32C();
        crc.update(memory.duplicate().limit(at + CHECKSUM_AT).position(at));
        return (int) crc.getValue();
    }

    /** Returns the position in this topic that was stored before this opening; null for a consumer that is new to it. */
    Stored atOpen() {
        return atOpen == null || atOpen.identity != identity ? null : atOpen;
    }

    /** Returns the position that was stored before this opening, in this topic or in one with its name; null for none. */
    Stored atOpenOfAnyTopic() {
        return atOpen;
    }

    /** Moves the consumer; the position is stored later. */
    void moveTo(long newSequence, long newPosition) {
        sequence = newSequence;
        position = newPosition;
        isNew = true;
    }

    /** Stores a new position when it is due. */
    void work(long nowNanos) {
        if (isNew && nowNanos - storedNanos >= STORE_NANOS) {
            storedNanos = nowNanos;
            store();
            purge();
        }
        publication.work(nowNanos);
        copy.work(nowNanos, publication.publication().position());
    }

    /** Stores a new position, unless the Archive is behind. */
    private void store() {
        memory.putLong(0, identity);
        memory.putLong(8, sequence);
        memory.putLong(16, position);
        memory.putInt(24, FORMAT);
        checksum.reset();
        checksum.update(memory.limit(CHECKSUM_AT).position(0));
        memory.clear().putInt(CHECKSUM_AT, (int) checksum.getValue());
        memory.put(COPY, memory, 0, COPY).put(2 * COPY, memory, 0, COPY);
        isNew = !publication.offer(record, BYTES);
    }

    /** Stores a new position, and waits for a limited time until it is recorded. */
    void storeNow() {
        session.awaitFor(STORE_NANOS * 100, () -> {
            if (isNew) {
                store();
            }
            publication.work(System.nanoTime());
            return !isNew && publication.recorded() >= publication.publication().position();
        });
    }

    long recordingId() {
        return recording.id();
    }

    /** Returns whether positions are still stored, as far as is known. */
    boolean isStored() {
        return publication.isRecorded();
    }

    /** Returns why the standby has no newer positions, although there are; null while it gets them. Allocates nothing then. */
    String stalled() {
        long limitNanos = 2 * session.timeoutNanos(); // the copy of a lost connection takes a while to end
        return copy.isStalled(limitNanos) ? copy.stalled(limitNanos) : null;
    }

    /** Deletes the segments of positions before that of the newest recorded one, without waiting for the answer. */
    private void purge() {
        long base = recording.segmentOf(Math.max(recording.start(), publication.recorded() - 1));
        if (base > purgedTo) {
            purgedTo = base;
            session.ask(
                    (proxy, correlation, control) -> proxy.purgeSegments(recording.id(), base, correlation, control),
                    null);
        }
    }

    /** Stores a new position, for a limited time, and admits another reader. */
    void close() {
        if (session.isAlive()) {
            if (isNew) {
                storeNow();
            }
            copy.awaitFor(session, STORE_NANOS * 100, publication.publication().position());
            publication.close();
        }
    }

    /** Closes after its owner could not be opened, and deletes a recording that is new. */
    void withdraw() {
        abandon();
        if (isCreated && session.isAlive()) {
            Catalog.purge(session, recording.id());
        }
    }

    /** Admits another reader, without storing a new position. */
    void abandon() {
        isNew = false;
        close();
    }

    /**
     * Deletes the segments of a topic that no consumer needs. A topic without consumers keeps everything. Waits for the Archive, and
     * for a replay for each consumer.
     */
    static void purgeSegments(ArchiveSession session, String name) {
        RecordingDescriptor topic = Catalog.topic(session, name);
        long needed = Long.MAX_VALUE;
        for (RecordingDescriptor consumer : Catalog.consumers(session, name).values()) {
            if (ObservingConsumer.isObserving(consumer.consumer()) && !consumer.isWritten()) {
                continue; // an open one may read the live log, so that no replay keeps its segments
            }
            Stored stored = newest(session, consumer, Catalog.end(session, consumer));
            boolean isOfThisTopic = stored != null && stored.identity() == topic.identity();
            if (isOfThisTopic) {
                needed = Math.min(needed, stored.position());
            } else if (consumer.isWritten()) { // it is being opened, and has stored nothing yet
                needed = topic.start();
            }
        }
        if (needed == Long.MAX_VALUE) {
            return;
        }
        long end = Catalog.end(session, topic); // the newest fragment stays: the next writer reads it
        long base = topic.segmentOf(Math.max(topic.start(), Math.min(needed, end - 1)));
        if (base <= topic.segmentOf(topic.start())) {
            return;
        }
        try {
            Interrupts.without(() -> session.archive().purgeSegments(topic.id(), base));
        } catch (ArchiveException replayed) {
            // a replay of older frames is open; the next call follows with the next segment
        } catch (TransportException refused) {
            throw refused;
        } catch (RuntimeException failed) {
            throw ArchiveSession.refused("delete what was read of topic '" + name + "'", failed);
        }
    }
}
