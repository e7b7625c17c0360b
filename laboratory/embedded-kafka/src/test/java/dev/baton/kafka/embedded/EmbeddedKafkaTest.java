package dev.baton.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.yammer.metrics.core.Histogram;
import com.yammer.metrics.core.Metric;
import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.stats.UniformSample;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(120)
@Tag("long")
class EmbeddedKafkaTest {
    @Test
    void aClosedClusterLeavesNeitherThreadsNorFiles() throws Exception {
        Set<Path> before = temporaryDirectories();
        KafkaThreads threads = new KafkaThreads();
        EmbeddedKafka kafka = EmbeddedKafka.start();
        assertThat(new TestClient(kafka.bootstrapServers()).brokers()).isEqualTo(1);
        assertThat(threads.added()).isNotEmpty();
        kafka.close();
        kafka.close();

        threads.awaitEnd();
        assertThat(temporaryDirectories()).isSubsetOf(before);
    }

    @Test
    void interruptedCloseStopsTheBrokerBeforeItsFilesGo() throws Exception {
        Set<Path> before = temporaryDirectories();
        EmbeddedKafka kafka = EmbeddedKafka.start();
        Thread.currentThread().interrupt();
        try {
            kafka.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(kafka.isRunning(0)).isFalse();
        assertThat(kafka.fault()).isEmpty();
        assertThat(temporaryDirectories()).isSubsetOf(before);
    }

    @Test
    void givenDirectoryIsKeptWithItsTopics(@TempDir Path directory) throws Exception {
        EmbeddedKafkaOptions options = EmbeddedKafkaOptions.defaults().withDirectory(directory);
        try (EmbeddedKafka kafka = EmbeddedKafka.start(options)) {
            TestClient client = new TestClient(kafka.bootstrapServers());
            client.createTopic("kept", 1);
            client.write("kept", "value");
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(options)) {
            assertThat(new TestClient(kafka.bootstrapServers()).readFirst("kept"))
                    .isEqualTo("value");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void takenPortIsReplaced(int taken) throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (ServerSocket somebody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults(), count -> {
                    int[] ports = FreePorts.choose(count);
                    if (attempts.getAndIncrement() == 0) {
                        ports[taken] = somebody.getLocalPort();
                    }
                    return ports;
                })) {
            assertThat(attempts).hasValue(2);
            assertThat(new TestClient(kafka.bootstrapServers()).brokers()).isEqualTo(1);
        }
    }

    @Test
    void twoClustersLiveSideBySide() throws Exception {
        try (EmbeddedKafka one = EmbeddedKafka.start();
                EmbeddedKafka two = EmbeddedKafka.start()) {
            new TestClient(one.bootstrapServers()).createTopic("same", 1);
            new TestClient(two.bootstrapServers()).createTopic("same", 1);
            new TestClient(one.bootstrapServers()).write("same", "one");
            new TestClient(two.bootstrapServers()).write("same", "two");

            assertThat(new TestClient(one.bootstrapServers()).readFirst("same")).isEqualTo("one");
            assertThat(new TestClient(two.bootstrapServers()).readFirst("same")).isEqualTo("two");
        }
    }

    @Test
    void threeNodesGoOnWithoutOneOfThem() throws Exception {
        try (EmbeddedKafka kafka =
                EmbeddedKafka.start(EmbeddedKafkaOptions.defaults().withNodes(3))) {
            TestClient client = new TestClient(kafka.bootstrapServers());
            assertThat(kafka.nodes()).isEqualTo(3);
            Awaitility.await().untilAsserted(() -> assertThat(client.brokers()).isEqualTo(3));
            client.createTopic("replicated", 3);
            for (int node = 0; node < 3; node++) {
                kafka.stopNode(node);
                assertThat(kafka.isRunning(node)).isFalse();
                client.write("replicated", "without node " + node);
                kafka.startNode(node);
                assertThat(kafka.isRunning(node)).isTrue();
            }
            assertThat(client.readFirst("replicated")).isEqualTo("without node 0");
        }
    }

    @Test
    void nodeWithoutQuorumStopsWithinSeconds() {
        EmbeddedKafka kafka =
                EmbeddedKafka.start(EmbeddedKafkaOptions.defaults().withNodes(3));
        kafka.stopNode(0);
        kafka.stopNode(1);

        assertTimeoutPreemptively(Duration.ofSeconds(30), kafka::close);
    }

    @Test
    void requestHistogramsHaveUniformSamples() throws Exception {
        Field sample = Histogram.class.getDeclaredField("sample");
        sample.setAccessible(true);
        List<Object> used = new ArrayList<>();
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            new TestClient(kafka.bootstrapServers()).createTopic("measured", 1);
            for (Map.Entry<MetricName, Metric> each :
                    KafkaYammerMetrics.defaultRegistry().allMetrics().entrySet()) {
                if (each.getKey().getType().equals("RequestMetrics")
                        && each.getValue() instanceof Histogram histogram
                        && histogram.count() > 0) {
                    used.add(sample.get(histogram));
                }
            }
        }
        assertThat(used).isNotEmpty().allMatch(UniformSample.class::isInstance);
    }

    @Test
    void fatalFaultSurfacesWithoutEndingJvm() {
        EmbeddedKafka kafka = EmbeddedKafka.start();
        assertThat(kafka.fault()).isEmpty();
        Thread faulty = new Thread(() -> Exit.halt(3, "disk on fire"), "faulty-broker-thread");
        faulty.setUncaughtExceptionHandler((thread, thrown) -> {});
        faulty.start();
        Awaitility.await().until(() -> kafka.fault().isPresent());

        assertThatThrownBy(kafka::close)
                .isInstanceOf(EmbeddedKafkaException.class)
                .hasMessageContainingAll("faulty-broker-thread", "halt", "status 3", "disk on fire");
        assertThatCode(kafka::close).doesNotThrowAnyException();
    }

    @Test
    void failedStartGivesReasonAndLeavesNothing() throws Exception {
        Set<Path> before = temporaryDirectories();
        KafkaThreads threads = new KafkaThreads();
        EmbeddedKafkaOptions options = EmbeddedKafkaOptions.defaults().withProperty("num.io.threads", "0");

        assertThatThrownBy(() -> EmbeddedKafka.start(options))
                .isInstanceOf(EmbeddedKafkaException.class)
                .hasMessageContaining("num.io.threads");
        threads.awaitEnd();
        assertThat(temporaryDirectories()).isSubsetOf(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4})
    void onlyOneOrThreeNodesAreAllowed(int nodes) {
        assertThatThrownBy(() -> EmbeddedKafkaOptions.defaults().withNodes(nodes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(nodes + " nodes");
    }

    @Test
    void aStartTimeoutHasARange() {
        assertThatThrownBy(() -> EmbeddedKafkaOptions.defaults().withStartTimeout(Duration.ofMillis(10)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Set<Path> temporaryDirectories() throws Exception {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(path -> path.getFileName().toString().startsWith(WorkDirectory.temporaryPrefix()))
                    .collect(Collectors.toSet());
        }
    }
}
