package dev.baton.aeron.udp;

import dev.baton.aeron.UdpOptions;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.StagedBatch;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A topic in its writer's process: its newest frames, its consumers and its stream.
 *
 * <p><b>Room.</b> Frames that a known consumer has not acknowledged are kept, and their bytes are limited by the window. A consumer
 * that had no reader for too long keeps its position, but no frames. Before its first consumer, a topic keeps all.
 *
 * <p><b>Going back.</b> The stream has one cursor. A reader that misses frames sets it back to them, and everything from there on is
 * sent again; the other readers drop what they have. So a late reader, a lost image and a gap need nothing but the window, and a reader
 * whose frames have left the window gets their sequences. Thread-safe.
 */
final class HostedTopic implements AutoCloseable {
    /** The time without a request after which a reader in another process no longer counts. */
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int MOST_CONSUMERS = 1_000;
    private static final int MOST_WRITERS_TEXT = 40_000; // characters, of an answer of 128 KiB
    private static final int ATTEMPTS = 3; // a term ends once

    private final String name;
    private final long identity;
    private final ExclusivePublication publication;
    private final BufferClaim claim = new BufferClaim();
    private final FragmentWindow window;
    private final Duration consumerTimeout;
    private final Map<String, Consumer> consumers = new HashMap<>();
    private boolean hadConsumers;
    private boolean wasRead; // by a consumer that may be forgotten since
    private boolean hasWriter;
    private boolean isDeleted;
    private Incarnation newestWriter; // null before the first
    private volatile Seat.Writers writers = new Seat.Writers(0, SequenceRanges.none());
    private InputRef input = InputRef.UNKNOWN; // of the newest frame
    private int newestOffset; // of the newest frame in the window's memory
    private int newestPayload;
    private volatile long newest; // sequence
    private TransportException failure; // after it nothing is sent

    HostedTopic(String name, long identity, ExclusivePublication publication, UdpOptions options) {
        this.name = name;
        this.identity = identity;
        this.publication = publication;
        window = new FragmentWindow(options.window(), publication.maxPayloadLength());
        consumerTimeout = options.get(UdpOptions.CONSUMER_TIMEOUT);
    }

    /** A consumer, with the reader that it had last. */
    private static final class Consumer {
        private long acknowledged;
        private long reader; // its number; 0 for none
        private boolean isLocal; // its reader
        private boolean isNew; // its reader is the first one
        private long before; // acknowledged before its reader joined
        private long left; // the reader that left last; 0 for none
        private long heard; // when it last had a reader
        private long start; // of its reader

        private boolean isLive(long now) {
            return reader != 0 && (isLocal || now - heard < SILENCE_NANOS);
        }
    }

    String name() {
        return name;
    }

    long identity() {
        return identity;
    }

    long newest() {
        return newest;
    }

    Seat.Writers writers() {
        return writers;
    }

    ExclusivePublication publication() {
        return publication;
    }

    /** The place of a writer: its incarnation, and the end of the topic that it found. */
    record Place(Incarnation incarnation, long newest, TopicEnd found) {}

    synchronized Place openWriter(String topology) {
        requireUsable();
        if (hasWriter) {
            throw new OccupiedException("topic '" + name + "' has a live writer in this process; close that one first");
        }
        Incarnation.requireSameTopology(name, newestWriter, topology);
        long before = newestWriter == null ? 0 : Incarnation.count(newestWriter.id());
        Incarnation begun = Incarnation.begin(
                Incarnation.id(Incarnation.countAfter(before, System.currentTimeMillis()), identity), topology);
        TopicEnd found = TopicEnd.EMPTY;
        if (newest > 0) {
            Frame frame = new Frame().wrap(window.memory(), newestOffset, newestPayload);
            found = TopicEnd.at(frame, false, writers.ranges().at(newest), input);
        }
        newestWriter = begun;
        writers = new Seat.Writers(writers.count() + 1, remaining().with(newest + 1, begun));
        hasWriter = true;
        return new Place(begun, newest, found);
    }

    /** Returns the writers of the frames that can be sent again, the newest ones whose texts fit into an answer. */
    private SequenceRanges<Incarnation> remaining() {
        SequenceRanges<Incarnation> all = writers.ranges();
        int[] surplus = {-MOST_WRITERS_TEXT};
        all.forEach((first, writer) -> surplus[0] += writer.text().length());
        long oldest = Math.min(window.oldestLeft(), newest);
        SequenceRanges.Builder<Incarnation> kept = new SequenceRanges.Builder<>();
        all.forEach((first, writer) -> {
            if (surplus[0] <= 0 && all.lastOf(first) >= oldest) {
                kept.add(first, writer);
            }
            surplus[0] -= writer.text().length();
        });
        return kept.build();
    }

