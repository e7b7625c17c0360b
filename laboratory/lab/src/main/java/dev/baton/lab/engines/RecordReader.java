package dev.baton.lab.engines;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Serde;

/** A loop over what a consumer gets of its topic. Confined to the thread that opens it. */
abstract class RecordReader<K, V> extends Stage.Turning {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

    private final Source source;
    private final Serde<K> keys;
    private final Serde<V> values;
    private KafkaConsumer<K, V> consumer;

    /**
     * Where the records come from.
     *
     * @param pollWait how long each poll waits
     * @param pause after one that got nothing; null: none
     */
    record Source(ClientConfigs configs, TopicPartition partition, Duration pollWait, Pause pause) {}

    RecordReader(Source source, Serde<K> keys, Serde<V> values) {
        super(source.pause);
        this.source = source;
        this.keys = keys;
        this.values = values;
    }

    /** Blocks until the consumer knows where it begins. */
    @Override
    public void open() {
        consumer = new KafkaConsumer<>(
                source.configs.consumer(source.partition.topic()), keys.deserializer(), values.deserializer());
        consumer.assign(List.of(source.partition));
        consumer.position(source.partition);
    }

    @Override
    final boolean turn() {
        ConsumerRecords<K, V> records = consumer.poll(source.pollWait);
        for (ConsumerRecord<K, V> record : records) {
            take(record);
        }
        return !records.isEmpty();
    }

    abstract void take(ConsumerRecord<K, V> record);

    /** Whether what was polled is all that the topic holds. Asks the broker; false where it does not answer. */
    @Override
    final boolean hasTakenAll() {
        try {
            return consumer.position(source.partition, ANSWER_LIMIT)
                    >= consumer.endOffsets(List.of(source.partition), ANSWER_LIMIT)
                            .get(source.partition);
        } catch (TimeoutException silent) {
            return false;
        }
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
        }
    }

    /** A service: sends what it consumes to the next topic, one record each. */
    abstract static class Relaying<K, V> extends RecordReader<K, V> {
        final RecordWriter<K, V> writer;

        Relaying(Source from, String to, Serde<K> keys, Serde<V> values) {
            super(from, keys, values);
            writer = new RecordWriter<>(from.configs, to, keys, values);
        }

        @Override
        public void open() {
            writer.open();
            super.open();
        }

        @Override
        public boolean isStored() {
            return writer.isStored();
        }

        @Override
        public void close() {
            try (writer) {
                super.close();
            }
        }
    }
}
