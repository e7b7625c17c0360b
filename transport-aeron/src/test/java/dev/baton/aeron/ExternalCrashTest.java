package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Topics after a process that uses a media driver, or the driver's own process, was killed. */
@Tag("crash")
class ExternalCrashTest {
    private static final Duration LIVENESS = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final int MANY = 2_000;

    private ArchiveJvm process;

    @BeforeEach
    void start() {
        process = ArchiveJvm.start(LIVENESS);
    }

    @AfterEach
    void end() {
        process.close();
    }

    private static AeronOptions options(Path driver) {
        return AeronOptions.defaults()
                .withDriver(driver)
                .withTermLength(AeronOptions.LEAST_TERM)
                .withMaxPayload(100)
                .withTimeout(TIMEOUT);
    }

    @Test
    void theDriverRemovesTheLogsOfAKilledProcess() throws InterruptedException {
        int others = logs();
        try (AeronEnds ends = new AeronEnds(options(process.driver()));
                AeronJvm child =
                        AeronJvm.start(WritesAndReads.class, process.driver().toString())) {
            assertThat(child.line()).isEqualTo("read " + MANY);
            for (long i = 1; i <= MANY; i++) {
                ends.write(i);
                assertThat(ends.read()).containsExactly(i);
            }
            assertThat(child.line()).isEqualTo("read " + 2 * MANY);
            assertThat(logs()).isEqualTo(others + 2);
            child.kill();
            AeronEnds.until("the removal of its log", () -> {
                ends.connection.doWork();
                return logs() == others + 1;
            });
            ends.write(-1);
            assertThat(ends.read()).containsExactly(-1L);
        }
    }

    @Test
    void aChainFailsWhenTheDriverIsKilled() {
        try (AeronTransport transport = AeronTransport.open(options(process.driver()));
                Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named("orders")
                        .then("first", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {})
                        .start()) {
            process.kill();
            long begun = System.nanoTime();
            AeronEnds.until("the failure", () -> running.failure().isPresent());
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONGEST);
            assertThat(running.failure())
                    .get()
                    .satisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessageContainingAll("driver=" + process.driver(), "has ended"));
            assertThatThrownBy(() -> AeronTransport.open(options(process.driver())))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(
                            "no media driver runs", process.driver().toString());
            running.close(Duration.ofMillis(1));
        }
        process.startAgain();
        try (AeronEnds ends = new AeronEnds(options(process.driver()))) {
            ends.write(1);
            assertThat(ends.read()).isEqualTo(List.of(1L));
        }
    }

    private int logs() {
        try (Stream<Path> files = Files.list(process.driver().resolve("publications"))) {
            return (int) files.count();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Writes values of its own to a topic of the same name, and reads them, until it is killed or reads another one. */
    static final class WritesAndReads {
        private WritesAndReads() {}

        public static void main(String[] arguments) {
            AeronEnds ends = new AeronEnds(options(Path.of(arguments[0])));
            for (long i = 1; ; i++) {
                ends.write(-i);
                List<Long> read = ends.read();
                if (!read.equals(List.of(-i))) {
                    System.out.println("read " + read + " in place of " + -i);
                    Runtime.getRuntime().halt(1);
                }
                if (i % MANY == 0) {
                    System.out.println("read " + i);
                }
            }
        }
    }
}
