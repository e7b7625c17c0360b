package dev.baton.kafka.connectors;

import dev.baton.spi.errors.TransportException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Requests of a connector to a cluster before it starts. Each blocks for 20 s at most. Thread-safe. */
final class TopicAdmin implements AutoCloseable {
    private static final int LIMIT_MILLIS = 20_000;

    /**
     * The present state of a topic.
     *
     * @param id another one when it was deleted and created again
     * @param partitions their number
     */
    record Description(Uuid id, int partitions) {}

    private final KafkaTopic topic;
    private final Admin admin;

    TopicAdmin(KafkaTopic topic) {
        this.topic = topic;
        Map<String, Object> settings = new HashMap<>(topic.clientProperties());
        settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, topic.bootstrapServers());
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, LIMIT_MILLIS);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, LIMIT_MILLIS / 2);
        this.admin = Admin.create(settings);
    }

    /** Identity and partitions of the topic. */
    Description describe() {
        TopicDescription found = await(askForDescription());
        return new Description(found.topicId(), found.partitions().size());
    }

    /** Asks for the description without waiting for it. */
    KafkaFuture<TopicDescription> askForDescription() {
        return admin.describeTopics(List.of(topic.name())).topicNameValues().get(topic.name());
    }

    /** Returns the offset that a group has committed for a partition, after all open transactions; null for none. */
    OffsetAndMetadata committed(String group, int partition) {
        TopicPartition place = new TopicPartition(topic.name(), partition);
        return await(admin.listConsumerGroupOffsets(group, new ListConsumerGroupOffsetsOptions().requireStable(true))
                        .partitionsToOffsetAndMetadata())
                .get(place);
    }

    /** Returns whether the topic is compacted, so that the broker refuses records without a key; false where that may not be asked. */
    boolean isCompacted() {
        ConfigResource asked = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        try {
            Config found = await(admin.describeConfigs(List.of(asked)).values().get(asked));
            return found.get(TopicConfig.CLEANUP_POLICY_CONFIG).value().contains(TopicConfig.CLEANUP_POLICY_COMPACT);
        } catch (TransportException failed) {
            if (failed.getCause() instanceof AuthorizationException) {
                return false;
            }
            throw failed;
        }
    }

    private <T> T await(KafkaFuture<T> answer) {
        try {
            return answer.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException(topic + ": interrupted during the request", interrupted);
        } catch (TimeoutException noAnswer) {
            throw new TransportException(topic + ": no answer within " + LIMIT_MILLIS / 1000 + " s", noAnswer);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            throw new TransportException(
                    cause instanceof UnknownTopicOrPartitionException
                            ? topic + " does not exist; create it first"
                            : topic + ": " + cause.getMessage(),
                    cause);
        }
    }

    @Override
    public void close() {
        admin.close(java.time.Duration.ofSeconds(1));
    }
}
