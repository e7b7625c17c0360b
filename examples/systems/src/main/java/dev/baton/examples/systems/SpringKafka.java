package dev.baton.examples.systems;

import dev.baton.measuring.system.SystemUnderTest;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;

/** A template and a listener of Spring for Apache Kafka with a topic of one partition between them. Thread-safe. */
public final class SpringKafka implements SystemUnderTest {
    @Override
    public Description describe() {
        return new Description("spring-kafka", "a template and a listener", Map.of("bootstrap-servers", ""), Map.of());
    }

    @Override
    public Instance open(Setting setting, Receiver receiver) {
        var servers =
                Map.<String, Object>of("bootstrap.servers", setting.options().get("bootstrap-servers"));
        new KafkaAdmin(servers).createOrModifyTopics(new NewTopic(setting.name(), 1, (short) 1));
        var serializer = new ByteArraySerializer();
        var template = new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(servers, serializer, serializer));
        template.partitionsFor(setting.name());
        var deserializer = new ByteArrayDeserializer();
        var consumers = new DefaultKafkaConsumerFactory<>(servers, deserializer, deserializer);
        var properties = new ContainerProperties(setting.name());
        properties.setGroupId(setting.name());
        properties.getKafkaConsumerProperties().setProperty("auto.offset.reset", "earliest");
        properties.setMessageListener((MessageListener<byte[], byte[]>) each -> receiver.onMessage(each.value()));
        var container = new KafkaMessageListenerContainer<>(consumers, properties);
        container.start();
        return new Instance() {
            @Override
            public boolean trySend(byte[] message) {
                return template.send(setting.name(), message) != null;
            }

            @Override
            public void close() {
                container.stop();
                template.destroy();
            }
        };
    }
}
