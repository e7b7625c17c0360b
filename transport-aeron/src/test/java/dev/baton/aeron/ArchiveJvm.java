package dev.baton.aeron;

import dev.baton.aeron.driver.DriverClient;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveMarkFile;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.IoUtil;

/**
 * A media driver with an Archive, in a JVM of its own. It ends with its input, so that it never outlives the JVM of the test. Used by
 * one thread at a time.
 */
final class ArchiveJvm implements AutoCloseable {
    private static final int SEGMENT_LENGTH = 128 << 10;
    private static final int MANY = 500;
    private static final long LONGEST_SECONDS = 60;

    private final Path directory;
    private final Duration liveness;
    private final List<String> flags;
    private Process process;
    private int port;

    private ArchiveJvm(Path directory, Duration liveness, List<String> flags) {
        this.directory = directory;
        this.liveness = liveness;
        this.flags = flags;
    }

    /** Starts in a new directory of memory. @param flags of the JVM */
    static ArchiveJvm start(Duration clientLiveness, String... flags) {
        try {
            Path parent = Files.isWritable(Path.of("/dev/shm"))
                    ? Path.of("/dev/shm")
                    : Path.of(System.getProperty("java.io.tmpdir"));
            ArchiveJvm made = new ArchiveJvm(
                    Files.createTempDirectory(parent, "baton-archive-test-"), clientLiveness, List.of(flags));
            made.startAgain();
            return made;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Starts after {@link #kill}, over what is there, but for the mark of a live Archive, which counts for ten seconds. */
    void startAgain() {
        try {
            Files.deleteIfExists(recordings().resolve(ArchiveMarkFile.FILENAME));
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    DriverClient.JVM_FLAG,
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xmx128m"));
            command.addAll(flags);
            command.addAll(List.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    ArchiveJvm.class.getName(),
                    directory.toString(),
                    Long.toString(liveness.toMillis()),
                    Integer.toString(port))); // 0: any; that of before, when it starts again
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            String line = out.readLine();
            if (line == null || !line.startsWith("ready ")) {
                throw new AssertionError("the Archive has not started: " + line);
            }
            port = Integer.parseInt(line.split(" ")[1]);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Where its media driver is. */
    Path driver() {
        return driver(directory);
    }

    private static Path driver(Path directory) {
        return directory.resolve("driver");
    }

    /** Where its recordings are. */
    Path recordings() {
        return directory.resolve("archive");
    }

    /** Its control channel over UDP. */
    String address() {
        return "localhost:" + port;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Stops it, and lets it continue, as a scheduler does. */
    void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new AssertionError("SIG" + name + " cannot be sent to process " + process.pid());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it as a power cut would. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("process " + process.pid() + " has not ended");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it, and removes what it has left. */
    @Override
    public void close() {
        process.destroyForcibly();
        awaitEnd();
        IoUtil.delete(directory.toFile(), true);
    }

    /** The process: directory, client liveness timeout in milliseconds, port of the control channel. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        long livenessNanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        int port = arguments[2].equals("0") ? UdpPorts.free() : Integer.parseInt(arguments[2]);
        MediaDriver.Context driver = new MediaDriver.Context()
                .aeronDirectoryName(driver(directory).toString())
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SparingIdle())
                .dirDeleteOnStart(true)
                .clientLivenessTimeoutNs(livenessNanos)
                .imageLivenessTimeoutNs(livenessNanos)
                .publicationUnblockTimeoutNs(2 * livenessNanos)
                .timerIntervalNs(Math.min(TimeUnit.SECONDS.toNanos(1), livenessNanos / 4))
                .publicationLingerTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200))
                .spiesSimulateConnection(true);
        Archive.Context archive = new Archive.Context()
                .aeronDirectoryName(driver(directory).toString())
                .archiveDir(directory.resolve("archive").toFile())
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(SparingIdle::new)
                .segmentFileLength(SEGMENT_LENGTH)
                .fileSyncLevel(0)
                .maxConcurrentRecordings(MANY)
                .maxConcurrentReplays(MANY)
                .recordingEventsEnabled(false)
                .controlChannel("aeron:udp?endpoint=localhost:" + port)
                .replicationChannel("aeron:udp?endpoint=localhost:0");
        try (ArchivingMediaDriver started = ArchivingMediaDriver.launch(driver, archive)) {
            System.out.println("ready " + port + " " + started.mediaDriver().aeronDirectoryName());
            while (System.in.read() >= 0) {
                // until the test has ended
            }
        }
    }
}
