package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an open writer and an open reader take of the driver's directory is taken when they are opened. A sparse log would be
 * refused its pages later, by a fault in the middle of a message.
 */
class ArchivePagesTest {
    private static final int TERM = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void logsOfBothEndsAreAllocatedAtOnce() throws Exception {
        Path driver = TestArchive.shared().driver();
        logs(TestArchive.options(), driver.resolve("publications"));
    }

    @Test
    void logsOverUdpAreAllocatedAtOnce() throws Exception {
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("driver").toString())
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnShutdown(true);
        try (MediaDriver driver = MediaDriver.launch(context)) {
            Path own = Path.of(driver.aeronDirectoryName());
            logs(
                    TestArchive.options()
                            .with(ArchiveOptions.DRIVER, own)
                            .with(ArchiveOptions.ARCHIVE, TestArchive.shared().address()),
                    own);
        }
    }

    private static void logs(ArchiveOptions options, Path place) throws Exception {
        String name = options.get(ArchiveOptions.ARCHIVE).equals(ArchiveOptions.IPC) ? "pages-ipc" : "pages-udp";
        try (ArchiveTopic topic = ArchiveTopic.in(options.with(ArchiveOptions.TERM_LENGTH, TERM), name)) {
            topic.store(topic.writer(), 1, 8);
            assertThat(topic.reader()).isNotNull();
            assertThat(longLogs(place)).hasSizeGreaterThanOrEqualTo(2).allSatisfy(log -> {
                long size = log.toFile().length(); // 0 for one of another test that was deleted meanwhile
                assertThat(allocated(log)).as("%s", log).isGreaterThanOrEqualTo(size);
            });
        }
    }

    /** Those with terms of that length; control sessions have shorter ones. */
    private static List<Path> longLogs(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(file -> file.toString().endsWith(".logbuffer")
                            && file.toFile().length() > 3L * TERM)
                    .toList();
        }
    }

    /** Bytes that a file takes; for one that is there no more, more than any. */
    private static long allocated(Path log) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b %B", log.toString()).start();
        String[] told = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .trim()
                .split(" ");
        return told.length < 2 ? Long.MAX_VALUE : Long.parseLong(told[0]) * Long.parseLong(told[1]);
    }
}
