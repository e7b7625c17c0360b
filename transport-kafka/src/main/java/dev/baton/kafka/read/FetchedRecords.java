package dev.baton.kafka.read;

import dev.baton.kafka.log.WriterHistory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The records that the {@link RecordFetcher} has passed to a reader, and that it has not consumed.
 *
 * <p>Records are classified in the order of the log: markers of writers, and frames that do not count, are taken out
 * ({@link WriterHistory}). Records that are no frames stay, for a poll to report. Confined to its loop.
 */
final class FetchedRecords {
    /**
     * Heap that a record takes in addition to its value, seen with a 64-bit JVM and compressed pointers: about 200
     * bytes.
     */
    private static final int RECORD_BYTES = 200;

    private final WriterHistory writers;
    private final int readAhead;
    private final Queue<List<ConsumerRecord<byte[], ByteBuffer>>> waiting = new ArrayDeque<>();
    private List<ConsumerRecord<byte[], ByteBuffer>> current = List.of();
    private int index;
    private long waitingBytes;
    private long nextOffset; // all frames before it were passed on by the fetcher
    private long newest; // offset of the newest record kept

    FetchedRecords(WriterHistory writers, long nextOffset, int readAhead) {
        this.writers = writers;
        this.readAhead = readAhead;
        this.nextOffset = nextOffset;
        this.newest = nextOffset - 1;
    }

    /**
     * Takes records, but for those that it had before.
     *
     * @return whether some came, and none of them was kept
     */
    boolean add(List<ConsumerRecord<byte[], ByteBuffer>> records) {
        int from = 0;
        while (from < records.size() && records.get(from).offset() < nextOffset) {
            from++;
        }
        if (from == records.size()) {
            return false;
        }
        nextOffset = records.get(records.size() - 1).offset() + 1;
        List<ConsumerRecord<byte[], ByteBuffer>> kept =
                kept(from == 0 ? records : records.subList(from, records.size()));
        for (int i = 0; i < kept.size(); i++) {
            waitingBytes += bytesOf(kept.get(i));
        }
        if (kept.isEmpty()) {
            return true;
        }
        newest = kept.get(kept.size() - 1).offset();
        waiting.add(kept);
        return false;
    }

    /** Returns the records that are kept: the same list unless one is taken out, which is rare. */
    private List<ConsumerRecord<byte[], ByteBuffer>> kept(List<ConsumerRecord<byte[], ByteBuffer>> records) {
        List<ConsumerRecord<byte[], ByteBuffer>> kept = null;
        for (int i = 0; i < records.size(); i++) {
            WriterHistory.Kind kind = writers.next(records.get(i));
            if (kind == WriterHistory.Kind.FRAME || kind == WriterHistory.Kind.FOREIGN) {
                if (kept != null) {
                    kept.add(records.get(i));
                }
            } else if (kept == null) {
                kept = new ArrayList<>(records.subList(0, i));
            }
        }
        writers.logDropped();
        return kept == null ? records : kept;
    }

    /** Moves the next offset behind control records of transactions, which are no frames. */
    void fetchedTo(long before) {
        nextOffset = Math.max(nextOffset, before);
    }

    /** Returns the next record; null when there is none. */
    ConsumerRecord<byte[], ByteBuffer> peek() {
        if (index == current.size()) {
            List<ConsumerRecord<byte[], ByteBuffer>> next = waiting.poll();
            current = next == null ? List.of() : next;
            index = 0;
            if (next == null) {
                return null;
            }
        }
        return current.get(index);
    }

    /** Removes the next record. */
    void remove() {
        waitingBytes -= bytesOf(current.get(index));
        index++;
    }

    void clear() {
        waiting.clear();
        current = List.of();
        index = 0;
    }

    long count() {
        long count = current.size() - index;
        for (List<ConsumerRecord<byte[], ByteBuffer>> list : waiting) {
            count += list.size();
        }
        return count;
    }

    boolean isFull() {
        return waitingBytes > readAhead;
    }

    boolean isDrained() {
        return waitingBytes <= readAhead / 2;
    }

    /** Returns the offset behind all records that have come. */
    long nextOffset() {
        return nextOffset;
    }

    /**
     * Returns the offset behind a record and all that is not read behind it: markers, and frames that do not count,
     * when it is the newest.
     *
     * @param offset behind the record itself
     */
    long behind(long offset) {
        return offset == newest + 1 ? nextOffset : offset;
    }

    private static int bytesOf(ConsumerRecord<byte[], ByteBuffer> record) {
        return RECORD_BYTES + Math.max(0, record.serializedValueSize());
    }
}
