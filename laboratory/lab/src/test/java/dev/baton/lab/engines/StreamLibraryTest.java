package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.aeron.AeronProvider;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.SourceSender;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.errors.TransportException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Raw Aeron when its streams are full, and when there is no driver. */
class StreamLibraryTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    private Path directory;

    private volatile boolean isRefused;
    private volatile MessageSink sink = (origin, tag, hops, length, payload) -> LockSupport.parkNanos(20 * MILLI);

    @AfterEach
    void nothingIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("reference-") || name.contains("aeron"));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void relayWithFullStreamEndsOnRequest() {
        try (ReferenceRig rig = rig()) {
            await().atMost(Duration.ofMinutes(1)).until(() -> isRefused);
            rig.stop(Duration.ofMillis(100));
            assertThat(rig.isDrained(0)).isFalse();
            assertThat(rig.failure()).isEmpty();
        }
    }

    @Test
    void exceptionOfReceiverEndsTheChain() {
        sink = (origin, tag, hops, length, payload) -> {
            throw new IllegalStateException("a payload that was not sent");
        };
        try (ReferenceRig rig = rig()) {
            await().atMost(Duration.ofMinutes(1)).until(() -> rig.failure().isPresent());
            assertThat(rig.failure().orElseThrow().cause()).hasMessage("a payload that was not sent");
        }
    }

    @Test
    void aDirectoryThatDoesNotExistIsNamed() {
        StreamLibrary library = library(directory.resolve("absent"));
        assertThatThrownBy(() -> library.createTopics(List.of("t")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("absent");
    }

    private ReferenceRig rig() {
        ReferenceRig rig = new ReferenceRig(1, "aeron", null, library(directory), part -> {}, false);
        rig.prepare(1);
        rig.start(new Ends());
        return rig;
    }

    private static StreamLibrary library(Path root) {
        Subject subject =
                new Subject(Subject.REFERENCE, "aeron", Map.of("term-length", "64k", "driver-dir", root.toString()));
        return new StreamLibrary(
                new PassedOptions(subject, new AeronProvider().options()), new Pause(Pause.Kind.PARK, MILLI));
    }

    /** Sends as much as there is room for. */
    private final class Ends implements ChainEnds, MessageSource {
        private long number;
        private long refusedSince;

        @Override
        public int index() {
            return 0;
        }

        @Override
        public MessageSource generator() {
            return this;
        }

        @Override
        public MessageSink receiver() {
            return (origin, tag, hops, length, payload) -> sink.onMessage(origin, tag, hops, length, payload);
        }

        @Override
        public PayloadPattern pattern() {
            return new PayloadPattern(0, 1);
        }

        @Override
        public int onTurn(SourceSender sender) {
            int sent = 0;
            while (sender.trySend(number, 0, 0)) {
                number++;
                sent++;
            }
            if (sent > 0) {
                refusedSince = System.nanoTime();
            }
            isRefused |= number > 0 && System.nanoTime() - refusedSince > 200 * MILLI; // the relay stands still, too
            return sent;
        }

        @Override
        public long deadlineNanos() {
            return Long.MAX_VALUE;
        }
    }
}
