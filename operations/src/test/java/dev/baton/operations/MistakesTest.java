package dev.baton.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ValueCodec;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.codec.TypedService;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.KafkaTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mistakes that many make: each leads to one sentence that names the place and the remedy. RuntimeRequirementsTest
 * (Chronicle Queue) and SbeFlagTest (Agrona) have the flags of the JVM that are missing.
 */
class MistakesTest {
    private static RunningChain start(Transport transport, Loops loops, Supplier<Service> service) {
        return Chain.named("orders")
                .then("price", service)
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> {})
                .onFailure(failure -> {}) // not logged
                .start();
    }

    private static Service forwarding() {
        return (in, out) -> out.forward(in);
    }

    @Test
    void missingBrokerIsReportedWithAddress() {
        KafkaOptions nowhere = KafkaOptions.at("127.0.0.1:1").with(KafkaOptions.TIMEOUT, Duration.ofMillis(300));
        try (Transport transport = KafkaTransport.at(nowhere);
                Loops loops = Loops.cooperative(1)) {
            assertThatExceptionOfType(TransportException.class)
                    .isThrownBy(() -> start(transport, loops, MistakesTest::forwarding))
                    .withMessage(
                            "could not ask which topics exist: no Kafka broker answered at 127.0.0.1:1 within 300 ms; is it running, and is"
                                    + " the address right?");
        }
    }

    @Test
    void secondProcessIsToldTheTakenTopic(@TempDir Path directory) {
        try (Transport first = ChronicleTransport.in(directory);
                Transport second = ChronicleTransport.in(directory);
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(first, loops, MistakesTest::forwarding)) {
            running.inlet().send(new byte[1]);
            assertThatExceptionOfType(OccupiedException.class)
                    .isThrownBy(() -> {
                        try (Loops others = Loops.cooperative(1);
                                RunningChain again = start(second, others, MistakesTest::forwarding)) {
                            again.inlet().send(new byte[1]);
                        }
                    })
                    .withMessage("topic orders-1 has a live writer already, in process "
                            + ProcessHandle.current().pid()
                            + " (close that one, or wait until the process has ended), in "
                            + directory.resolve("orders-1"));
        }
    }

    @Test
    void blockingServiceIsNamedAfterASecond() {
        CountDownLatch end = new CountDownLatch(1);
        try (Transport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(transport, loops, () -> (in, out) -> end.await())) {
            running.inlet().send(new byte[1]);
            ChainStatus status =
                    await().until(running::status, each -> each.blocked().isPresent());

            assertThat(status.blocked().orElseThrow().name()).isEqualTo("price");
            assertThat(status.blocked().orElseThrow().duration())
                    .isGreaterThanOrEqualTo(ChainStatus.PATIENCE.minusMillis(100));
            assertThat(status.isComplete()).isFalse();
            end.countDown();
        }
    }

    /** Throws at 1 when it is written, at 2 when it is read. */
    private static final class Picky implements ValueCodec<Long> {
        @Override
        public int maxLength(Long value) {
            return Long.BYTES;
        }

        @Override
        public int encode(Long value, Claim into) {
            if (value == 1) {
                throw new IllegalArgumentException("1 cannot be written");
            }
            into.putLong(0, value);
            return Long.BYTES;
        }

        @Override
        public Long decode(Message from) {
            if (from.getLong(0) == 2) {
                throw new IllegalArgumentException("2 cannot be read");
            }
            return from.getLong(0);
        }
    }

    @Test
    void throwingCodecIsReportedWithItsService() {
        Picky codec = new Picky();
        try (Transport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(transport, loops, TypedService.mapping(codec, codec, value -> value))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> running.inlet().send(1L, codec))
                    .withMessage("1 cannot be written");
            running.inlet().send(3L, codec);
            running.inlet().send(2L, codec);

            await().until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow())
                    .hasMessage(
                            "service price failed at message 2 of topic orders-0: java.lang.IllegalArgumentException: 2 cannot"
                                    + " be read");
        }
    }

    @Test
    void tooLongMessageIsReportedWithLimit() {
        try (Transport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(transport, loops, MistakesTest::forwarding)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> running.inlet().send(new byte[1 << 20]))
                    .withMessage(
                            "claim of 1048576 bytes; 0 to 1024 are allowed on topic 'orders-0'; the option max-payload governs"
                                    + " it");
        }
    }

    @Test
    void tooLongOutputNamesTheService() {
        try (Transport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(
                        transport, loops, () -> (in, out) -> out.claim(1 << 20).commit(0))) {
            running.inlet().send(new byte[1]);

            await().until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow())
                    .hasMessage(
                            "service price failed at message 1 of topic orders-0: java.lang.IllegalArgumentException: claim of"
                                    + " 1048576 bytes; 0 to 1024 are allowed on topic 'orders-1'; the option max-payload governs it");
        }
    }
}
