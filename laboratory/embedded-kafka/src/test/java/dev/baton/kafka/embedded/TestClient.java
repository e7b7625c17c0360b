package dev.baton.kafka.embedded;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Requests of the tests to a cluster, with Kafka's own clients. */
final class TestClient {
    private static final long LIMIT_SECONDS = 30;

    private final Map<String, Object> settings;

    TestClient(String bootstrapServers) {
        this(bootstrapServers, Map.of());
    }

    TestClient(String bootstrapServers, Map<String, String> more) {
        settings = new HashMap<>(more);
        settings.put("bootstrap.servers", bootstrapServers);
    }

    void createTopic(String name, int replicas) throws Exception {
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.of((short) replicas))))
                    .all()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Returns the brokers that lead topics of one partition. */
    List<Integer> leaders(List<String> topics) throws Exception {
        try (Admin admin = Admin.create(settings)) {
            Map<String, TopicDescription> found =
                    admin.describeTopics(topics).allTopicNames().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            return topics.stream()
                    .map(topic -> found.get(topic).partitions().get(0).leader().id())
                    .toList();
        }
    }

    int brokers() throws Exception {
        try (Admin admin = Admin.create(settings)) {
            return admin.describeCluster()
                    .nodes()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .size();
        }
    }

    void write(String topic, String value) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    String readFirst(String topic) {
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
            while (System.nanoTime() < end) {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    return record.value();
                }
            }
        }
        throw new AssertionError("nothing came within " + LIMIT_SECONDS + " s");
    }
}
