package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script of the examples, which reads frames by docs/frame.md only. */
@Tag("long")
@Timeout(240)
class FramesInPythonTest {
    private static final String CLIENT = "kafka-python==3.0.12";
    private static final Path GOLDEN = Path.of("../core/src/test/resources/frames");

    @TempDir
    private static Path packages;

    private static ExampleTransport opened;

    @BeforeAll
    static void aPythonThatHasAClient() throws Exception {
        String missing = "python3 with " + CLIENT + " is not to be had here";
        try {
            Ran pip = ran("python3", "-m", "pip", "install", "--quiet", "--no-deps", "--target", "" + packages, CLIENT);
            require(pip.exitCode == 0, missing + ": " + pip.output);
        } catch (IOException notThere) {
            require(false, missing + ": " + notThere.getMessage());
        }
        opened = ExampleTransport.of("kafka");
    }

    @AfterAll
    static void closeTheBroker() throws IOException {
        if (opened != null) {
            opened.transport().close();
            opened.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesAreReadInOrder(boolean inTransactions) throws Exception {
        CountDownLatch left = new CountDownLatch(3);
        String name = inTransactions ? "transactions" : "plain";
        try (ExampleTransport same = ExampleTransport.of(
                        "kafka", "bootstrap-servers=" + bootstrapServers(), "transactions=" + inTransactions);
                Transport transport = same.transport();
                Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named(name)
                        .then("type", () -> (in, out) -> {
                            Claim claim = out.claim(in.length() + 1);
                            claim.type(-9).putPayload(in).putByte(in.length(), (byte) 1);
                            claim.commit(in.length() + 1);
                        })
                        .build()
                        .on(transport)
                        .checksums(true)
                        .with(loops)
                        .onOutput(in -> left.countDown())
                        .start()) {
            for (int length = 0; length < 3; length++) {
                running.inlet().send(new byte[length]);
            }
            assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();
        }
        String inputs = printed(name + "-0");
        String outputs = printed(name + "-1");
        for (int i = 1; i <= 3; i++) {
            assertThat(inputs.lines().toList().get(i - 1))
                    .startsWith("partition=0 sequence=" + i + " cause=0 hops=0 type=0 payload=" + (i - 1)
                            + " checksum=right");
            assertThat(outputs.lines().toList().get(i - 1))
                    .startsWith("partition=0 sequence=" + i + " cause=" + i + " hops=1 type=-9 payload=" + i
                            + " checksum=right");
        }
        assertThat(inputs.lines()).hasSize(3);
        assertThat(outputs.lines()).hasSize(3);
    }

    @Test
    void unknownFieldsAreSkipped() throws Exception {
        String common = "partition=0 sequence=72623859790382856 cause=42 hops=5 type=-7 payload=";
        String all = "writer=3 input=81985529216486895:2 key=6163636f756e742d3137 wall-clock=1777000000000000000"
                + " trace=000af7651916cd43dd8448eb211c80319cb7ad6b716920333101";
        Map<String, String> expected = Map.of(
                "plain", common + "12 checksum=none",
                "empty-payload", common + "0 checksum=none",
                "checked", common + "12 checksum=right",
                "all-fields", common + "12 checksum=none " + all,
                "all-fields-checked", common + "12 checksum=right " + all,
                "empty-payload-checked", common + "0 checksum=right writer=3",
                "unknown-field", common + "12 checksum=none writer=3");
        List<String> names = new ArrayList<>(expected.keySet());
        opened.transport().createTopics(List.of("golden"));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (String name : names) {
                send(producer, Files.readAllBytes(GOLDEN.resolve("v1-" + name + ".bin")));
            }
            byte[] altered = Files.readAllBytes(GOLDEN.resolve("v1-checked.bin"));
            altered[50] ^= 1;
            send(producer, altered);
            altered[1] = 0x1F;
            send(producer, altered);
            send(producer, new byte[] {1, 0});
        }

        assertThat(printed("golden").lines())
                .containsExactlyElementsOf(Stream.concat(
                                names.stream().map(expected::get),
                                Stream.of(
                                        common + "12 checksum=WRONG",
                                        "partition=0 not read: version 1, flags 0x1f",
                                        "partition=0 not read: no frame, or a damaged one, at offset "
                                                + (names.size() + 2)))
                        .toList());
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, byte[] value) throws Exception {
        producer.send(new ProducerRecord<>("golden", value)).get(30, TimeUnit.SECONDS);
    }

    private static String bootstrapServers() {
        return opened.arguments().stream()
                .filter(argument -> argument.startsWith("bootstrap-servers="))
                .findFirst()
                .orElseThrow()
                .split("=", 2)[1];
    }

    private static String printed(String topic) throws Exception {
        Ran script = ran("python3", "read_kafka_frames.py", bootstrapServers(), topic);
        assertThat(script.exitCode).as(script.output).isZero();
        return script.output;
    }

    /** Fails if something is missing where the project is fully tested; skips the test elsewhere. */
    private static void require(boolean isThere, String orElse) {
        if (System.getenv("CI") != null) {
            assertThat(isThere).as(orElse).isTrue();
        }
        assumeTrue(isThere, orElse);
    }

    private record Ran(int exitCode, String output) {}

    private static Ran ran(String... command) throws Exception {
        File output = File.createTempFile("python", ".txt");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
            builder.environment().put("PYTHONPATH", packages.toString());
            builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
            Process process = builder.start();
            boolean hasEnded = process.waitFor(90, TimeUnit.SECONDS);
            if (!hasEnded) {
                process.destroyForcibly().waitFor();
            }
            return new Ran(hasEnded ? process.exitValue() : -1, Files.readString(output.toPath()));
        } finally {
            Files.delete(output.toPath());
        }
    }
}
