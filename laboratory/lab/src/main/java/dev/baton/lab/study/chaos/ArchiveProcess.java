package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.Jvm;
import dev.baton.lab.launch.TiedJvm;
import dev.baton.operations.line.CommandException;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveMarkFile;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * A media driver with an Archive in a process of its own, which is started again over its recordings after a kill. Confined
 * to one thread.
 */
final class ArchiveProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final String READY = "baton-archive-ready";

    /** After so long without a word a client is dead to the driver: some pauses are longer. */
    private static final long LIVENESS_NANOS = 2_000_000_000;

    private static final long TIMER_NANOS = LIVENESS_NANOS / 8;
    private static final long LINGER_NANOS = 200_000_000;
    private static final int SEGMENT_BYTES = 8 << 20;
    private static final int MANY = 500;

    private final Path directory;
    private final List<String> flags;
    private final BooleanSupplier isStopRequested;
    private TiedJvm process;

    /**
     * Starts it.
     *
     * @param directory of the driver and the recordings
     * @param flags of its JVM
     * @param isStopRequested whether somebody wants it all to end
     */
    ArchiveProcess(Path directory, List<String> flags, BooleanSupplier isStopRequested) {
        this.directory = directory;
        this.flags = flags;
        this.isStopRequested = isStopRequested;
        start();
    }

    /** Starts it over what is there, and waits until it is ready. */
    void start() {
        try { // of a process that was killed; for ten seconds the next one would take it for alive
            Files.deleteIfExists(recordings(directory).resolve(ArchiveMarkFile.FILENAME));
        } catch (IOException failed) {
            throw CommandException.environment("cannot start the Archive again: " + failed.getMessage(), failed);
        }
        process = TiedJvm.start(
                "the Archive",
                Jvm.current().command(flags, ArchiveProcess.class, directory.toString()),
                READY,
                line -> {});
        try {
            process.awaitReady(START_LIMIT.toNanos(), isStopRequested);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGKILL: of the driver, the Archive, and whatever was not written to a file's pages. */
    void kill() {
        process.kill();
    }

    long pid() {
        return process.pid();
    }

    /** Where clients find the driver. */
    Path driver() {
        return driver(directory);
    }

    private static Path driver(Path directory) {
        return directory.resolve("driver");
    }

    private static Path recordings(Path directory) {
        return directory.resolve("recordings");
    }

    @Override
    public void close() {
        process.close();
    }

    /**
     * The process: runs until its input ends.
     *
     * @param arguments the directory
     */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        MediaDriver.Context driver = new MediaDriver.Context()
                .aeronDirectoryName(driver(directory).toString())
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle())
                .dirDeleteOnStart(true)
                .clientLivenessTimeoutNs(LIVENESS_NANOS)
                .imageLivenessTimeoutNs(LIVENESS_NANOS)
                .publicationUnblockTimeoutNs(2 * LIVENESS_NANOS)
                .timerIntervalNs(TIMER_NANOS)
                .publicationLingerTimeoutNs(LINGER_NANOS)
                .spiesSimulateConnection(true);
        Archive.Context archive = new Archive.Context()
                .aeronDirectoryName(driver(directory).toString())
                .archiveDir(recordings(directory).toFile())
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(ArchiveProcess::idle)
                .segmentFileLength(SEGMENT_BYTES)
                .maxConcurrentRecordings(MANY)
                .maxConcurrentReplays(MANY)
                .recordingEventsEnabled(false)
                .controlChannelEnabled(false)
                .archiveClientContext(new AeronArchive.Context().controlResponseChannel("aeron:ipc"))
                .replicationChannel("aeron:udp?endpoint=localhost:0");
        try (ArchivingMediaDriver started = ArchivingMediaDriver.launch(driver, archive)) {
            System.out.println(READY + " " + started.mediaDriver().aeronDirectoryName());
            while (System.in.read() >= 0) {
                // until the laboratory has ended
            }
        }
    }

    /** Leaves the cores to the chain, and does not let it wait for long. */
    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(0, 2, 20_000, 200_000);
    }
}
