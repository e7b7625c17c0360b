package dev.baton.kafka.connectors;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A plain Kafka topic that programs without Baton read or write. Immutable, thread-safe.
 *
 * @param bootstrapServers {@code host:port}, several with commas
 * @param name of the topic, which has to exist
 * @param clientProperties for all clients, such as {@code security.protocol}
 */
public record KafkaTopic(String bootstrapServers, String name, Map<String, String> clientProperties) {
    /**
     * Copies the properties.
     *
     * @param bootstrapServers {@code host:port}, several with commas
     * @param name of the topic, which has to exist
     * @param clientProperties for all clients, such as {@code security.protocol}
     */
    public KafkaTopic {
        Objects.requireNonNull(bootstrapServers, "bootstrap servers");
        Objects.requireNonNull(name, "topic name");
        clientProperties = Map.copyOf(clientProperties);
    }

    /**
     * {@return the topic of this name} Does not connect.
     *
     * @param bootstrapServers {@code host:port}, several with commas
     * @param name of the topic, which has to exist
     */
    public static KafkaTopic at(String bootstrapServers, String name) {
        return new KafkaTopic(bootstrapServers, name, Map.of());
    }

    /**
     * {@return the same topic with a property for all clients}
     *
     * @param property as Kafka names it, such as {@code security.protocol}
     * @param value as Kafka takes it
     */
    public KafkaTopic with(String property, String value) {
        Map<String, String> more = new LinkedHashMap<>(clientProperties);
        more.put(property, value);
        return new KafkaTopic(bootstrapServers, name, more);
    }

    /**
     * Reads the number of partitions from the cluster, for {@code Deployment.partitions}. Blocks.
     *
     * @return the number, from 1
     * @throws dev.baton.spi.errors.TransportException when there is no such topic, or no answer within 20 s
     */
    public int partitions() {
        try (TopicAdmin admin = new TopicAdmin(this)) {
            return admin.describe().partitions();
        }
    }

    /** Names the topic without the properties, which may hold secrets. */
    @Override
    public String toString() {
        return "topic '" + name + "' at " + bootstrapServers;
    }
}
