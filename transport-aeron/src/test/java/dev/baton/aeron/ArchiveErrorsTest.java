package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import io.aeron.ErrorCode;
import io.aeron.archive.client.ArchiveException;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.RegistrationException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of driver, Archive and options, each reported with its remedy within a stated time. */
class ArchiveErrorsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    @Test
    void missingMediaDriverIsReportedWithItsStart() {
        assertThatThrownBy(() -> ArchiveTransport.open(ArchiveOptions.defaults()
                        .with(ArchiveOptions.DRIVER, directory)
                        .with(ArchiveOptions.TIMEOUT, TIMEOUT)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(
                        "driver=" + directory, "io.aeron.archive.ArchivingMediaDriver", DriverClient.JVM_FLAG);
    }

    @Test
    void missingLocalArchiveIsReportedWithItsChannel() {
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("driver").toString())
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnShutdown(true);
        try (MediaDriver driver = MediaDriver.launch(context)) {
            ArchiveOptions options = ArchiveOptions.defaults()
                    .with(ArchiveOptions.DRIVER, Path.of(driver.aeronDirectoryName()))
                    .with(ArchiveOptions.TIMEOUT, TIMEOUT);
            assertThatThrownBy(() -> ArchiveTransport.open(options))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(
                            "within 2000 ms", "aeron:ipc", "ArchivingMediaDriver", "archive=HOST:PORT");
        }
    }

    @Test
    void missingRemoteArchiveIsReportedWithItsAddress() {
        int port = UdpPorts.free();
        ArchiveOptions options = TestArchive.options()
                .with(ArchiveOptions.ARCHIVE, "localhost:" + port)
                .with(ArchiveOptions.TIMEOUT, TIMEOUT);
        assertThatThrownBy(() -> ArchiveTransport.open(options))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("within 2000 ms", "archive=localhost:" + port, "UDP");
    }

    @Test
    void lostConnectionsAreReportedInPlaceOfTheirConsequences() {
        try (ArchiveSession session = ArchiveSession.connectAlone(TestArchive.options())) {
            assertThatThrownBy(() -> session.call("ask for something", () -> {
                        session.aeron().close();
                        throw new IllegalStateException("the client is closed");
                    }))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("connection to the media driver in", "is gone", "open again");
        }
    }

    @Test
    void topicsThatAreInspectedStayWhole() {
        ArchiveOptions options = TestArchive.options().with(ArchiveOptions.MAX_PAYLOAD, 400);
        String name = "inspected";
        try (ArchiveTransport transport = ArchiveTransport.open(options)) {
            try (ArchiveTopic topic = ArchiveTopic.in(options, name)) {
                topic.store(topic.writer(), 5_000, 400);
            }
            try (TopicInspector inspector = transport.inspect(name)) {
                inspector.read((frame, position) -> Verdict.DONE, 10);
                assertThatThrownBy(() -> transport.deleteTopics(List.of(name)))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContainingAll("topic '" + name + "'", "in use");
            }
            try (ArchiveSession session = ArchiveSession.connectAlone(options)) {
                assertThat(Catalog.oldest(session, RecordingDescriptor.endAlias(name), RecordingDescriptor.ENDS))
                        .isNotNull();
            }
            transport.deleteTopics(List.of(name));
            assertThat(transport.topics()).doesNotContain(name);
        }
    }

    @Test
    void aMediaDriverOfAnotherVersionIsNamed() throws IOException {
        CncFiles.ofAnotherVersion(TestArchive.shared().driver(), directory);
        assertThatThrownBy(() -> ArchiveTransport.open(ArchiveOptions.defaults()
                        .with(ArchiveOptions.DRIVER, directory)
                        .with(ArchiveOptions.TIMEOUT, TIMEOUT)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver=" + directory, "9.0.0", DriverClient.LIBRARY_VERSION);
    }

    @Test
    void failedDriverStartIsNoVersionMismatch() throws IOException {
        CncFiles.ofAFailedStart(directory);
        assertThatThrownBy(() -> ArchiveTransport.open(ArchiveOptions.defaults()
                        .with(ArchiveOptions.DRIVER, directory)
                        .with(ArchiveOptions.TIMEOUT, TIMEOUT)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver=" + directory, "start has failed", "free")
                .hasMessageNotContaining(DriverClient.LIBRARY_VERSION);
    }

    @Test
    void aRemoteArchiveNeedsAMediaDriverAlone() {
        assertThatThrownBy(() -> ArchiveTransport.open(ArchiveOptions.defaults()
                        .with(ArchiveOptions.DRIVER, directory)
                        .with(ArchiveOptions.ARCHIVE, "localhost:8010")
                        .with(ArchiveOptions.TIMEOUT, TIMEOUT)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver=" + directory, "io.aeron.driver.MediaDriver", DriverClient.JVM_FLAG)
                .hasMessageNotContaining("ArchivingMediaDriver");
    }

    @Test
    void limitsAreReportedWithTheirSettings() {
        assertThat(ArchiveSession.refused(
                        "record 't'", new RegistrationException(1, 12, ErrorCode.STORAGE_SPACE, "usable=0")))
                .hasMessageContainingAll("record 't'", "usable=0", "/dev/shm", "term-length");
        assertThat(ArchiveSession.refused("record 't'", new ArchiveException("full", ArchiveException.STORAGE_SPACE)))
                .hasMessageContainingAll("record 't'", "full", "retention=unread");
        assertThat(ArchiveSession.refused("record 't'", new ArchiveException("20", ArchiveException.MAX_RECORDINGS)))
                .hasMessageContaining("aeron.archive.max.concurrent.recordings");
        assertThat(ArchiveSession.refused("replay 't'", new ArchiveException("20", ArchiveException.MAX_REPLAYS)))
                .hasMessageContaining("aeron.archive.max.concurrent.replays");
        assertThat(ArchiveSession.adviceOnReplay("ERROR - insufficient usable storage for new log of length=3149824"))
                .contains("/dev/shm", "term-length");
        assertThat(ArchiveSession.adviceOnReplay("unknown recording")).isEmpty();
        assertThat(ArchiveSession.refused("list", new IllegalStateException("another")))
                .hasMessage("Aeron cannot list: another");
    }

    @Test
    void longerPayloadsThanTheTopicAllowsAreRefused() {
        ArchiveOptions small = TestArchive.options();
        try (ArchiveTopic topic = ArchiveTopic.in(small, "short")) {
            topic.store(topic.writer(), 10, 100);
        }
        try (ArchiveTopic longer = ArchiveTopic.in(
                small.with(ArchiveOptions.TERM_LENGTH, 1 << 20).with(ArchiveOptions.MAX_PAYLOAD, 60_000), "short")) {
            assertThatThrownBy(longer::writer)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("'short'", "max-payload=60000", "at most", "up to 8112 fits");
        }
        try (ArchiveTopic again = ArchiveTopic.in(
                small.with(ArchiveOptions.TERM_LENGTH, 1 << 20).with(ArchiveOptions.MAX_PAYLOAD, 8112), "short")) {
            assertThat(again.writer().sequence()).isEqualTo(10);
        }
    }

    @Test
    void blankConsumerNamesAreRefused() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "blank")) {
            assertThatThrownBy(() -> topic.connection.openReader("blank", ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'blank'", "consumer name must not be blank");
            try (var inspector = topic.transport.inspect("blank")) {
                assertThat(inspector.acknowledged()).isEmpty();
            }
        }
    }

    @Test
    void tooLongChainNamesAreRefused() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "named")) {
            assertThatThrownBy(() -> topic.connection.openWriter("named", "x".repeat(20_000)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("'named'", "the name of its chain");
            topic.store(topic.writer(), 1, 8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "archive, nowhere",
        "archive, host:99999",
        "archive, :1",
        "endpoint, host",
        "endpoint, a b:1",
        "timeout, 1ms",
        "timeout, 2h",
        "retention, some",
        "durability, host",
        "durability, replicated",
        "term-length, 65537",
        "max-payload, 70000"
    })
    void valuesOutOfRangeAreRefusedBeforeConnecting(String option, String value) {
        assertThatThrownBy(() -> new ArchiveProvider().open(Map.of(option, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(option);
    }

    @Test
    void longPausesAreShorterThanClientLivenessTimeout() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "paused")) {
            long begun = System.nanoTime();
            topic.connection.await(Duration.ofMinutes(10).toNanos());
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void optionsReachTheTransport() {
        Map<String, String> options =
                Map.of("driver", TestArchive.shared().driver().toString(), "max-payload", "50k", "retention", "unread");
        try (Transport transport = new ArchiveProvider().open(options)) {
            assertThat(transport.maxPayload()).isEqualTo(50 << 10);
            assertThat(transport.properties().get("configuration"))
                    .contains("max-payload=50k", "retention=unread", "archive=ipc", "term-length=1m");
        }
    }
}
