package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Over brokers that are content with one copy, as brokers are unless told otherwise, a stored frame has two. */
@Tag("long")
class InSyncReplicasTest extends OnBroker {
    private static EmbeddedKafka brokers;

    @BeforeAll
    static void start() {
        brokers = EmbeddedKafka.start(
                EmbeddedKafkaOptions.defaults().withNodes(3).withProperty("min.insync.replicas", "1"));
    }

    @AfterAll
    static void stop() {
        brokers.close();
    }

    @Test
    void replicatedTopicsRequireTwoReplicasInSync() throws Exception {
        assertThat(inSyncOf(newTopic(to(options -> options))))
                .as("three replicas")
                .isEqualTo("2, own");
        assertThat(inSyncOf(newTopic(to(options -> options.with(KafkaOptions.REPLICATION, 2)))))
                .as("two replicas")
                .isEqualTo("2, own");
        assertThat(inSyncOf(newTopic(to(options -> options.with(KafkaOptions.REPLICATION, 1)))))
                .as("one replica")
                .isEqualTo("1, the brokers'");
    }

    @Test
    void whatIsAskedForCounts() throws Exception {
        assertThat(inSyncOf(newTopic(to(options -> options.withPassed("topic.min.insync.replicas", "3")))))
                .isEqualTo("3, own");
        assertThat(inSyncOf(newTopic(to(options -> options.withPassed("topic.min.insync.replicas", "1")))))
                .isEqualTo("1, own");
    }

    @Test
    void replicatedDurabilityNeedsTwoReplicasInSync() {
        KafkaTransport replicated = to(options -> options.with(KafkaOptions.DURABILITY, Durability.REPLICATED));
        Connection connection = connect(replicated);
        TopicProbe topic = probe(newTopic(replicated), connection);
        topic.write("on two");
        topic.awaitStored();
        String single = newTopic(to(options -> options.withPassed("topic.min.insync.replicas", "1")));
        String unclean = newTopic(to(options -> options.withPassed("topic.unclean.leader.election.enable", "true")));

        assertThatThrownBy(() -> connection.openWriter(single))
                .hasMessageContainingAll(single, "3 replicas", "min.insync.replicas=1");
        assertThatThrownBy(() -> connection.openWriter(unclean))
                .hasMessageContainingAll(unclean, "unclean.leader.election.enable=true");
    }

    @Test
    void frameOnOneBrokerAloneIsNotStored() {
        KafkaTransport transport = to(options ->
                options.with(KafkaOptions.REPLICATION, 2).with(KafkaOptions.DELIVERY_TIMEOUT, Duration.ofSeconds(2)));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("on two");
        topic.awaitStored();
        int follower = followerOf(topic.name());
        brokers.stopNode(follower);
        try {
            awaitAlone(topic.name());
            topic.write("on one");
            assertThatThrownBy(topic::awaitStored)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(topic.name(), "after 1 ");
        } finally {
            brokers.startNode(follower);
        }
    }

    private KafkaTransport to(UnaryOperator<KafkaOptions> change) {
        return closing(KafkaTransport.at(change.apply(KafkaOptions.at(brokers.bootstrapServers()))));
    }

    private static void awaitAlone(String topic) {
        new Turns(LONGEST_WAIT)
                .until("one replica in sync", () -> partition(topic).isr().size() == 1);
    }

    private static int followerOf(String topic) {
        TopicPartitionInfo partition = partition(topic);
        return partition.replicas().stream()
                .filter(node -> node.id() != partition.leader().id())
                .findFirst()
                .orElseThrow()
                .id();
    }

    private static TopicPartitionInfo partition(String topic) {
        try (Admin admin = admin()) {
            return admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .get(0);
        } catch (ExecutionException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The number, and whose it is. */
    private static String inSyncOf(String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = admin()) {
            ConfigEntry entry = Awaitility.await()
                    .ignoreExceptionsInstanceOf(ExecutionException.class) // of a broker that has not heard of the topic
                    .until(
                            () -> admin.describeConfigs(List.of(resource))
                                    .all()
                                    .get()
                                    .get(resource)
                                    .get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                            Objects::nonNull);
            boolean isOwn = entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG;
            return entry.value() + (isOwn ? ", own" : ", the brokers'");
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers.bootstrapServers()));
    }
}
