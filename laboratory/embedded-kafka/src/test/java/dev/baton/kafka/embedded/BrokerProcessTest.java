package dev.baton.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
@Tag("long")
class BrokerProcessTest {
    @Test
    void brokerProcessServesClientsAndEnds() throws Exception {
        BrokerCluster broker = BrokerCluster.start();
        ProcessHandle process = ProcessHandle.of(broker.pid(0)).orElseThrow();
        TestClient client = new TestClient(broker.bootstrapServers());
        client.createTopic("topic", 1);
        client.write("topic", "value");
        assertThat(client.readFirst("topic")).isEqualTo("value");
        assertThat(broker.isAlive(0)).isTrue();
        broker.close();
        broker.close();

        assertThat(process.isAlive()).isFalse();
        assertThat(broker.isAlive(0)).isFalse();
    }

    @Test
    void failedStartReportsLastOutput() {
        BrokerProcessOptions options = BrokerProcessOptions.defaults()
                .withKafka(EmbeddedKafkaOptions.defaults().withProperty("num.io.threads", "0"));

        assertThatThrownBy(() -> BrokerCluster.start(options))
                .isInstanceOf(EmbeddedKafkaException.class)
                .hasMessageContainingAll("ended before it was ready", "num.io.threads");
    }

    @Test
    void aStartThatTakesTooLongIsEnded() {
        BrokerProcessOptions options = BrokerProcessOptions.defaults()
                .withJvmFlags(List.of("-Xint")) // some twenty times slower
                .withKafka(EmbeddedKafkaOptions.defaults().withStartTimeout(Duration.ofSeconds(1)));

        assertThatThrownBy(() -> BrokerCluster.start(options))
                .isInstanceOf(EmbeddedKafkaException.class)
                .hasMessageContaining("not ready within 1000 ms");
        assertThat(ProcessHandle.current().children())
                .noneMatch(child -> child.info().commandLine().orElse("").contains("EmbeddedKafkaMain"));
    }

    @Test
    @Tag("slow")
    void killedParentLeavesNoOrphan(@TempDir Path temporary) throws Exception {
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            ProcessHandle broker =
                    ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            assertThat(broker.isAlive()).isTrue();
            assertThat(logDirectories(temporary)).isEqualTo(1);
            parent.destroyForcibly();

            Awaitility.await("the broker's end").atMost(Duration.ofSeconds(30)).until(() -> !broker.isAlive());
            assertThat(logDirectories(temporary)).isZero();
        } finally {
            parent.destroyForcibly();
        }
    }

    private static long logDirectories(Path temporary) throws Exception {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(path -> path.getFileName().toString().startsWith("baton-kafka-"))
                    .count();
        }
    }

    /** A process with a broker that is killed. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println(BrokerCluster.start(BrokerProcessOptions.defaults()
                            .withJvmFlags(List.of("-XX:TieredStopAtLevel=1"))
                            .withKafka(EmbeddedKafkaOptions.defaults().withSecurity(BrokerSecurity.tls())))
                    .pid(0));
            Thread.sleep(Duration.ofMinutes(2).toMillis()); // until it is killed, or nobody came to do it
        }
    }
}