    synchronized void closeWriter() {
        hasWriter = false;
    }

    /** Adds the frames of a flush, and sends as many as the stream takes now. */
    synchronized void publish(StagedBatch batch, long first, InputRef answered) {
        int longest = publication.maxPayloadLength();
        int bytes = batch.bytes();
        long sequence = first;
        for (int from = 0; from < bytes; ) {
            int end = batch.next(from);
            long last = sequence;
            for (int next; end < bytes && (next = batch.next(end)) - from <= longest; end = next) {
                last++;
            }
            int offset = window.add(batch.memory(), from, end - from, sequence, last, writers.count());
            newestOffset = offset + batch.newest() - from + FragmentLayout.FRAME_OFFSET;
            sequence = last + 1;
            from = end;
        }
        newestPayload = batch.payload(batch.newest());
        input = answered;
        newest = window.newest();
        send();
    }

    /**
     * Sends fragments from the cursor on.
     *
     * @return their number
     * @throws TransportException when the stream can take no more
     */
    synchronized int send() {
        requireUsable();
        int sent = 0;
        while (window.hasUnsent()) {
            long result = Publication.ADMIN_ACTION;
            for (int i = 0; i < ATTEMPTS && result == Publication.ADMIN_ACTION; i++) {
                result = publication.tryClaim(window.length(), claim);
            }
            if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                failure = new TransportException("topic '" + name + "' cannot be sent: Aeron reports "
                        + Publication.errorString(result) + "; open the transport again");
                throw failure;
            }
            if (result < 0) {
                break;
            }
            claim.buffer().putBytes(claim.offset(), window.memory(), window.offset(), window.length());
            claim.reservedValue(window.writer());
            claim.commit();
            window.sent();
            sent++;
        }
        return sent;
    }

    /** Sends fragments if there are any, unless the stream has failed, which the writer reports. */
    synchronized void trySend() {
        if (window.hasUnsent() && failure == null && !isDeleted) {
            try {
                send();
            } catch (TransportException failed) {
                // kept in the failure
            }
        }
    }

    private void requireUsable() {
        if (failure != null) {
            throw new TransportException(failure.getMessage(), failure);
        }
        if (isDeleted) {
            throw new TransportException("topic '" + name + "' was deleted");
        }
    }

    /** Returns the bytes that may be written before a consumer has to acknowledge more. */
    synchronized int room() {
        long now = System.nanoTime();
        long held = hadConsumers ? newest : 0;
        for (Consumer each : consumers.values()) {
            if (holds(each, now)) {
                held = Math.min(held, each.acknowledged);
            }
        }
        return window.room(held);
    }

    private boolean holds(Consumer consumer, long now) {
        return consumer.isLive(now) || now - consumer.heard < consumerTimeout.toNanos();
    }

    /** Returns the consumer that has acknowledged the least; null if all have acknowledged everything. */
    synchronized ConsumerLag slowest() {
        long now = System.nanoTime();
        ConsumerLag slowest = null;
        for (Map.Entry<String, Consumer> each : consumers.entrySet()) {
            long lag = newest - each.getValue().acknowledged;
            if (lag > (slowest == null ? 0 : slowest.frames()) && holds(each.getValue(), now)) {
                slowest = new ConsumerLag(each.getKey(), lag);
            }
        }
        return slowest;
    }

    /**
     * Opens a consumer for a reader, which may ask again.
     *
     * @param reader number of the reader, not 0
     * @param isLocal whether it is in this process
     * @throws OccupiedException when the consumer has another reader
     * @throws TransportException when the topic does not hold the position
     */
    synchronized Seat.Joined join(String consumer, long reader, boolean isLocal, StartPosition from) {
        requireUsable();
        long now = System.nanoTime();
        Consumer known = consumers.get(consumer);
        if (known == null || known.reader != reader) {
            if (known != null && known.isLive(now)) {
                throw occupied(consumer, known);
            }
            if (known == null && consumers.size() == MOST_CONSUMERS) {
                throw new TransportException("topic '" + name + "' has " + MOST_CONSUMERS
                        + " consumers, the most that are allowed; forget those that do not return");
            }
            long start = start(consumer, known, from);
            if (known == null) {
                known = new Consumer();
                known.isNew = true;
                consumers.put(consumer, known);
                hadConsumers = true;
            } else {
                known.isNew = false;
            }
            known.before = known.acknowledged;
            known.acknowledged = start;
            known.start = start;
            known.reader = reader;
            known.isLocal = isLocal;
        }
        known.heard = now;
        return new Seat.Joined(identity, publication.streamId(), publication.sessionId(), known.start, newest);
    }

    /**
     * Opens a consumer for a reader in another process; null while the topic is marked as deleted: the deletion may be refused, or a
     * topic of this name be created again.
     */
    synchronized Seat.Joined joinUnlessDeleted(String consumer, long reader, StartPosition from) {
        return isDeleted ? null : join(consumer, reader, false, from);
    }

    private OccupiedException occupied(String consumer, Consumer known) {
        return new OccupiedException("consumer " + consumer + " of topic '" + name + "' has a live reader in "
                + (known.isLocal ? "this process" : "another process") + "; close that one first");
    }

    private long start(String consumer, Consumer known, StartPosition from) {
        if (!from.isStored()) {
            return from.before(name, window.oldest(), newest);
        }
        if (known == null) {
            return window.oldest() - 1;
        }
        requireHeld(consumer, known.acknowledged, window.oldestToReturn());
        return known.acknowledged;
    }

    private void requireHeld(String consumer, long read, long oldest) {
        if (read + 1 < oldest) {
            throw new TopicMismatchException("topic '" + name + "' no longer has the frames " + (read + 1) + " to "
                    + (oldest - 1) + ", which consumer " + consumer
                    + " has not read: it had no reader for longer than " + UdpOptions.CONSUMER_TIMEOUT + "="
                    + UdpOptions.CONSUMER_TIMEOUT.typed(consumerTimeout)
                    + "; to continue without them, open it at the earliest position");
        }
    }

    /** Returns whether the reader of a consumer is in another process, so that it may have ended without a word. */
    synchronized boolean isReadElsewhere(String consumer) {
        Consumer known = consumers.get(consumer);
        return known != null && !known.isLocal && known.isLive(System.nanoTime());
    }

    /**
     * Notes the positions of a reader.
     *
     * @param isMissing whether to send again what follows the frame read last
     * @throws ReplacedException when the consumer has another reader
     * @throws TopicMismatchException when the window does not have what is missing
     */
    synchronized void report(String consumer, long reader, long acknowledged, long read, boolean isMissing) {
        Consumer known = consumers.get(consumer);
        if (known == null || known.reader != reader) {
            throw new ReplacedException(
                    name,
                    consumer,
                    "another reader has taken over consumer " + consumer + " of topic '" + name
                            + "', or it was forgotten: this one was silent for too long",
                    null);
        }
        wasRead = true;
        known.heard = System.nanoTime();
        known.acknowledged = Math.max(known.acknowledged, Math.min(acknowledged, newest));
        if (isMissing) {
            requireHeld(consumer, read, window.oldestLeft());
            window.goBack(read + 1);
            trySend();
        }
    }

    /**
     * Closes the reader of a consumer, which keeps its position. A reader that failed leaves again with a later position when it is
     * closed. One that was not opened leaves its consumer where it was, whatever position it has asked for; a new consumer is removed
     * then, or it would hold the topic back although it has never read.
     *
     * @param acknowledged {@link TopicReader#UNKNOWN} for a reader that was not opened
     */
    synchronized void leave(String consumer, long reader, long acknowledged) {
        Consumer known = consumers.get(consumer);
        if (known != null && known.reader == reader && known.isNew && acknowledged == TopicReader.UNKNOWN) {
            consumers.remove(consumer);
            hadConsumers = wasRead || !consumers.isEmpty();
        } else if (known != null && (known.reader == reader || known.reader == 0 && known.left == reader)) {
            wasRead = true;
            known.left = reader;
            known.acknowledged = acknowledged == TopicReader.UNKNOWN
                    ? known.before
                    : Math.max(known.acknowledged, Math.min(acknowledged, newest));
            known.reader = 0;
            known.heard = System.nanoTime();
        }
    }

    synchronized boolean forget(String consumer) {
        Consumer known = consumers.get(consumer);
        if (known != null && known.isLive(System.nanoTime())) {
            throw occupied(consumer, known);
        }
        return consumers.remove(consumer) != null;
    }

    /** Marks the topic as deleted, so that nothing of it is opened any more; refuses one that has a writer or readers. */
    synchronized void retire() {
        long now = System.nanoTime();
        if (hasWriter || consumers.values().stream().anyMatch(each -> each.isLive(now))) {
            throw new TransportException(
                    "topic '" + name + "' is in use by a " + (hasWriter ? "writer" : "reader") + "; close it first");
        }
        isDeleted = true;
    }

    /** Makes the topic available again. */
    synchronized void restore() {
        isDeleted = false;
    }

    @Override
    public synchronized void close() {
        publication.close();
    }
}
