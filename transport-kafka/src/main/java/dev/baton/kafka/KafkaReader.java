package dev.baton.kafka;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TransportException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A named consumer of a topic: hands out what the {@link Inbox} has dealt it. A position is an offset.
 *
 * <p>Sequences have to rise by one. A gap or a step back means that frames were lost or that two writers were at work,
 * which Kafka itself does not notice; it is told instead of handed on.
 *
 * <p>Confined to its loop.
 */
final class KafkaReader implements TopicReader {
    /** Heap that a record takes besides its value, seen with a 64-bit JVM and compressed pointers: about 200 bytes. */
    private static final int RECORD_BYTES = 200;

    private static final long NONE = -1;

    private final KafkaConnection connection;
    private final TopicPartition partition;
    private final String consumer;
    private final StoredPosition opened;
    private final int readAhead;
    private final Frame frame = new Frame();
    private final Queue<List<ConsumerRecord<byte[], ByteBuffer>>> waiting = new ArrayDeque<>();
    private List<ConsumerRecord<byte[], ByteBuffer>> current = List.of();
    private int index;
    private long waitingBytes;
    private long nextOffset; // of the next record that the inbox deals out
    private long sequence = NONE; // of the last frame consumed
    private long offset; // of the last frame consumed
    private long evenSince; // offset since which sequence - offset has been the same
    private long acknowledged; // newest position acknowledged
    private boolean isDirty; // acknowledged has moved since positions were stored
    private boolean isClosed;

    KafkaReader(
            KafkaConnection connection,
            TopicPartition partition,
            String consumer,
            StoredPosition opened,
            int readAhead) {
        this.connection = connection;
        this.partition = partition;
        this.consumer = consumer;
        this.opened = opened;
        this.readAhead = readAhead;
        this.nextOffset = opened.nextOffset();
        this.acknowledged = opened.nextOffset() - 1;
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        checkUsable();
        int consumed = 0;
        while (consumed < limit && (index < current.size() || nextList())) {
            ConsumerRecord<byte[], ByteBuffer> record = current.get(index);
            StoredFrame.aim(frame, record);
            long next = frame.sequence();
            if (sequence != NONE && next != sequence + 1) {
                throw notInSequence(record, next);
            }
            int bytes = bytesOf(record);
            if (handler.onFrame(frame, record.offset()) == Verdict.RETRY) {
                break;
            }
            if (sequence == NONE || record.offset() != offset + 1) {
                evenSince = record.offset();
            }
            sequence = next;
            offset = record.offset();
            index++; // not reached when the handler throws
            waitingBytes -= bytes;
            consumed++;
        }
        return consumed;
    }

    @Override
    public void acknowledge(long position) {
        checkUsable();
        if (position > acknowledged) {
            acknowledged = position;
            if (!isDirty) {
                isDirty = true;
                connection.positions().changed(this);
            }
        }
    }

    @Override
    public long sequenceAtOpen() {
        return opened.sequence();
    }

    /** As the consumer heard last; nothing is asked for. */
    @Override
    public long backlog() {
        checkUsable();
        List<ConsumerRecord<byte[], ByteBuffer>> next = index < current.size() ? current : waiting.peek();
        long unread = next == null
                ? nextOffset
                : next.get(next == current ? index : 0).offset();
        long end = connection.inbox().endOf(partition);
        return end == UNKNOWN ? UNKNOWN : Math.max(0, end - unread);
    }

    @Override
    public void close() {
        if (isClosed || connection.isClosed()) {
            isClosed = true;
            return;
        }
        connection.check();
        isClosed = true;
        connection.close(this);
        waiting.clear();
        current = List.of();
    }

    /** As a close that stores nothing: another process may have stored a later position by now. */
    @Override
    public void abandon() {
        if (isClosed || connection.isClosed()) {
            isClosed = true;
            return;
        }
        connection.check();
        isClosed = true;
        connection.abandon(this);
        waiting.clear();
        current = List.of();
    }

    /** Takes records from the inbox, but for those that it had before. */
    void arrived(List<ConsumerRecord<byte[], ByteBuffer>> records) {
        int from = 0;
        while (from < records.size() && records.get(from).offset() < nextOffset) {
            from++;
        }
        if (from == records.size()) {
            return;
        }
        List<ConsumerRecord<byte[], ByteBuffer>> fresh = from == 0 ? records : records.subList(from, records.size());
        for (int i = 0; i < fresh.size(); i++) {
            waitingBytes += bytesOf(fresh.get(i));
        }
        nextOffset = fresh.get(fresh.size() - 1).offset() + 1;
        waiting.add(fresh);
    }

    boolean isFull() {
        return waitingBytes > readAhead;
    }

    boolean isDrained() {
        return waitingBytes <= readAhead / 2;
    }

    long nextOffset() {
        return nextOffset;
    }

    TopicPartition partition() {
        return partition;
    }

    String consumer() {
        return consumer;
    }

    /** What is to be stored now; from here on a change is a new one. */
    StoredPosition takePosition() {
        isDirty = false;
        boolean isKnown = sequence != NONE && acknowledged >= evenSince && acknowledged <= offset;
        long at = isKnown ? sequence - (offset - acknowledged) : UNKNOWN;
        return new StoredPosition(opened.topicId(), acknowledged + 1, at);
    }

    /** The position taken last was not stored. */
    void storeAgain() {
        if (!isDirty && !isClosed) {
            isDirty = true;
            connection.positions().changed(this);
        }
    }

    private boolean nextList() {
        List<ConsumerRecord<byte[], ByteBuffer>> next = waiting.poll();
        current = next == null ? List.of() : next;
        index = 0;
        return next != null;
    }

    private void checkUsable() {
        connection.check();
        if (isClosed) {
            throw new IllegalStateException("topic '" + partition.topic() + "': the reader is closed");
        }
    }

    private TransportException notInSequence(ConsumerRecord<byte[], ByteBuffer> record, long found) {
        return new TransportException(
                "topic '" + TopicNames.of(partition) + "', offset " + record.offset() + ": sequence "
                        + found + " follows " + sequence + "; "
                        + (found > sequence
                                ? "frames between them were lost or removed by the topic's retention"
                                : "two writers were at work, or the topic lost frames that had been read"));
    }

    private static int bytesOf(ConsumerRecord<byte[], ByteBuffer> record) {
        return RECORD_BYTES + Math.max(0, record.serializedValueSize());
    }
}
