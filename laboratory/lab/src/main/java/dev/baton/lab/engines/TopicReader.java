package dev.baton.lab.engines;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** One consumer with its topic. Confined to the thread that opens it. */
final class TopicReader {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

    private final ClientConfigs configs;
    private final String topic;
    private final Duration wait;
    private KafkaConsumer<byte[], byte[]> consumer;

    TopicReader(ClientConfigs configs, String topic, PollWait wait) {
        this.configs = configs;
        this.topic = topic;
        this.wait = wait.duration();
    }

    /** Blocks until the consumer knows where it begins. */
    void open() {
        consumer =
                new KafkaConsumer<>(configs.consumer(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.assign(List.of(partition));
        consumer.position(partition);
    }

    ConsumerRecords<byte[], byte[]> poll() {
        return consumer.poll(wait);
    }

    /** Whether what was polled is all that the topic holds. Asks the broker; false where it does not answer. */
    boolean isAtEnd() {
        TopicPartition partition = new TopicPartition(topic, 0);
        try {
            return consumer.position(partition, ANSWER_LIMIT)
                    >= consumer.endOffsets(List.of(partition), ANSWER_LIMIT).get(partition);
        } catch (TimeoutException silent) {
            return false;
        }
    }

    void close() {
        if (consumer != null) {
            consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
        }
    }
}
