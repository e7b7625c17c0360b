package dev.baton.lab.engines;

import java.time.Duration;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One producer with its topic. Confined to the thread that opens it, but for the callback. */
final class TopicWriter implements Callback {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final ClientConfigs configs;
    private final String topic;
    private KafkaProducer<byte[], byte[]> producer;
    private long sequence;
    private volatile Exception failure;

    TopicWriter(ClientConfigs configs, String topic) {
        this.configs = configs;
        this.topic = topic;
    }

    /** Blocks until the topic's leader is known, or the first send would. */
    void open() {
        producer = new KafkaProducer<>(configs.producer(topic), new ByteArraySerializer(), new ByteArraySerializer());
        producer.partitionsFor(topic);
    }

    /** The sequence of the next message. */
    long nextSequence() {
        return ++sequence;
    }

    /**
     * Sends a message that nobody changes any more. Blocks while the producer's buffer is full.
     *
     * @throws IllegalStateException when an earlier one was not confirmed
     */
    void send(byte[] value) {
        if (failure != null) {
            throw new IllegalStateException("a record for " + topic + " was not stored: " + failure, failure);
        }
        producer.send(new ProducerRecord<>(topic, value), this);
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception refused) {
        if (refused != null) {
            failure = refused;
        }
    }

    /** Whether every message that was sent is confirmed. After {@link #close}, which refuses what is not in time. */
    boolean isStored() {
        return failure == null;
    }

    void close() {
        if (producer != null) {
            producer.close(CLOSE_LIMIT);
        }
    }
}
