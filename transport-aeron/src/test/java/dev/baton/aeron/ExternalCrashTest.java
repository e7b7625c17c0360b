package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Topics that processes share over a media driver, after one of them or the driver was killed. */
@Tag("slow")
@Tag("long")
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
                .with(AeronOptions.DRIVER, driver)
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.MAX_PAYLOAD, 100)
                .with(AeronOptions.TIMEOUT, TIMEOUT);
    }

    @Test
    void aKilledWriterIsContinuedWithoutALoss() throws InterruptedException {
        try (AeronTransport transport = AeronTransport.open(options(process.driver()));
                Connection connection = transport.connect()) {
            transport.createTopics(List.of(AeronEnds.TOPIC));
            TopicReader reader = connection.openReader(AeronEnds.TOPIC, "c");
            long[] read = {0};
            for (int kills = 0; kills < 3; kills++) {
                long stored;
                try (AeronJvm child =
                        AeronJvm.start(Writes.class, process.driver().toString())) {
                    long enough = read[0] + MANY;
                    AeronEnds.until("many frames", () -> {
                        read(connection, reader, read);
                        return read[0] > enough;
                    });
                    stored = Long.parseLong(child.line());
                    child.kill();
                }
                AeronEnds.until("what was stored", () -> {
                    read(connection, reader, read);
                    return read[0] >= stored;
                });
            }
            try (TopicWriter writer = connection.openWriter(AeronEnds.TOPIC)) {
                AeronEnds.until("the rest", () -> {
                    read(connection, reader, read);
                    return read[0] == writer.sequence();
                });
            }
        }
    }

    /** Reads and acknowledges frames, whose values are their sequences. */
    private static void read(Connection connection, TopicReader reader, long[] newest) {
        connection.doWork();
        reader.poll(
                (frame, position) -> {
                    assertThat(frame.sequence()).isEqualTo(newest[0] + 1);
                    assertThat(frame.getLong(0)).isEqualTo(newest[0] + 1);
                    newest[0]++;
                    return Verdict.DONE;
                },
                Integer.MAX_VALUE);
        reader.acknowledge(newest[0]);
    }

    @Test
    void framesOutliveAllProcesses() throws InterruptedException {
        long stored;
        try (AeronJvm child = AeronJvm.start(Writes.class, process.driver().toString(), "alone")) {
            stored = Long.parseLong(child.line());
            child.kill();
        }
        AeronEnds.until("the removal of its log", () -> logs() == 0);
        try (AeronTransport transport = AeronTransport.open(options(process.driver()));
                Connection connection = transport.connect()) {
            TopicWriter writer = connection.openWriter(AeronEnds.TOPIC);
            assertThat(writer.sequence()).isGreaterThanOrEqualTo(stored);
            long[] read = {0};
            TopicReader reader = connection.openReader(AeronEnds.TOPIC, "c");
            AeronEnds.until("all frames", () -> {
                read(connection, reader, read);
                return read[0] == writer.sequence();
            });
        }
    }

    @Test
    void aKilledReaderContinuesBehindItsAcknowledgement() throws InterruptedException {
        try (AeronTransport transport = AeronTransport.open(options(process.driver()));
                Connection connection = transport.connect()) {
            transport.createTopics(List.of(AeronEnds.TOPIC));
            TopicWriter writer = connection.openWriter(AeronEnds.TOPIC);
            long acknowledged;
            try (AeronJvm child = AeronJvm.start(Reads.class, process.driver().toString())) {
                AeronEnds.until("many frames", () -> {
                    connection.doWork();
                    return write(writer) > MANY;
                });
                acknowledged = Long.parseLong(child.line());
                child.kill();
            }
            TopicReader reader = connection.openReader(AeronEnds.TOPIC, "c");
            long[] read = {reader.found().acknowledged()};
            assertThat(read[0]).isGreaterThanOrEqualTo(acknowledged);
            AeronEnds.until("the rest", () -> {
                read(connection, reader, read);
                return read[0] == writer.sequence();
            });
        }
    }

    /** Writes frames whose values are their sequences while there is room; returns the newest sequence. */
    private static long write(TopicWriter writer) {
        for (int i = 0; i < 10 && writer.remainingCapacity(Long.BYTES) > 0; i++) {
            Frame frame = writer.claim(Long.BYTES);
            frame.stamp(0, 0, 0, 0, 0);
            frame.putLong(0, writer.sequence() + 1);
            writer.commit(Long.BYTES);
        }
        writer.flush();
        return writer.sequence();
    }

    @Test
    void aChainRestartsWhenTheDriverIsBack() {
        Set<Long> values = new ConcurrentSkipListSet<>();
        try (AeronTransport transport = AeronTransport.open(options(process.driver()));
                Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named("restarts")
                        .then("first", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> values.add(in.getLong(0)))
                        .restart(RestartPolicy.backoff(Duration.ofMillis(50), Duration.ofMillis(200)))
                        .start()) {
            send(running, 1);
            AeronEnds.until("the first value", () -> values.contains(1L));
            process.kill();
            AeronEnds.until("a failure", () -> running.lastFailure().isPresent());
            assertThat(running.lastFailure().get()).hasMessageContainingAll("has ended", "lost");
            process.startAgain();
            AeronEnds.until(
                    "the chain", () -> running.status().phase() == ChainStatus.Phase.RUNNING && running.restarts() > 0);
            assertThat(running.inlet().sequence()).as("a new topic").isZero();
            send(running, 2);
            AeronEnds.until("the next value", () -> values.contains(2L));
        }
    }

    private static void send(RunningChain running, long value) {
        Claim[] claim = {null};
        AeronEnds.until("room", () -> (claim[0] = running.inlet().tryClaim(Long.BYTES)) != null);
        claim[0].putLong(0, value).commit(Long.BYTES);
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

    /** Writes until it is killed, and prints what is stored after many frames; alone, when there is no room any more. */
    static final class Writes {
        private Writes() {}

        public static void main(String[] arguments) {
            AeronTransport transport = AeronTransport.open(options(Path.of(arguments[0])));
            transport.createTopics(List.of(AeronEnds.TOPIC));
            Connection connection = transport.connect();
            TopicWriter writer = connection.openWriter(AeronEnds.TOPIC);
            long first = writer.sequence();
            boolean isAlone = arguments.length > 1;
            boolean isPrinted = false;
            while (true) {
                connection.doWork();
                long newest = write(writer);
                if (!isPrinted && (isAlone ? writer.remainingCapacity(Long.BYTES) == 0 : newest > first + MANY)) {
                    System.out.println(writer.storedSequence());
                    isPrinted = true;
                }
            }
        }
    }

    /** Reads and acknowledges until it is killed, and prints what is acknowledged after some frames. */
    static final class Reads {
        private Reads() {}

        public static void main(String[] arguments) {
            AeronTransport transport = AeronTransport.open(options(Path.of(arguments[0])));
            Connection connection = transport.connect();
            TopicReader reader = connection.openReader(AeronEnds.TOPIC, "c");
            long[] read = {0};
            boolean isPrinted = false;
            while (true) {
                read(connection, reader, read);
                if (!isPrinted && read[0] > MANY / 2) {
                    System.out.println(read[0]);
                    isPrinted = true;
                }
            }
        }
    }
}
