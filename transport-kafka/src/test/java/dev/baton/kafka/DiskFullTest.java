package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A broker whose disk is full: the writer says which topic is not stored, within its delivery timeout. */
@Tag("slow")
@Timeout(120)
@EnabledOnOs(value = OS.LINUX, disabledReason = "a small file system is mounted: tmpfs")
@Tag("long")
class DiskFullTest {
    private static final Duration DELIVERY = Duration.ofSeconds(3);
    private static final int MEGABYTES = 48;
    private static final String TOPIC = "full";
    private static final int PAYLOAD = 10_000;

    private Path mounted;

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (mounted != null) {
            assertThat(run("umount", mounted.toString())).isEmpty();
            Files.delete(mounted);
        }
    }

    @Test
    void writerFailsWithinDeliveryTimeoutAndNamesTopic() throws Exception {
        mount();
        BrokerProcessOptions options = BrokerProcessOptions.defaults()
                .withHeapMegabytes(256)
                .withJvmFlags(List.of("-XX:TieredStopAtLevel=1"))
                .withKafka(EmbeddedKafkaOptions.defaults().withDirectory(mounted.resolve("broker")));
        try (BrokerCluster broker = BrokerCluster.start(options);
                KafkaTransport transport = KafkaTransport.at(KafkaOptions.at(broker.bootstrapServers())
                        .with(KafkaOptions.TIMEOUT, Duration.ofSeconds(20))
                        .with(KafkaOptions.DELIVERY_TIMEOUT, DELIVERY))) {
            transport.createTopics(List.of(TOPIC));
            Connection connection = transport.connect();
            try {
                TopicProbe topic = new TopicProbe(TOPIC, connection, new Turns(Duration.ofSeconds(30), connection));
                long[] lastStoredNanos = {System.nanoTime()};
                assertThatThrownBy(() -> writeForEver(topic, lastStoredNanos))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining(TOPIC);
                Duration told = Duration.ofNanos(System.nanoTime() - lastStoredNanos[0]);
                assertThat(told).isLessThan(DELIVERY.plusSeconds(10));
                long stored = topic.writer().storedSequence();
                assertThat(stored).isBetween(100L, ((long) MEGABYTES << 20) / PAYLOAD);
                assertThatThrownBy(() -> topic.writer().claim(1)).isInstanceOf(TransportException.class);
            } finally {
                connection.close();
            }
        }
    }

    private static void writeForEver(TopicProbe topic, long[] lastStoredNanos) {
        String text = "x".repeat(PAYLOAD);
        while (true) {
            topic.write(text);
            topic.awaitStored();
            lastStoredNanos[0] = System.nanoTime();
        }
    }

    private void mount() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("baton-full").toRealPath();
        String refusal = run("mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES + "m", "tmpfs", directory.toString());
        if (!refusal.isEmpty()) {
            Files.delete(directory);
        }
        Assumptions.assumeTrue(refusal.isEmpty(), "no small file system can be mounted here: " + refusal);
        mounted = directory;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException noSuchProgram) {
            return noSuchProgram.getMessage();
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? "" : command[0] + ": " + said;
    }
}
