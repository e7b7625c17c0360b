package dev.baton.spring;

import dev.baton.Deployment;
import dev.baton.kafka.connectors.KafkaSink;
import dev.baton.kafka.connectors.KafkaSource;
import dev.baton.kafka.connectors.KafkaTopic;
import dev.baton.spring.BatonProperties.ChainSettings;
import java.util.Map;

/** Plain Kafka topics as the source and the end of chains. Stateless. */
final class KafkaEnds {
    private final BatonProperties properties;

    KafkaEnds(BatonProperties properties) {
        this.properties = properties;
    }

    /** Returns the number of partitions of the source; 0 for one, or where there is no source. Blocks. */
    int apply(ChainSettings settings, Deployment deployment) {
        int partitions = 0;
        if (settings.fromKafka() != null) {
            KafkaTopic from = topic(settings.fromKafka());
            KafkaSource source = KafkaSource.of(from);
            deployment.fromEach(
                    properties.kafkaTopics().valuesOnly() ? source.valuesOnly(settings.fromKafkaType()) : source);
            int counted = settings.partitions() == null ? from.partitions() : 0;
            partitions = counted == 1 ? 0 : counted;
        }
        if (settings.toKafka() != null) {
            deployment.onOutput(KafkaSink.to(topic(settings.toKafka())));
        }
        return partitions;
    }

    private KafkaTopic topic(String name) {
        String servers = properties.kafkaTopics().bootstrapServers();
        if (servers == null) {
            servers = BatonTransports.typed(properties, "kafka", "bootstrap-servers");
        }
        if (servers == null) {
            throw BatonTransports.invalid(
                    "baton.kafka-topics.bootstrap-servers",
                    "",
                    "topic '" + name + "' is of a cluster; set its host:port, several with commas");
        }
        KafkaTopic topic = KafkaTopic.at(servers, name);
        for (Map.Entry<String, String> each : properties.kafkaTopics().client().entrySet()) {
            topic = topic.with(each.getKey(), each.getValue());
        }
        return topic;
    }
}
