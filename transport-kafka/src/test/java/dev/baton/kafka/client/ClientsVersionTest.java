package dev.baton.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.kafka.KafkaClientProcess;
import dev.baton.kafka.KafkaTransport;
import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A framework replaces kafka-clients by a version of its own: the start says so, before a class fails to load. */
@Timeout(60)
@Tag("slow")
class ClientsVersionTest {
    @Test
    void checkNamesTheVersionOfTheBuild() {
        assertThat(ClientsVersion.BUILT_WITH).isEqualTo(ClientsVersion.found());
        assertThatCode(ClientsVersion::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.9.1", "4.0.2", "2.0", "5.0.0", "4.0.0-SNAPSHOT"})
    void oldVersionIsRefusedNamingBothAndRemedy(String version) {
        assertThatThrownBy(() -> ClientsVersion.check(version))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("kafka-clients " + version + " is on the class path")
                .hasMessageContaining("needs 4.1 or a later 4.x (built with " + ClientsVersion.BUILT_WITH + ")")
                .hasMessageContaining("import dev.baton:baton-bom before the framework's BOM")
                .hasMessageContaining("kafka.version=" + ClientsVersion.BUILT_WITH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.1.0", "4.3.1", "4.10.0", "4.3.1-vendor-7", "unknown", ""})
    void laterVersionsAndThoseOfNobodyPass(String version) {
        assertThatCode(() -> ClientsVersion.check(version)).doesNotThrowAnyException();
    }

    /** The jar itself, in a JVM of its own; target/old-clients is filled by the build. */
    @Test
    void programOverOldJarEndsWithOneSentence() throws Exception {
        String said = KafkaClientProcess.run(withClients("3.9.1"), Client.class, "127.0.0.1:1");

        assertThat(said)
                .contains("refused: kafka-clients 3.9.1 is on the class path")
                .doesNotContain("VerifyError");
    }

    @Test
    void programOverVersionOfBuildRuns() throws Exception {
        try (BrokerCluster broker = BrokerCluster.start(BrokerProcessOptions.defaults()
                .withHeapMegabytes(256)
                .withJvmFlags(List.of("-XX:TieredStopAtLevel=1")))) {
            String said = KafkaClientProcess.run(
                    System.getProperty("java.class.path"), Client.class, broker.bootstrapServers());

            assertThat(said).contains("delivered");
        }
    }

    /** The class path of this test with another kafka-clients. */
    private static String withClients(String version) {
        Path old = Path.of("target", "old-clients", "kafka-clients-" + version + ".jar");
        assertThat(Files.isRegularFile(old))
                .as("%s, which the build puts there", old)
                .isTrue();
        return Stream.concat(
                        Stream.of(old.toString()),
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                                .filter(entry -> !entry.contains("kafka-clients")))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** A chain over Kafka, one message long. */
    static final class Client {
        private Client() {}

        public static void main(String[] arguments) throws InterruptedException {
            CountDownLatch delivered = new CountDownLatch(1);
            Chain chain = Chain.named("probe")
                    .then("pass", () -> (in, out) -> out.forward(in))
                    .build();
            try (KafkaTransport transport = KafkaTransport.at(arguments[0]);
                    Loops loops = Loops.cooperative(1);
                    RunningChain running = chain.on(transport)
                            .with(loops)
                            .openWithin(Duration.ofSeconds(20))
                            .onOutput(in -> delivered.countDown())
                            .start()) {
                running.inlet().send(new byte[8]);
                System.out.println(delivered.await(20, TimeUnit.SECONDS) ? "delivered" : "not delivered");
            } catch (TransportException refused) {
                System.out.println("refused: " + refused.getMessage());
            }
        }
    }
}
