package dev.baton.examples.systems;

import dev.baton.measuring.system.SystemUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;

/** A producer and a consumer of Kafka's client with a topic of one partition between them. Thread-safe. */
public final class PlainKafka implements SystemUnderTest {
    @Override
    public Description describe() {
        return new Description("plain-kafka", "a producer and a consumer", Map.of("bootstrap-servers", ""), Map.of());
    }

    @Override
    public Instance open(Setting setting, Receiver receiver) {
        var servers =
                Map.<String, Object>of("bootstrap.servers", setting.options().get("bootstrap-servers"));
        try (Admin admin = Admin.create(servers)) {
            admin.createTopics(List.of(new NewTopic(setting.name(), 1, (short) 1)));
        }
        var bytes = Serdes.ByteArray();
        var producer = new KafkaProducer<>(servers, bytes.serializer(), bytes.serializer());
        producer.partitionsFor(setting.name());
        var consumer = new KafkaConsumer<>(servers, bytes.deserializer(), bytes.deserializer());
        consumer.assign(List.of(new TopicPartition(setting.name(), 0)));
        consumer.seekToBeginning(consumer.assignment());
        return new Instance() {
            @Override
            public boolean trySend(byte[] message) {
                return producer.send(new ProducerRecord<>(setting.name(), message)) != null;
            }

            @Override
            public void poll() {
                consumer.poll(Duration.ofSeconds(1)).forEach(each -> receiver.onMessage(each.value()));
            }

            @Override
            public void close() {
                producer.close();
                consumer.close();
            }
        };
    }
}
