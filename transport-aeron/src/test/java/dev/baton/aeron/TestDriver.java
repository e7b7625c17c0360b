package dev.baton.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.status.HeartbeatTimestamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.agrona.concurrent.IdleStrategy;

/** A media driver in a directory of its own, with a thread of its own, which can stand still as that of a stopped process does. */
public final class TestDriver implements AutoCloseable {
    private static final Duration TURN_LIMIT = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 50_000;

    private final Path directory;
    private final MediaDriver driver;
    private final Gate gate;

    private TestDriver(Path directory, MediaDriver driver, Gate gate) {
        this.directory = directory;
        this.driver = driver;
        this.gate = gate;
    }

    /** Starts one that gives clients up after so long. */
    public static TestDriver start(Duration clientLiveness) {
        try {
            Path parent = AeronOptions.defaults().get(AeronOptions.DIRECTORY);
            Path directory = Files.createTempDirectory(parent, "baton-driver-test-");
            long livenessNanos = clientLiveness.toNanos();
            Gate gate = new Gate();
            MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(directory.toString())
                    .threadingMode(ThreadingMode.SHARED)
                    .sharedIdleStrategy(gate)
                    .dirDeleteOnStart(true)
                    .clientLivenessTimeoutNs(livenessNanos)
                    .imageLivenessTimeoutNs(livenessNanos)
                    .publicationUnblockTimeoutNs(2 * livenessNanos)
                    .publicationLingerTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200))
                    .timerIntervalNs(Math.min(TimeUnit.SECONDS.toNanos(1), livenessNanos / 4))
                    .errorHandler(failure -> {})); // such as that of a client which is given up
            return new TestDriver(directory, driver, gate);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public Path directory() {
        return directory;
    }

    /** Options for tests: terms that are short enough to fill. */
    public AeronOptions options() {
        return AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.MAX_PAYLOAD, 100)
                .with(AeronOptions.DRIVER, directory);
    }

    void standStill() {
        gate.isShut = true;
    }

    void goOn() {
        gate.isShut = false;
    }

    /** Waits until its thread has done all of its work once more. */
    void awaitTurn() {
        long begun = gate.turns;
        long end = System.nanoTime() + TURN_LIMIT.toNanos();
        while (gate.turns < begun + 2) { // the first one may be over already
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("the media driver has made no turn within " + TURN_LIMIT);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Ends it as a signal would, and leaves its directory. */
    void end() {
        goOn();
        driver.close();
    }

    /** The logs of all publications. */
    List<Path> logs() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".logbuffer"))
                    .collect(Collectors.toCollection(ArrayList::new));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Clients that it has not given up. */
    int clients() {
        AtomicInteger clients = new AtomicInteger();
        driver.context().countersManager().forEach((id, type, key, label) -> {
            if (type == HeartbeatTimestamp.HEARTBEAT_TYPE_ID) {
                clients.incrementAndGet();
            }
        });
        return clients.get();
    }

    @Override
    public void close() {
        end();
        IoUtil.delete(directory.toFile(), true);
    }

    private static final class Gate implements IdleStrategy {
        private static final long SHUT_NANOS = 1_000_000;

        private final IdleStrategy open = new SparingIdle();
        private volatile boolean isShut;
        private volatile long turns; // written by the driver's thread

        @Override
        public void idle(int workCount) {
            turns = turns + 1;
            while (isShut) {
                LockSupport.parkNanos(SHUT_NANOS);
            }
            open.idle(workCount);
        }

        @Override
        public void idle() {
            open.idle();
        }

        @Override
        public void reset() {
            open.reset();
        }
    }
}
