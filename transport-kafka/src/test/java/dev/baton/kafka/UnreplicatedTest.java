package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker and a writer die together: what only the other brokers have of its frames is not written a second time. */
@Tag("long")
@Tag("slow")
class UnreplicatedTest extends OnBroker {
    private static final String GROUPS = "__consumer_offsets";
    private static final String ENDS = KafkaOptions.GROUP_PREFIX.spec().defaultValue() + "@end";

    private static BrokerCluster brokers;

    @BeforeAll
    static void start() {
        brokers = BrokerCluster.start(BrokerProcessOptions.defaults()
                .withJvmFlags(List.of("-XX:TieredStopAtLevel=1"))
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
    void writerWaitsForFramesMissingOnSomeBrokers() throws Exception {
        KafkaTransport dying = to(Duration.ofSeconds(30));
        Connection writing = connect(dying);
        TopicProbe begun = probe(newTopic(dying), writing);
        begun.write("stored", "stored", "stored");
        begun.awaitStored();
        brokers.kill(withoutLeaderOf(begun));
        begun.write("under way"); // a broker takes no second request of a connection before this one is answered
        turns(writing)
                .until(
                        "all on the leader",
                        () -> recordsOnLeader(begun) == 1 + begun.writer().sequence()); // its marker, too

        Connection impatient = connect(to(Duration.ofSeconds(2)));
        assertThatThrownBy(() -> impatient.openWriter(begun.name()))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(begun.name(), "not readable yet", "2000 ms");
        Connection patient = connect(to(Duration.ofSeconds(60)));
        assertThat(patient.openWriter(begun.name()).sequence())
                .isEqualTo(begun.writer().sequence());
        closeReplaced(writing);
    }

    /** Closes the connection of the writer that was replaced, which may find that out now. */
    private static void closeReplaced(Connection connection) {
        try {
            connection.close();
        } catch (ReplacedException replaced) {
            assertThat(replaced).hasMessageContaining("none is dropped");
        }
    }

    private KafkaTransport to(Duration timeout) {
        return closing(
                KafkaTransport.at(KafkaOptions.at(brokers.bootstrapServers()).with(KafkaOptions.TIMEOUT, timeout)));
    }

    /** Returns a broker that neither leads the topic nor coordinates the group of recorded ends, which an opening asks, too. */
    private static int withoutLeaderOf(TopicProbe topic) throws Exception {
        try (Admin admin = admin()) {
            Map<String, TopicDescription> described = admin.describeTopics(List.of(topic.name(), GROUPS))
                    .allTopicNames()
                    .get();
            List<TopicPartitionInfo> groups = described.get(GROUPS).partitions();
            int coordinator = groups.get(Utils.abs(ENDS.hashCode()) % groups.size())
                    .leader()
                    .id();
            int leader =
                    described.get(topic.name()).partitions().get(0).leader().id();
            return admin.describeCluster().nodes().get().stream()
                    .map(Node::id)
                    .filter(id -> id != leader && id != coordinator)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static long recordsOnLeader(TopicProbe topic) {
        TopicPartition partition = TopicNames.partitionOf(topic.name());
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
