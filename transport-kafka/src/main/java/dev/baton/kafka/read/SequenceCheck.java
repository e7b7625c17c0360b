package dev.baton.kafka.read;

import dev.baton.kafka.log.RecordDecoder;
import dev.baton.kafka.log.WriterHistory;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The check that each frame that a reader hands over follows the one before, with the writer of each. Confined to the
 * reader's loop.
 */
final class SequenceCheck {
    private static final long NONE = -1;

    private final TopicPartition partition;
    private final WriterHistory writers;
    private Incarnation former; // the author before; null for none
    private Incarnation author; // of the frame handed over last; null before the first
    private long sequence; // of the last frame consumed
    private long offset; // of the last frame consumed
    private long timestamp; // of the last frame consumed

    /**
     * Creates the check for a reader.
     *
     * @param last sequence of the last frame consumed in an earlier run; not positive: not known
     */
    SequenceCheck(TopicPartition partition, WriterHistory writers, long last) {
        this.partition = partition;
        this.writers = writers;
        this.sequence = last > 0 ? last : NONE;
    }

    /**
     * Notifies the handler of the writer of the next frame, if it changes, and checks the frame's sequence.
     *
     * @return null if the sequence follows the one before, otherwise the failure
     */
    TransportException check(Frame next, ConsumerRecord<byte[], ByteBuffer> record, FrameHandler handler) {
        long id = RecordDecoder.writerOf(next, record);
        if (author == null || author.id() != id) {
            former = author;
            author = writers.of(id);
            if (author != former) {
                handler.onWriter(author);
            }
        }
        if (sequence != NONE && next.sequence() != sequence + 1) {
            return notInSequence(record, next.sequence());
        }
        return null;
    }

    /** Notes that the frame was consumed. */
    void consumed(ConsumerRecord<byte[], ByteBuffer> record, long frameSequence) {
        sequence = frameSequence;
        offset = record.offset();
        timestamp = record.timestamp();
    }

    /** Returns the writer of the frame handed over last; null before the first. */
    Incarnation author() {
        return author;
    }

    private TransportException notInSequence(ConsumerRecord<byte[], ByteBuffer> record, long found) {
        return new TransportException("topic '" + TopicNames.of(partition) + "', offset " + record.offset()
                + ": sequence "
                + found + " follows " + sequence + ", written " + Instant.ofEpochMilli(record.timestamp())
                + (timestamp == 0 ? "" : " and " + Instant.ofEpochMilli(timestamp) + " (offset " + offset + ")")
                + " by " + author.process() + (former == null ? "" : " and, before it began, " + former.process())
                + (found > sequence
                        ? "; frames between them were lost or removed by the topic's retention"
                        : "; the topic lost frames that had been read"));
    }
}
