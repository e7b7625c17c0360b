package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.codec.TypedService;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs without Baton, at both ends of a chain: Debian's kcat, and Kafka's console producer and consumer. Without kcat on the PATH its
 * test is skipped, unless the variable BATON_KCAT is {@code required}.
 */
@Tag("slow")
@Timeout(60)
class ForeignToolsTest {
    private static final Chain UPPER = Chain.named("upper")
            .then(
                    "upper",
                    TypedService.mapping(
                            KafkaRecord.CODEC,
                            KafkaRecord.CODEC,
                            record ->
                                    record.withValue(Broker.bytes(record.text().toUpperCase(Locale.ROOT)))))
            .build();

    @TempDir
    Path directory;

    @Test
    void kcatWritesTheInputAndReadsTheOutput() throws Exception {
        boolean isThere = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kcat")));
        Assumptions.assumeTrue(isThere || "required".equals(System.getenv("BATON_KCAT")), "kcat is not installed");
        KafkaTopic in = Broker.topic("kcat-in", 1);
        KafkaTopic out = Broker.topic("kcat-out", 1);
        run("a:first\nb:second\n", "kcat", "-b", Broker.servers(), "-P", "-t", in.name(), "-K", ":", "-H", "trace=42");
        pass(in, out, 2);
        String read = run("", "kcat", "-b", Broker.servers(), "-C", "-q", "-e", "-t", out.name(), "-f", "%k=%s [%h]\n");
        assertThat(read).isEqualTo("a=FIRST [trace=42]\nb=SECOND [trace=42]\n");
    }

    @Test
    void consoleToolsWriteInputAndReadOutput() throws Exception {
        KafkaTopic in = Broker.topic("console-in", 1);
        KafkaTopic out = Broker.topic("console-out", 1);
        run(
                "a:first\nb:second\n",
                java(
                        "org.apache.kafka.tools.ConsoleProducer",
                        "--bootstrap-server",
                        Broker.servers(),
                        "--topic",
                        in.name(),
                        "--reader-property",
                        "parse.key=true",
                        "--reader-property",
                        "key.separator=:"));
        pass(in, out, 2);
        String read = run(
                "",
                java(
                        "org.apache.kafka.tools.consumer.ConsoleConsumer",
                        "--bootstrap-server",
                        Broker.servers(),
                        "--topic",
                        out.name(),
                        "--from-beginning",
                        "--max-messages",
                        "2",
                        "--formatter-property",
                        "print.key=true"));
        assertThat(read).contains("a\tFIRST\nb\tSECOND\n");
    }

    private void pass(KafkaTopic in, KafkaTopic out, int count) {
        try (Transport transport = ChronicleTransport.in(directory);
                Loops loops = Loops.cooperative(1);
                RunningChain running = UPPER.on(transport)
                        .with(loops)
                        .fromEach(KafkaSource.of(in))
                        .onOutput(KafkaSink.to(out))
                        .start()) {
            assertThat(Broker.read(out, count)).hasSize(count);
            assertThat(running.failure()).isEmpty();
        }
    }

    private static String[] java(String main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }

    private static String run(String input, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            try (OutputStream to = process.getOutputStream()) {
                to.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
