package dev.baton.kafka;

import dev.baton.spi.TopicWriter;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * A {@link KafkaWriter} with its {@link Outbox} and no broker: what the producer's thread would call is called by the
 * proof. As the classes it is made of.
 */
public final class AcknowledgedWriter {
    private static final RecordMetadata METADATA = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 40);

    final Outbox outbox;
    final KafkaWriter writer;

    AcknowledgedWriter(int window, Runnable wake) {
        // No producer: nothing is sent. The loop's thread is compared only when something fails.
        outbox = new Outbox((Producer<byte[], byte[]>) null, WriteOptions.defaults(), null, wake);
        writer = new KafkaWriter(null, "t", Uuid.ZERO_UUID, outbox, 8, window, new Tail.Newest(0, 0, Tail.NONE), false);
    }

    /** One that nobody waits for. */
    public AcknowledgedWriter() {
        this(0, () -> {});
    }

    /** The loop's side. */
    public TopicWriter writer() {
        return writer;
    }

    /** The producer's side: one more frame is stored. */
    public void acknowledge() {
        writer.onCompletion(METADATA, null);
    }
}
