package dev.baton.kafka.connectors;

import dev.baton.kafka.embedded.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One broker for all tests of this JVM, and plain Kafka clients at it. */
final class Broker {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private static final class Started {
        static final EmbeddedKafka KAFKA = start();

        private static EmbeddedKafka start() {
            EmbeddedKafka kafka = EmbeddedKafka.start();
            Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "test-broker-close"));
            return kafka;
        }
    }

    private Broker() {}

    static String servers() {
        return Started.KAFKA.bootstrapServers();
    }

    /** A new topic of so many partitions. */
    static KafkaTopic topic(String name, int partitions) throws Exception {
        String unique = name + TOPICS.incrementAndGet();
        create(unique, partitions);
        return KafkaTopic.at(servers(), unique);
    }

    /** A new topic of one partition that is compacted. */
    static KafkaTopic compacted(String name) throws Exception {
        String unique = name + TOPICS.incrementAndGet();
        create(new NewTopic(unique, 1, (short) 1).configs(Map.of("cleanup.policy", "compact")));
        return KafkaTopic.at(servers(), unique);
    }

    static void create(String name, int partitions) throws Exception {
        create(new NewTopic(name, partitions, (short) 1));
    }

    private static void create(NewTopic topic) throws Exception {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers()))) {
            admin.createTopics(List.of(topic)).all().get();
        }
    }

    static void delete(KafkaTopic topic) throws Exception {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers()))) {
            admin.deleteTopics(List.of(topic.name())).all().get();
        }
    }

    /**
     * A plain producer with one request at a time: of several, a broker that has just created the topic may refuse the first one and
     * accept the second, and then never takes the first one again (KAFKA-15591).
     */
    static KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", servers(), "linger.ms", "0", "max.in.flight.requests.per.connection", "1"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    static void write(KafkaTopic topic, String key, String... values) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic.name(), key == null ? null : bytes(key), bytes(value)));
            }
        }
    }

    /** Reads from the beginning with a plain consumer, until there are this many records and no more arrive for a moment. */
    static List<ConsumerRecord<byte[], byte[]>> read(KafkaTopic topic, int count) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", servers(), "isolation.level", "read_committed", "auto.offset.reset", "earliest");
        List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = consumer.partitionsFor(topic.name()).stream()
                    .map(each -> new TopicPartition(topic.name(), each.partition()))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long deadline = System.nanoTime() + 30_000_000_000L;
            int last = -1;
            while (System.nanoTime() < deadline && (read.size() < count || last != read.size())) {
                last = read.size();
                consumer.poll(java.time.Duration.ofMillis(200)).forEach(read::add);
            }
        }
        return read;
    }

    static List<String> values(KafkaTopic topic, int count) {
        return read(topic, count).stream().map(each -> text(each.value())).toList();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
