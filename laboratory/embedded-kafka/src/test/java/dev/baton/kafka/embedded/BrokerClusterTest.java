package dev.baton.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Tag("long")
@Timeout(180)
class BrokerClusterTest {
    @Test
    void killedBrokerRestartsWithRecordsAndPort() throws Exception {
        try (BrokerCluster cluster = BrokerCluster.start(options(1))) {
            TestClient client = new TestClient(cluster.bootstrapServers());
            client.createTopic("topic", 1);
            client.write("topic", "value");
            long before = cluster.pid(0);
            cluster.kill(0);
            assertThat(cluster.isAlive(0)).isFalse();
            assertThat(cluster.pids()).isEmpty();

            cluster.restart(0);
            assertThat(cluster.pid(0)).isNotEqualTo(before);
            assertThat(client.readFirst("topic")).isEqualTo("value");
        }
    }

    @Test
    void eachOfThreeBrokersMayBeKilled(@TempDir Path directory) throws Exception {
        List<Long> pids;
        try (BrokerCluster cluster =
                BrokerCluster.start(options(3).withKafka(options(3).kafka().withDirectory(directory)))) {
            assertThat(cluster.bootstrapServers().split(",")).hasSize(3);
            assertThat(cluster.pids()).hasSize(3).doesNotHaveDuplicates();
            TestClient client = new TestClient(cluster.bootstrapServers());
            client.createTopic("topic", 3);
            client.write("topic", "value");
            for (int broker = 0; broker < 3; broker++) {
                cluster.kill(broker);
                assertThat(cluster.pids()).hasSize(2);
                assertThat(client.readFirst("topic")).isEqualTo("value");
                cluster.restart(broker);
            }
            pids = cluster.pids();
        }
        assertThat(pids).hasSize(3).allMatch(pid -> ProcessHandle.of(pid).isEmpty());
        assertThat(Files.list(directory))
                .as("a directory that was given is kept")
                .hasSize(3);
    }

    @Test
    void leadersAreSpreadInTheOrderOfTopics() throws Exception {
        try (BrokerCluster cluster = BrokerCluster.start(options(3))) {
            TestClient client = new TestClient(cluster.bootstrapServers());
            List<String> topics =
                    IntStream.range(0, 9).mapToObj(i -> "topic-" + i).toList();
            for (String topic : topics) {
                client.createTopic(topic, 3);
            }

            LeaderPlacement.spread(cluster.bootstrapServers(), Duration.ofSeconds(30));
            assertThat(client.leaders(topics)).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
            client.write("topic-8", "value");
            assertThat(client.readFirst("topic-8")).isEqualTo("value");
        }
    }

    @Test
    void aStartThatFailsLeavesNoProcessBehind() {
        BrokerProcessOptions wrong = BrokerProcessOptions.defaults()
                .withKafka(EmbeddedKafkaOptions.defaults().withNodes(3).withProperty("num.io.threads", "0"));

        assertThatThrownBy(() -> BrokerCluster.start(wrong))
                .isInstanceOf(EmbeddedKafkaException.class)
                .hasMessageContainingAll("ended before it was ready", "num.io.threads");
        assertThat(ProcessHandle.current().children())
                .noneMatch(child -> child.info().commandLine().orElse("").contains("EmbeddedKafkaMain"));
    }

    @Test
    void missingBrokerOrLinkIsRefused() {
        try (BrokerCluster cluster = BrokerCluster.start(options(1))) {
            assertThatThrownBy(() -> cluster.kill(1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("broker 1; 0 to 0 are there");
            assertThatThrownBy(() -> cluster.linkToClients(0)).hasMessage("this cluster was started without links");
        }
    }

    @Test
    void clientSurvivesHeldHealedAndResetLink() throws Exception {
        try (BrokerCluster cluster = BrokerCluster.start(options(1).withLinks())) {
            TestClient client = new TestClient(cluster.bootstrapServers());
            client.createTopic("topic", 1);
            client.write("topic", "value");
            FaultyLink link = cluster.linkToClients(0);
            assertThat(cluster.bootstrapServers()).endsWith(":" + link.port());

            link.hold();
            CompletableFuture<Void> write = CompletableFuture.runAsync(() -> write(client, "held"));
            assertThatThrownBy(() -> write.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            link.heal();
            write.get(60, TimeUnit.SECONDS);
            link.reset();
            cluster.linkToBrokers(0).reset();
            write(client, "more");
            assertThat(client.readFirst("topic")).isEqualTo("value");
        }
    }

    private static void write(TestClient client, String value) {
        try {
            client.write("topic", value);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static BrokerProcessOptions options(int nodes) {
        return BrokerProcessOptions.defaults()
                .withJvmFlags(List.of("-XX:TieredStopAtLevel=1"))
                .withKafka(EmbeddedKafkaOptions.defaults().withNodes(nodes));
    }
}
