package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.TiedJvm;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Interruption;
import io.aeron.Aeron;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveMarkFile;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugChannelEndpointConfiguration;
import io.aeron.driver.ext.DebugReceiveChannelEndpointSupplier;
import io.aeron.driver.ext.DebugSendChannelEndpointSupplier;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * A media driver with an Archive in a separate process, which is started again over its recordings after a kill. Confined to one thread.
 */
public final class ArchiveProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final String READY = "baton-archive-ready";

    /**
     * The time without a sign of life after which the driver considers a client dead. The Archive is a client, too: when its process is
     * suspended for longer, it ends and the process does not. No pause of a fault lasts as long; a busy machine may cause it.
     */
    private static final long LIVENESS_NANOS = 5_000_000_000L;

    private static final long LOOK_MILLIS = 100; // how often the process looks whether the Archive has ended
    private static final long TIMER_NANOS = LIVENESS_NANOS / 8;
    private static final long LINGER_NANOS = 200_000_000;
    private static final int SEGMENT_BYTES = 8 << 20;
    private static final int MANY = 500;
    private static final String HOST = "localhost";

    /** The driver's own loss generators: of each hundred packets of data, and of each hundred that answer them, one is lost. */
    private static final List<String> LOSSES = List.of(
            "-D" + Configuration.RECEIVE_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME + "="
                    + DebugReceiveChannelEndpointSupplier.class.getName(),
            "-D" + Configuration.SEND_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME + "="
                    + DebugSendChannelEndpointSupplier.class.getName(),
            "-D" + DebugChannelEndpointConfiguration.RECEIVE_DATA_LOSS_RATE_PROP_NAME + "=0.01",
            "-D" + DebugChannelEndpointConfiguration.SEND_CONTROL_LOSS_RATE_PROP_NAME + "=0.01");

    private final Path directory;
    private final List<String> flags;
    private final int port; // of the control channel over UDP; 0: IPC
    private final BooleanSupplier isStopRequested;
    TiedJvm process; // another one after each start

    /**
     * Starts it.
     *
     * @param directory of the driver and the recordings
     * @param isOverUdp whether its clients use UDP, of whose packets it loses some
     */
    ArchiveProcess(Path directory, List<String> flags, boolean isOverUdp, BooleanSupplier isStopRequested) {
        this.directory = directory;
        this.flags = isOverUdp ? Stream.of(flags, LOSSES).flatMap(List::stream).toList() : flags;
        port = isOverUdp ? freePort() : 0;
        this.isStopRequested = isStopRequested;
        start();
    }

    /** Starts it over what is there, and waits until it is ready. */
    void start() {
        // of a process that was killed; for ten seconds the next one would take it for alive
        Path mark = recordings(directory).resolve(ArchiveMarkFile.FILENAME);
        CommandException.guarded("cannot start the Archive again", () -> Files.deleteIfExists(mark));
        process = TiedJvm.start(
                "the Archive",
                InstalledJvm.current()
                        .command(flags, ArchiveProcess.class, directory.toString(), Integer.toString(port)),
                READY,
                line -> {});
        try {
            ChainProcesses.awaitReady("the Archive", process, START_LIMIT, isStopRequested);
        } catch (RuntimeException late) {
            process.close();
            throw late;
        }
    }

    /** {@return the options of its clients on the command line} */
    Map<String, String> options() {
        String driver = driver(directory).toString();
        return port == 0 ? Map.of("driver", driver) : Map.of("driver", driver, "archive", HOST + ":" + port);
    }

    public static Path driver(Path directory) {
        return directory.resolve("driver");
    }

    public static Path recordings(Path directory) {
        return directory.resolve("recordings");
    }

    @Override
    public void close() {
        process.close();
    }

    /**
     * The process: runs until its input ends. Where the Archive ends alone, because all of the process stood still, driver
     * and Archive are started again.
     *
     * @param arguments the directory, and the port of the control channel over UDP or 0
     */
    public static void main(String[] arguments) throws InterruptedException {
        Path directory = Path.of(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        CountDownLatch end = new CountDownLatch(1);
        Interruption input = new Interruption();
        input.stopping(end::countDown);
        input.requestAtEndOfInput("baton-input");
        boolean isOver = false;
        while (!isOver) {
            try (ArchivingMediaDriver started = launch(directory, port)) {
                System.out.println(READY + " " + started.mediaDriver().aeronDirectoryName());
                Aeron client = started.archive().context().aeron();
                while (!isOver && !client.isClosed()) {
                    isOver = end.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        }
    }

    /** Launches a driver and an Archive in this process. */
    public static ArchivingMediaDriver launch(Path directory, int port) {
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
                .controlChannelEnabled(port != 0)
                .controlChannel("aeron:udp?endpoint=" + HOST + ":" + port)
                .archiveClientContext(new AeronArchive.Context().controlResponseChannel("aeron:ipc"))
                .replicationChannel("aeron:udp?endpoint=" + HOST + ":0");
        return ArchivingMediaDriver.launch(driver, archive);
    }

    private static int freePort() {
        return CommandException.guarded("no port is free for the Archive", () -> {
            try (DatagramSocket socket = new DatagramSocket(0)) {
                return socket.getLocalPort();
            }
        });
    }

    /** Leaves the cores to the chain, and does not let it wait for long. */
    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(0, 2, 20_000, 200_000);
    }
}
