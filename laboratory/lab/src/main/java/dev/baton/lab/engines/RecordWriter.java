package dev.baton.lab.engines;

import java.time.Duration;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.Serde;

/** A producer with its topic. Confined to the thread that opens it, but for the callback. */
class RecordWriter<K, V> implements Callback, AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final ClientConfigs configs;
    private final String topic;
    private final Serde<K> keys;
    private final Serde<V> values;
    private KafkaProducer<K, V> producer;
    private volatile Exception failure;

    RecordWriter(ClientConfigs configs, String topic, Serde<K> keys, Serde<V> values) {
        this.configs = configs;
        this.topic = topic;
        this.keys = keys;
        this.values = values;
    }

    /** Blocks until the topic's leader is known, or the first send would. */
    public void open() {
        producer = new KafkaProducer<>(configs.producer(topic), keys.serializer(), values.serializer());
        producer.partitionsFor(topic);
    }

    /**
     * Sends a message that nobody changes any more. Blocks while the producer's buffer is full.
     *
     * @throws IllegalStateException when an earlier one was not confirmed
     */
    void send(K key, V value) {
        if (failure != null) {
            throw new IllegalStateException("a record for " + topic + " was not stored: " + failure, failure);
        }
        producer.send(new ProducerRecord<>(topic, key, value), this);
    }

    /** Returns when all that was sent is confirmed or refused. */
    public void flush() {
        producer.flush();
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception refused) {
        if (refused != null) {
            failure = refused;
        }
    }

    /** Whether every message that was sent is confirmed. After {@link #close}, which refuses what is not in time. */
    public boolean isStored() {
        return failure == null;
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(CLOSE_LIMIT);
        }
    }
}
