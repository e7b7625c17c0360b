package dev.baton.lab.engines;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Deserializer;

/** A consumer with its topic. Confined to the thread that opens it. */
final class RecordReader<K, V> implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

    private final ClientConfigs configs;
    private final String topic;
    private final TopicPartition partition;
    private final Duration wait;
    private final Deserializer<K> keys;
    private final Deserializer<V> values;
    private KafkaConsumer<K, V> consumer;

    RecordReader(ClientConfigs configs, String topic, PollWait wait, Deserializer<K> keys, Deserializer<V> values) {
        this.configs = configs;
        this.topic = topic;
        this.wait = wait.duration();
        this.keys = keys;
        this.values = values;
        partition = new TopicPartition(topic, 0);
    }

    /** Blocks until the consumer knows where it begins. */
    void open() {
        consumer = new KafkaConsumer<>(configs.consumer(topic), keys, values);
        consumer.assign(List.of(partition));
        consumer.position(partition);
    }

    ConsumerRecords<K, V> poll() {
        return consumer.poll(wait);
    }

    /** Whether what was polled is all that the topic holds. Asks the broker; false where it does not answer. */
    boolean hasTakenAll() {
        try {
            return consumer.position(partition, ANSWER_LIMIT)
                    >= consumer.endOffsets(List.of(partition), ANSWER_LIMIT).get(partition);
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
}
