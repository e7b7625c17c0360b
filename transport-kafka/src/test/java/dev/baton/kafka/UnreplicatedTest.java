package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.TransportException;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker and a writer die together: what only the other brokers have of its frames is not written a second time. */
@Tag("long")
@Tag("crash")
class UnreplicatedTest extends OnBroker {
    private static final int UNDER_WAY = 2; // of two topics, perhaps to one broker, which takes 5 requests at a time

    private static BrokerCluster brokers;

    @BeforeAll
    static void start() {
        brokers = BrokerCluster.start(BrokerProcessOptions.defaults()
                .withKafka(EmbeddedKafkaOptions.defaults()
                        .withNodes(3)
                        .withProperty("broker.session.timeout.ms", "20000")
                        .withStartTimeout(Duration.ofMinutes(2))));
    }

    @AfterAll
    static void stop() {
        brokers.close();
    }

    @Test
    void aWriterWaitsForFramesThatNotAllBrokersHave() throws Exception {
        KafkaTransport dying = to(Duration.ofSeconds(30));
        Connection writing = connect(dying);
        TopicProbe begun = probe(newTopic(dying), writing);
        begun.write("stored", "stored", "stored");
        begun.awaitStored();
        TopicProbe empty = probe(newTopic(dying), writing);
        List<TopicProbe> topics = List.of(begun, empty);
        for (TopicProbe topic : topics) {
            topic.writer();
        }
        brokers.kill(withoutLeaderOf(topics));
        for (TopicProbe topic : topics) {
            for (int i = 0; i < UNDER_WAY; i++) {
                topic.write("under way");
            }
            turns(writing)
                    .until(
                            "all on the leader",
                            () -> framesOnLeader(topic) == topic.writer().sequence());
        }

        Connection impatient = connect(to(Duration.ofSeconds(2)));
        Connection patient = connect(to(Duration.ofSeconds(60)));
        for (TopicProbe topic : topics) {
            assertThatThrownBy(() -> impatient.openWriter(topic.name()))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(topic.name(), "not readable yet", "2000 ms");
        }
        for (TopicProbe topic : topics) {
            assertThat(patient.openWriter(topic.name()).sequence())
                    .isEqualTo(topic.writer().sequence());
        }
    }

    private KafkaTransport to(Duration timeout) {
        return closing(
                KafkaTransport.at(KafkaOptions.at(brokers.bootstrapServers()).withTimeout(timeout)));
    }

    private static int withoutLeaderOf(List<TopicProbe> topics) throws Exception {
        try (Admin admin = admin()) {
            Set<Integer> leaders = admin
                    .describeTopics(topics.stream().map(TopicProbe::name).toList())
                    .allTopicNames()
                    .get()
                    .values()
                    .stream()
                    .map(topic -> topic.partitions().get(0).leader().id())
                    .collect(Collectors.toSet());
            return admin.describeCluster().nodes().get().stream()
                    .map(Node::id)
                    .filter(id -> !leaders.contains(id))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static long framesOnLeader(TopicProbe topic) {
        TopicPartition partition = Topics.partitionOf(topic.name());
        try (Admin admin = admin()) {
            return admin
                    .describeProducers(List.of(partition))
                    .partitionResult(partition)
                    .get()
                    .activeProducers()
                    .stream()
                    .mapToLong(producer -> producer.lastSequence() + 1)
                    .sum();
        } catch (ExecutionException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers.bootstrapServers()));
    }
}
