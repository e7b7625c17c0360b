package dev.baton.aeron;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.ThreadConfinement;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TransportException;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import java.util.function.Consumer;

/**
 * Stages frames, and copies those of a batch into the log: as many into one fragment as it holds.
 *
 * <p>Capacity is counted as if every frame had a fragment of its own, and one had to be omitted at the end of a term.
 * Confined to the thread that opened it.
 */
final class AeronWriter extends ThreadConfinement implements TopicWriter {
    private static final int ATTEMPTS = 3; // a term's end is met once

    private final AeronTransport transport;
    private final AeronTopic topic;
    private final ExclusivePublication publication;
    private final Consumer<AeronWriter> onClose;
    private final StagedBatch batch = new StagedBatch();
    private final BufferClaim fragment = new BufferClaim();
    private final int maxPayload;
    private final int longest; // bytes of the log for a frame of the longest payload
    private final int capacity;
    private final int window; // bytes that may lie unread
    private final int step; // by so much the publication's limit moves
    private final long causeAtOpen;
    private final long originAtOpen;
    private final InputRef inputAtOpen;
    private final byte[] mergedAtOpen;
    private final byte[] tickAtOpen;
    private final Incarnation predecessor;
    private final Incarnation incarnation;

    private long stored; // sequences
    private long committed;
    private long available; // bytes that the log has for them, and for others
    private long floorWhenRaised;

    AeronWriter(AeronTransport transport, AeronTopic topic, String topology, Consumer<AeronWriter> onClose) {
        super("this writer of topic '" + topic.name + "'");
        incarnation = topic.openWriter(topology);
        this.transport = transport;
        this.topic = topic;
        this.onClose = onClose;
        publication = topic.publication;
        AeronOptions options = transport.options();
        maxPayload = options.maxPayload();
        longest = AeronOptions.logBytes(maxPayload);
        window = publication.termBufferLength() / 2;
        step = window / 8;
        capacity = (window - 2 * step - longest) / longest;
        stored = topic.published();
        committed = stored;
        predecessor = topic.writers().at(stored);
        available = publication.availableWindow();
        Frame newest = topic.newest();
        causeAtOpen = newest == null ? 0 : newest.cause();
        originAtOpen = newest == null ? 0 : newest.originNanos();
        mergedAtOpen = newest == null ? null : Extension.copy(newest, Extension.MERGED);
        tickAtOpen = newest == null ? null : Extension.copy(newest, Extension.TICK);
        inputAtOpen = topic.inputOf(stored);
    }

    @Override
    public int remainingCapacity() {
        return remainingCapacity(maxPayload);
    }

    @Override
    public int remainingCapacity(int maxLength) {
        check();
        int room = room(maxLength);
        if (committed - stored + room < capacity) {
            lookForRoom();
            room = room(maxLength);
        }
        return room;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public Frame claim(int maxLength) {
        check();
        if (maxLength < 0 || maxLength > maxPayload) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 to " + maxPayload
                    + " are allowed on topic '" + topic.name + "'; the option max-payload governs it");
        }
        batch.requireNoClaim();
        if (!hasRoom(maxLength)) {
            lookForRoom();
            if (!hasRoom(maxLength)) {
                return null;
            }
        }
        return batch.claim(maxLength);
    }

    @Override
    public long commit(int length) {
        check();
        batch.requireClaimOf(length);
        committed++;
        batch.commit(length, committed);
        return committed;
    }

    @Override
    public void abort() {
        check();
        batch.abort();
    }

    @Override
    public void flush() {
        check();
        batch.requireNoClaim();
        publish();
    }

    @Override
    public void rewind(long sequence) {
        check();
        if (sequence < stored || sequence > committed) {
            throw new IllegalArgumentException("rewind to sequence " + sequence + "; " + stored
                    + ", the newest flushed, to " + committed + ", the newest committed, are allowed");
        }
        batch.requireNoClaim();
        batch.keep(sequence - stored);
        committed = sequence;
    }

    @Override
    public long sequence() {
        return committed;
    }

    @Override
    public long storedSequence() {
        return stored;
    }

    @Override
    public long causeAtOpen() {
        return causeAtOpen;
    }

    @Override
    public long originAtOpen() {
        return originAtOpen;
    }

    @Override
    public byte[] mergedAtOpen() {
        return mergedAtOpen;
    }

    @Override
    public byte[] tickAtOpen() {
        return tickAtOpen;
    }

    @Override
    public InputRef inputAtOpen() {
        return inputAtOpen;
    }

    @Override
    public void answers(InputRef input) {
        check();
        topic.answers(committed + 1, input);
    }

    @Override
    public Incarnation predecessor() {
        return predecessor;
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public void close() {
        if (release()) {
            batch.abort();
            publish();
            topic.closeWriter();
            onClose.accept(this);
        }
    }

    /** Frames of a payload that fit beside those staged; a batch has no more than the capacity, however short they are. */
    private int room(int payload) {
        long fit = Math.max(0, (available - batch.logBytes() - longest) / AeronOptions.logBytes(payload));
        return (int) Math.min(fit, capacity - (committed - stored));
    }

    /** Whether {@link #room} is at least 1, without a division. */
    private boolean hasRoom(int payload) {
        return available - batch.logBytes() - longest >= AeronOptions.logBytes(payload)
                && committed - stored < capacity;
    }

    /**
     * The publication's limit moves when the driver runs, and only for as much as readers have acknowledged. One turn of
     * the driver is for all topics, so it may have moved since this writer looked.
     */
    private void lookForRoom() {
        available = publication.availableWindow();
        long floor = topic.heldFrom();
        if (available < window - 2 * step && floor - floorWhenRaised >= step) {
            floorWhenRaised = floor;
            transport.raiseFloors();
            available = publication.availableWindow();
        }
    }

    private void publish() {
        int end = batch.bytes();
        if (end == 0) {
            return;
        }
        for (int from = 0; from < end; ) {
            int next = batch.endOfFragment(from, publication, Long.MAX_VALUE);
            write(from, next - from);
            from = next;
        }
        topic.published(
                committed, batch.memory(), batch.newest() + Staging.FRAME_OFFSET, batch.payload(batch.newest()));
        stored = committed;
        batch.clear();
        available = publication.availableWindow();
    }

    private void write(int from, int length) {
        long result = Publication.ADMIN_ACTION;
        for (int i = 0; i < ATTEMPTS && result == Publication.ADMIN_ACTION; i++) {
            result = publication.tryClaim(length, fragment);
        }
        if (result < 0) {
            throw new TransportException("topic '" + topic.name + "' cannot be written: Aeron says "
                    + Publication.errorString(result)
                    + (result == Publication.MAX_POSITION_EXCEEDED
                            ? "; the topic has to be made anew, with longer terms"
                            : ""));
        }
        fragment.buffer().putBytes(fragment.offset(), batch.memory(), from, length);
        fragment.commit();
    }
}
