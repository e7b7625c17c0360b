package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.aeron.archive.RecordedPosition;
import dev.baton.run.Loops;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers, readers and chains while the media driver and the Archive are killed and started again. */
@Tag("slow")
class ArchiveRestartTest {
    private static final Duration LIVENESS = Duration.ofSeconds(4);
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private ArchiveJvm archive;

    @BeforeEach
    void start() {
        archive = ArchiveJvm.start(LIVENESS);
    }

    @AfterEach
    void end() {
        archive.close();
    }

    private ArchiveOptions options() {
        return ArchiveOptions.defaults()
                .with(ArchiveOptions.DRIVER, archive.driver())
                .with(ArchiveOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(ArchiveOptions.MAX_PAYLOAD, 400)
                .with(ArchiveOptions.TIMEOUT, LIVENESS);
    }

    @Test
    void storedFramesSurviveARestartOfTheArchive() {
        ArchiveTopic before = ArchiveTopic.in(options(), "t");
        TopicWriter writer = before.writer();
        TopicReader reader = before.reader();
        before.store(writer, 3_000, 300);
        reader.acknowledge(before.read(reader, 1_000).get(999));
        long begun = System.nanoTime();
        before.until("the position", () -> System.nanoTime() - begun > 20 * RecordedPosition.STORE_MILLIS * 1_000_000L);
        archive.kill();

        assertThatThrownBy(() -> before.until("its end", () -> false))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(archive.driver().toString());
        assertThatThrownBy(() -> writer.claim(8)).isInstanceOf(TransportException.class);
        assertThatThrownBy(() -> reader.poll((frame, position) -> null, 1)).isInstanceOf(TransportException.class);
        assertThatThrownBy(() -> ArchiveTransport.open(options()))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(
                        "no media driver runs", archive.driver().toString());
        before.close();

        archive.startAgain();
        try (ArchiveTopic after = ArchiveTopic.in(options(), "t")) {
            TopicWriter again = after.writer();
            assertThat(again.sequence()).isEqualTo(3_000);
            after.store(again, 100, 300);
            TopicReader rest = after.reader();
            assertThat(rest.found().acknowledged()).isEqualTo(1_000);
            assertThat(after.read(rest, 2_100))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1_001, 3_100).boxed().toList());
        }
    }

    @Test
    void restartedChainContinuesWhenArchiveIsBack() {
        Set<Long> values = new ConcurrentSkipListSet<>(); // what was not acknowledged comes again
        Chain chain = Chain.named("restarts")
                .then("first", () -> (in, out) -> out.forward(in))
                .then("second", () -> (in, out) -> out.forward(in))
                .build();
        try (ArchiveTransport transport = ArchiveTransport.open(options());
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> values.add(in.getLong(0)))
                        .restart(RestartPolicy.backoff(Duration.ofMillis(50), Duration.ofMillis(200)))
                        .start()) {
            Inlet inlet = running.inlet();
            send(inlet, 1, 500);
            until("the first", () -> values.size() == 500);
            archive.kill();
            until("a failure", () -> running.lastFailure().isPresent());
            archive.startAgain();

            until("the chain", () -> running.status().phase() == ChainStatus.Phase.RUNNING && running.restarts() > 0);
            assertThat(inlet.sequence()).isEqualTo(500);
            send(inlet, 501, 1_000);
            until("the rest", () -> values.size() == 1_000);
        }
        assertThat(values)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 1_000).boxed().toList());
    }

    private static void send(Inlet inlet, long first, long last) {
        for (long value = first; value <= last; value++) {
            Claim[] claim = {null};
            until("room", () -> (claim[0] = inlet.tryClaim(Long.BYTES)) != null);
            claim[0].putLong(0, value).commit(Long.BYTES);
        }
    }

    private static void until(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).as("time for " + what).isLessThan(LIMIT_NANOS);
            LockSupport.parkNanos(200_000);
        }
    }
}
