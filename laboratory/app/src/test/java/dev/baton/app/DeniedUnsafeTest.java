package dev.baton.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.aeron.AeronTransport;
import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.ArchiveTransport;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.kafka.KafkaTransport;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.lab.study.chaos.ArchiveProcess;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import io.aeron.archive.ArchivingMediaDriver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;

/** The table of {@code docs/running.md}: chains in a JVM that denies {@code sun.misc.Unsafe}, which JDK 17 cannot. */
@EnabledForJreRange(minVersion = 24)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeniedUnsafeTest {
    private static final String CARRIED = "carried a message";

    @TempDir
    private Path directory;

    /** The program of the JVM: one chain over the transport that the first argument names, at the place that the second names. */
    static final class Carrying {
        public static void main(String[] arguments) throws InterruptedException {
            ArchivingMediaDriver archive = archive(arguments[0], arguments[1]);
            try {
                carry(arguments[0], arguments[1]);
            } finally {
                CloseHelper.close(archive);
            }
        }

        private static void carry(String name, String place) throws InterruptedException {
            CountDownLatch received = new CountDownLatch(1);
            try (Transport transport = open(name, place);
                    Loops loops = Loops.cooperative(1);
                    RunningChain chain = Chain.named("denied")
                            .then("service", () -> (in, out) -> out.forward(in))
                            .build()
                            .on(transport)
                            .with(loops)
                            .onOutput(message -> received.countDown())
                            .start()) {
                chain.inlet().tryClaim(8).putLong(0, 1).commit(8);
                if (received.await(60, TimeUnit.SECONDS)) {
                    System.out.println(CARRIED);
                }
            }
        }

        /** Launches driver and Archive in this JVM; null for another transport. */
        private static ArchivingMediaDriver archive(String transport, String place) {
            return transport.equals("aeron-archive") ? ArchiveProcess.launch(Path.of(place), 0) : null;
        }

        private static Transport open(String transport, String place) {
            return switch (transport) {
                case "disruptor" -> DisruptorTransport.create();
                case "aeron" -> AeronTransport.open();
                case "aeron-archive" ->
                    ArchiveTransport.open(ArchiveOptions.defaults()
                            .with(ArchiveOptions.DRIVER, ArchiveProcess.driver(Path.of(place))));
                case "chronicle" -> ChronicleTransport.in(Path.of(place));
                default -> KafkaTransport.at(place);
            };
        }
    }

    private static String run(String transport, String place) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--sun-misc-unsafe-memory-access=deny",
                "--enable-native-access=ALL-UNNAMED"));
        for (String opened : List.of("java.lang", "java.lang.reflect", "sun.nio.ch", "jdk.internal.misc")) {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        for (String exported : List.of("jdk.internal.ref", "jdk.internal.misc", "sun.nio.ch")) {
            command.add("--add-exports=java.base/" + exported + "=ALL-UNNAMED");
        }
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), Carrying.class.getName(), transport, place));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void disruptorNeedsNoUnsafe() throws Exception {
        assertThat(run("disruptor", "")).contains(CARRIED);
    }

    @Test
    void aeronNeedsNoUnsafe() throws Exception {
        assertThat(run("aeron", "")).contains(CARRIED);
    }

    @Test
    void driverAndArchiveNeedNoUnsafe() throws Exception {
        assertThat(run("aeron-archive", directory.toString())).contains(CARRIED);
    }

    @Test
    void kafkaNeedsNoUnsafe() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start()) {
            assertThat(run("kafka", broker.bootstrapServers())).contains(CARRIED);
        }
    }

    @Test
    void chronicleIsRefusedWithoutUnsafe() throws Exception {
        assertThat(run("chronicle", directory.toString()))
                .doesNotContain(CARRIED)
                .contains("Exception");
    }
}
