package dev.baton.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.AeronVersion;
import io.aeron.driver.MediaDriver.Context;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the counters of a media driver tell. */
class MediaDriverTest {
    @TempDir
    private Path temporary;

    private static Map<String, Finding> bySubject(MediaDriver driver) {
        return driver.findings().stream().collect(Collectors.toMap(Finding::subject, each -> each));
    }

    @Test
    void aRunningDriverIsRead() {
        Path directory = temporary.resolve("driver");
        Context context = new Context()
                .aeronDirectoryName(directory.toString())
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .clientLivenessTimeoutNs(Duration.ofSeconds(2).toNanos());
        try (io.aeron.driver.MediaDriver running = io.aeron.driver.MediaDriver.launch(context)) {
            MediaDriver read = MediaDriver.read(Path.of(running.aeronDirectoryName()), 2);
            Map<String, Finding> findings = bySubject(read);
            assertThat(findings.get("media driver").found()).contains(AeronVersion.VERSION, directory.toString());
            assertThat(findings.get("threading mode").found()).isEqualTo("SHARED on 2 cores");
            assertThat(findings.get("aeron.client.liveness.timeout"))
                    .isEqualTo(new Finding(
                            GradeLetter.C,
                            "aeron.client.liveness.timeout",
                            "2.00 s",
                            "a client whose loop is blocked for longer is timed out: a collection or a stall of the host"
                                    + " is enough",
                            "start the driver with -Daeron.client.liveness.timeout=10s"));
            assertThat(read.counters()).containsKeys(SystemCounterDescriptor.values());
            assertThat(findings.get("errors of the driver").found()).isEqualTo("0");
        }
        assertThat(bySubject(MediaDriver.read(directory, 2)).get("media driver").found())
                .isEqualTo("none runs in " + directory);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 1 << 20})
    void cutFilesAreThoseOfNoDriver(int bytes) throws IOException {
        Path directory = temporary.resolve("driver");
        Path cut = Files.createDirectory(temporary.resolve("cut"));
        Context context = new Context()
                .aeronDirectoryName(directory.toString())
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED);
        try (io.aeron.driver.MediaDriver running = io.aeron.driver.MediaDriver.launch(context);
                InputStream whole =
                        Files.newInputStream(running.context().cncFile().toPath())) {
            Files.write(cut.resolve("cnc.dat"), whole.readNBytes(bytes));
        }
        assertThat(bySubject(MediaDriver.read(cut, 2)).get("media driver").found())
                .isEqualTo("none runs in " + cut);
    }

    @ParameterizedTest
    @CsvSource({
        "CLIENT_TIMEOUTS, D, aeron.client.liveness.timeout",
        "UNBLOCKED_PUBLICATIONS, D, aeron.publication.unblock.timeout",
        "LOSS_GAP_FILLS, D, reliable=true",
        "NAK_MESSAGES_SENT, C, aeron.socket.so_rcvbuf",
        "SHORT_SENDS, C, aeron.socket.so_sndbuf",
    })
    void counterThatShouldBeZeroIsFault(SystemCounterDescriptor counter, GradeLetter letter, String remedy) {
        Finding found = bySubject(with(Map.of(counter, 3L), "DEDICATED", 8)).get(counter.label());
        assertThat(found.letter()).isEqualTo(letter);
        assertThat(found.found()).isEqualTo("3");
        assertThat(found.remedy()).contains(remedy);
        assertThat(bySubject(with(Map.of(), "DEDICATED", 8))
                        .get(counter.label())
                        .isFault())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"DEDICATED, 2, C", "DEDICATED, 8, A", "SHARED, 2, A", "SHARED, 8, B"})
    void threadsOfTheDriverNeedCores(String mode, int cores, GradeLetter letter) {
        assertThat(bySubject(with(Map.of(), mode, cores)).get("threading mode").letter())
                .isEqualTo(letter);
    }

    @ParameterizedTest
    @CsvSource({"1000000, 0, A", "30000000, 0, B", "30000000, 1, D", "6000000000, 1, E"})
    void aLongCycleIsAFault(long nanos, long exceeded, GradeLetter letter) {
        Map<SystemCounterDescriptor, Long> counters = Map.of(
                SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME,
                nanos,
                SystemCounterDescriptor.SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED,
                exceeded);
        assertThat(bySubject(with(counters, "DEDICATED", 8))
                        .get("longest cycle")
                        .letter())
                .isEqualTo(letter);
    }

    private static MediaDriver with(Map<SystemCounterDescriptor, Long> counters, String mode, int cores) {
        return new MediaDriver(
                "/dev/shm/d",
                true,
                AeronVersion.VERSION,
                mode,
                Duration.ofSeconds(10).toNanos(),
                counters,
                "",
                "tmpfs",
                1L << 30,
                cores);
    }
}
