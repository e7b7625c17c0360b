package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.kafka.KafkaTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process with a chain between two plain topics is killed at random moments, again and again. The account of what a plain
 * consumer finds in the end: of each key every number, in order; once where it is written in transactions, and at least once
 * otherwise.
 */
@Tag("slow")
@Tag("long")
@Timeout(180)
class KilledChainTest {
    private static final int PARTITIONS = 3;
    private static final int KEYS = 20;
    private static final int RECORDS = 10_000;
    private static final int KILLS = 5;
    private static final String READY = "running";

    @TempDir
    Path directory;

    @ParameterizedTest(name = "{0}, exactly once: {1}")
    @CsvSource({"chronicle, true", "kafka, true", "chronicle, false"})
    void noRecordIsLostOrReorderedPerKey(String transport, boolean isExactlyOnce) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        KafkaTopic in = Broker.topic("killed-in", PARTITIONS);
        KafkaTopic out = Broker.topic("killed-out", PARTITIONS);
        Thread producing = new Thread(() -> produce(in), "producer");
        producing.start();
        for (int kill = 0; kill < KILLS; kill++) {
            Process child = start(transport, isExactlyOnce, in, out);
            Thread.sleep(random.nextInt(1000)); // the moment of the kill
            child.destroyForcibly().waitFor();
        }
        producing.join();
        Process child = start(transport, isExactlyOnce, in, out);
        List<ConsumerRecord<byte[], byte[]>> read = awaitLast(out);
        child.destroyForcibly().waitFor();

        // what the producer has lost is no loss of the chain
        requireWhole("input, seed " + seed, Broker.read(in, RECORDS), true);
        requireWhole("output, seed " + seed, read, isExactlyOnce);
    }

    private static void requireWhole(String what, List<ConsumerRecord<byte[], byte[]>> records, boolean isOnce) {
        Map<String, List<Integer>> byKey = new HashMap<>();
        records.forEach(each -> byKey.computeIfAbsent(Broker.text(each.key()), key -> new ArrayList<>())
                .add(Integer.valueOf(Broker.text(each.value()))));
        assertThat(byKey).as(what).hasSize(KEYS);
        byKey.forEach((key, values) -> {
            List<Integer> firsts = values.stream().distinct().toList();
            assertThat(firsts)
                    .as("%s of %s", key, what)
                    .isEqualTo(IntStream.range(0, RECORDS / KEYS).boxed().toList());
            if (isOnce) {
                assertThat(values).as("%s of %s: repetitions", key, what).hasSameSizeAs(firsts);
            }
        });
    }

    private static void produce(KafkaTopic in) {
        try (KafkaProducer<byte[], byte[]> producer = Broker.producer()) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(
                        in.name(), Broker.bytes("key" + i % KEYS), Broker.bytes(Integer.toString(i / KEYS))));
                if (i % 20 == 0) {
                    Thread.sleep(10); // five seconds and more, in which the chain is killed
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything, when the last number of each key is there. */
    private static List<ConsumerRecord<byte[], byte[]>> awaitLast(KafkaTopic out) {
        List<ConsumerRecord<byte[], byte[]>> read = List.of();
        String last = Integer.toString(RECORDS / KEYS - 1);
        for (int attempt = 0; attempt < 60; attempt++) {
            read = Broker.read(out, 0);
            long ended = read.stream()
                    .filter(each -> Broker.text(each.value()).equals(last))
                    .map(each -> Broker.text(each.key()))
                    .distinct()
                    .count();
            if (ended == KEYS) {
                return read;
            }
        }
        return read;
    }

    private Process start(String transport, boolean isExactlyOnce, KafkaTopic in, KafkaTopic out) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--") || flag.startsWith("-Dchronicle") || flag.startsWith("-X"))
                .forEach(command::add);
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path")
                        .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator),
                Relay.class.getName(),
                Broker.servers(),
                in.name(),
                out.name(),
                transport,
                directory.toString(),
                Boolean.toString(isExactlyOnce)));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder said = new StringBuilder();
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        for (String line = reader.readLine(); !READY.equals(line); line = reader.readLine()) {
            assertThat(line).as("the process ended and said: %s", said).isNotNull();
            said.append(line).append('\n');
        }
        return child;
    }

    /** The process that is killed. */
    static final class Relay {
        private Relay() {}

        public static void main(String[] arguments) throws InterruptedException {
            KafkaTopic in = KafkaTopic.at(arguments[0], arguments[1]);
            KafkaTopic out = KafkaTopic.at(arguments[0], arguments[2]);
            boolean isExactlyOnce = Boolean.parseBoolean(arguments[5]);
            Chain chain = Chain.named("relay-" + in.name())
                    .then("one", () -> (message, outlet) -> outlet.forward(message))
                    .then("two", () -> (message, outlet) -> outlet.forward(message))
                    .build();
            try (Transport transport = arguments[3].equals("kafka")
                            ? KafkaTransport.at(arguments[0])
                            : ChronicleTransport.in(Path.of(arguments[4]));
                    Loops loops = Loops.cooperative(1)) {
                Deployment deployment = chain.on(transport)
                        .with(loops)
                        .fromEach(KafkaSource.of(in))
                        .onOutput(
                                isExactlyOnce
                                        ? KafkaSink.to(out)
                                        : KafkaSink.to(out).atLeastOnce());
                try (RunningChain running = deployment
                        .onFailure(failure -> {
                            failure.printStackTrace(System.out);
                            Runtime.getRuntime().halt(1);
                        })
                        .partitions(PARTITIONS)
                        .start()) {
                    System.out.println(READY);
                    while (running.failure().isEmpty()) {
                        Thread.sleep(100);
                    }
                }
            }
        }
    }
}
