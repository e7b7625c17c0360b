package dev.baton.kafka.log;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The record with which each writer begins: a frame with sequence 0, which no other frame has, and the writer's {@link
 * Incarnation} as text for its payload.
 *
 * <p>The text holds the random bits of the incarnation's id alone. The count of the id is the marker's offset, which is
 * known once it is stored: so ids rise in the order of the log, and an id gives the offset of its marker. Stateless, thread-safe.
 */
public final class WriterMarker {
    /** The sequence of every marker, and of no other frame. */
    public static final long SEQUENCE = 0;

    private WriterMarker() {}

    /** Returns the incarnation of a new writer of this process before the offset of its marker is known. */
    public static Incarnation draft(String topology, String clientId) {
        long random = ThreadLocalRandom.current().nextLong(1, 1L << Incarnation.RANDOM_BITS); // an id is never 0
        Incarnation begun = Incarnation.begin(random, topology);
        return new Incarnation(
                random, topology, begun.boot(), begun.wallOffsetNanos(), begun.process() + ", " + clientId);
    }

    public static ProducerRecord<byte[], byte[]> record(TopicPartition partition, Incarnation draft) {
        byte[] text = draft.text().getBytes(StandardCharsets.UTF_8);
        byte[] value = new byte[Frame.HEADER_BYTES + text.length];
        Frame frame = new Frame().wrap(ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN), 0, text.length);
        frame.stamp(0, 0, 0, 0, System.nanoTime());
        frame.sequence(SEQUENCE);
        frame.putBytes(0, text, 0, text.length);
        return new ProducerRecord<>(partition.topic(), partition.partition(), null, value);
    }

    /** The incarnation of a marker that lies at this offset. */
    public static Incarnation at(long offset, Incarnation draft) {
        return new Incarnation(
                Incarnation.id(offset, draft.id()),
                draft.topology(),
                draft.boot(),
                draft.wallOffsetNanos(),
                draft.process());
    }

    /** Reads a record that a view was aimed at and that has the sequence of markers; null when it is none. */
    public static Incarnation read(Frame frame, ConsumerRecord<?, ?> record) {
        Incarnation draft = frame.isPlain() ? Incarnation.parse(text(frame)) : null;
        return draft == null || Incarnation.id(0, draft.id()) == 0 ? null : at(record.offset(), draft);
    }

    private static String text(Frame frame) {
        byte[] text = new byte[frame.length()];
        frame.getBytes(0, text, 0, text.length);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Returns the offset of the marker of an incarnation. */
    public static long offsetOf(long id) {
        return Incarnation.count(id);
    }

    /** Returns a placeholder for an incarnation whose marker was removed. */
    static Incarnation unknown(long id) {
        return new Incarnation(id, Incarnation.NO_TOPOLOGY, 0, 0, "unknown");
    }
}
