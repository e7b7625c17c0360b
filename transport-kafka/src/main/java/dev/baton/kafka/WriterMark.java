package dev.baton.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * The name of a writer, in a header of the first record that it writes: readers can say then whose frames do not fit
 * together. Later records bear none, so it costs nothing per frame. Stateless, thread-safe.
 */
final class WriterMark {
    private static final String KEY = "by";

    /** With this the header fits into what {@link Outbox#OVERHEAD_BYTES} leaves beside a record's own. */
    private static final int LONGEST = 38;

    private WriterMark() {}

    static void put(ProducerRecord<byte[], byte[]> record, String writer) {
        byte[] name = writer.getBytes(StandardCharsets.UTF_8);
        byte[] fitting = name.length <= LONGEST ? name : java.util.Arrays.copyOf(name, LONGEST);
        record.headers().add(KEY, fitting);
    }

    /** The writer that begins with this record; null: it is no writer's first. */
    static String of(ConsumerRecord<?, ?> record) {
        Header[] headers = record.headers().toArray(); // a constant when there are none
        for (Header header : headers) {
            if (header.key().equals(KEY) && header.value() != null) {
                return new String(header.value(), StandardCharsets.UTF_8);
            }
        }
        return null;
    }
}
