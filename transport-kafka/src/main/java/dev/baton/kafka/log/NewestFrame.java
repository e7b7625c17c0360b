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

    private final LogWriters writers;
    private final long from;
    private long sequence;
    private Frame frame; // copy of header and extension; null: there is none to be read
    private long offset = NONE;
    private long writer; // id of its incarnation
    private Incarnation marker; // the newest found, null for none
    private long bytes;
    private boolean isRepaired; // the marker of a repair was found, which contains the sequence
    private long foreignOffset; // of the newest record behind the frame that may be one, too
    private DamagedTopicException foreign; // of a record behind the frame that may be one, too; null: there is none

    /** Creates a search that begins at an offset. */
    public NewestFrame(String topic, long from) {
        this.writers = new LogWriters(topic, null, from);
        this.from = from;
    }

    /** Takes the next record of the log. */
    boolean take(ConsumerRecord<byte[], ByteBuffer> record) {
        bytes += Math.max(0, record.serializedValueSize());
        switch (writers.next(record)) {
            case FRAME -> found(record, writers.frame());
            case MARKER -> {
                marker = writers.owner();
                RepairMarker repair = RepairMarker.read(writers.frame(), record);
                if (repair != null) {
                    repaired(repair);
                }
            }
            case FOREIGN -> {
                if (FrameRecord.mayBeAFrame(record)) {
                    foreign = FrameRecord.foreign(
                            record,
                            writers.defectOf(new Frame(), record)
                                    + ". It may be one of another build: no writer continues behind it unless a repair drops it");
                    foreignOffset = record.offset();
                }
            }
            case DROPPED -> {
                // as if it were not there
            }
        }
        return true;
    }

    private void repaired(RepairMarker repair) {
        isRepaired = true;
        sequence = repair.lastSequence();
        if (repair.drops(foreignOffset)) {
            foreign = null;
        }
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
     * Throws when a record behind the frame may be one that cannot be read here.
     *
     * @throws DamagedTopicException when a record behind the frame may be one that cannot be read here
     */
    public void requireNothingForeignBehind() {
        if (foreign != null) {
            throw foreign;
        }
    }

    /** Sets the last sequence of a topic without a frame, unless a repair has declared it. */
    void noneLeft(long lastSequence) {
        if (!isRepaired) {
            sequence = lastSequence;
        }
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
