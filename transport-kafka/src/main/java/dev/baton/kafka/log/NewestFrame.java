package dev.baton.kafka.log;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.DamagedTopicException;
import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The newest frame of a topic that counts, found by reading the topic's last records in the order of the log. Used by
 * one thread.
 */
public final class NewestFrame {
    /** The value of an offset when there is no such frame, or it cannot be read any more. */
    public static final long NONE = -1;

    private final WriterHistory writers;
    private final long from;
    private long sequence;
    private Frame frame; // copy of header and extension; null: there is none to be read
    private long offset = NONE;
    private long writer; // id of its incarnation
    private Incarnation marker; // the newest found, null for none
    private long bytes;
    private DamagedTopicException foreign; // of a frame of a later release behind the frame; null: there is none

    /** Creates a search that begins at an offset. */
    public NewestFrame(String topic, long from) {
        this.writers = new WriterHistory(topic, null, from);
        this.from = from;
    }

    /** Takes the next record of the log. */
    boolean take(ConsumerRecord<byte[], ByteBuffer> record) {
        bytes += Math.max(0, record.serializedValueSize());
        switch (writers.next(record)) {
            case FRAME -> found(record, writers.frame());
            case MARKER -> marker = writers.owner();
            case FOREIGN -> {
                if (RecordDecoder.isOfLaterRelease(record)) {
                    foreign = RecordDecoder.foreign(
                            record,
                            writers.defectOf(new Frame(), record)
                                    + ". A writer of this release cannot continue behind it: start the release that"
                                    + " wrote it, or delete the topic while no process uses it");
                }
            }
            case DROPPED -> {
                // as if it were not there
            }
        }
        return true;
    }

    private void found(ConsumerRecord<byte[], ByteBuffer> record, Frame newest) {
        sequence = newest.sequence();
        frame = newest.copyOfHead();
        offset = record.offset();
        writer = writers.writer();
        foreign = null;
    }

    /**
     * Returns whether no record before the first one read can show that the frame found does not count: its writer
     * began among them, or farther back than a writer gets that has been replaced.
     *
     * @param longestReach in offsets
     * @param mostBytes that it can have in flight
     */
    boolean isCertain(long longestReach, long mostBytes) {
        return offset != NONE
                && (WriterMarker.offsetOf(writer) >= from || offset - from >= longestReach || bytes >= mostBytes);
    }

    /**
     * Checks that no frame of a later release lies behind this one.
     *
     * @throws DamagedTopicException when one does
     */
    public void requireNoLaterReleaseBehind() {
        if (foreign != null) {
            throw foreign;
        }
    }

    /** Sets the last sequence of a topic without a frame that is left. */
    void noneLeft(long lastSequence) {
        sequence = lastSequence;
    }

    /** Returns the sequence; 0 when there never was a frame. */
    public long sequence() {
        return sequence;
    }

    /** Returns a copy of its header and extension; null when there is no frame to be read. */
    public Frame frame() {
        return frame;
    }

    /** Returns the input that it answers. */
    public InputRef input() {
        int at = frame == null ? Extension.NONE : frame.field(Extension.INPUT);
        return at == Extension.NONE
                ? InputRef.UNKNOWN
                : new InputRef(frame.getFieldLong(at), frame.getFieldLong(at + Long.BYTES));
    }

    /** Returns the offset; {@link #NONE} when there is no frame to be read. */
    public long offset() {
        return offset;
    }

    /** Returns the id of the incarnation that wrote it; 0 when there is no frame to be read. */
    public long writer() {
        return writer;
    }

    /** Returns the newest incarnation whose marker was found; null for none. */
    public Incarnation markerMet() {
        return marker;
    }
}
