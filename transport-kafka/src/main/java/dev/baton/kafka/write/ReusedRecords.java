package dev.baton.kafka.write;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The records that a writer sends repeatedly, a few of them by the size of their value.
 *
 * <p>Kafka's producer copies the value into its batch before send returns, compressed or not, and keeps neither the
 * array nor the record (seen in 4.3.1; an interceptor might, so none is allowed). A value has to be an array of its
 * exact size, so that there is a record per size; chains mostly send few sizes. Confined to its loop.
 */
final class ReusedRecords {
    private static final int KEPT = 8; // a power of two
    private static final int MOST_SIZE = 4 << 10;

    private final TopicPartition partition;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final ProducerRecord<byte[], byte[]>[] records = new ProducerRecord[KEPT];

    ReusedRecords(TopicPartition partition) {
        this.partition = partition;
    }

    /** A record whose value has this size and any content; to be sent before the next call. */
    ProducerRecord<byte[], byte[]> ofSize(int size) {
        if (size > MOST_SIZE) {
            return newRecord(size);
        }
        int slot = (size ^ size >>> 3) & KEPT - 1; // sizes that are multiples of 8 spread, too
        ProducerRecord<byte[], byte[]> record = records[slot];
        if (record == null || record.value().length != size) {
            record = newRecord(size);
            records[slot] = record;
        }
        return record;
    }

    private ProducerRecord<byte[], byte[]> newRecord(int size) {
        return new ProducerRecord<>(partition.topic(), partition.partition(), null, new byte[size]);
    }
}
