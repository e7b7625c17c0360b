package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records as payloads: round trips, and payloads that are no records. */
@Timeout(30)
class KafkaRecordTest {
    private static final int INPUTS = 2000;

    @TempDir
    Path directory;

    /** Sends payloads through a chain and hands each one to a receiver, in order. */
    private void pass(Consumer<RunningChain> sending, dev.baton.OutputHandler receiver) {
        try (Transport transport = ChronicleTransport.in(directory);
                Loops loops = Loops.manual();
                RunningChain running = Chain.named("records")
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(receiver)
                        .start()) {
            sending.accept(running);
            while (loops.turn() > 0) {}
            assertThat(running.failure()).isEmpty();
        }
    }

    private static byte[] bytes(Random random, boolean mayBeNull) {
        if (mayBeNull && random.nextInt(4) == 0) {
            return null;
        }
        byte[] made = new byte[random.nextInt(20)];
        random.nextBytes(made);
        return made;
    }

    private static KafkaRecord record(Random random) {
        List<KafkaRecord.Header> headers = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            headers.add(new KafkaRecord.Header("h\u00fc\u20ac".substring(random.nextInt(4)), bytes(random, true)));
        }
        return new KafkaRecord(
                random.nextInt(),
                random.nextLong(),
                random.nextLong(),
                bytes(random, true),
                bytes(random, true),
                headers);
    }

    @Test
    void recordsComeOutAsTheyWentIn() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<KafkaRecord> sent = new ArrayList<>();
        List<KafkaRecord> received = new ArrayList<>();
        pass(
                running -> {
                    for (int i = 0; i < INPUTS; i++) {
                        KafkaRecord record = record(random);
                        sent.add(record);
                        running.inlet().send(record, KafkaRecord.CODEC);
                    }
                },
                in -> received.add(KafkaRecord.CODEC.decode(in)));
        assertThat(received)
                .as("seed %d", seed)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyElementsOf(sent);
    }

    @Test
    void invalidRecordIsRefused() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<byte[]> sent = new ArrayList<>();
        int[] refused = {0};
        pass(
                running -> {
                    for (int i = 0; i < INPUTS; i++) {
                        byte[] payload = new byte[random.nextInt(60)];
                        if (random.nextBoolean()) {
                            random.nextBytes(payload);
                        }
                        sent.add(payload);
                        running.inlet().send(payload);
                    }
                },
                in -> {
                    try {
                        KafkaRecord.CODEC.decode(in);
                    } catch (IllegalArgumentException | IndexOutOfBoundsException asPromised) {
                        refused[0]++;
                    }
                });
        assertThat(refused[0]).as("seed %d", seed).isGreaterThan(INPUTS / 3);
    }

    @Test
    void textOfRecordHidesItsContent() {
        KafkaRecord record = KafkaRecord.of(Broker.bytes("secret"), Broker.bytes("value"))
                .withHeader("a", Broker.bytes("1"))
                .withHeader("a", Broker.bytes("2"));
        assertThat(record).hasToString("record at -1/-1, key 6 bytes, value 5 bytes, 2 headers");
        assertThat(record.header("a")).hasValue(Broker.bytes("2"));
        assertThat(record.header("b")).isEmpty();
        assertThat(record.withValue(null).text()).isNull();
        assertThatThrownBy(() -> record.withHeader(null, null)).hasMessage("header name");
    }
}
