package dev.baton.aeron;

import dev.baton.spi.ByteSize;
import dev.baton.spi.TransportException;
import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.agrona.IoUtil;
import org.agrona.concurrent.status.CountersReader;

/**
 * A media driver of this process, and its client. Neither has a thread: both run within the calls of this class, under its
 * monitor. So no timeout of theirs may pass while nobody calls; all that are not of use within one process are ten years.
 *
 * <p>The driver's files lie in a directory named after the process; one that a killed process has left is removed by the
 * next driver that starts beside it. Thread-safe.
 */
final class EmbeddedDriver implements AutoCloseable {
    /** A subscription to one stream, and the image of its one publication. */
    record Subscribed(Subscription subscription, Image image) {}

    static final String CHANNEL = "aeron:ipc";

    private static final String PREFIX = "baton-aeron-";
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final long NEVER_NANOS = TimeUnit.DAYS.toNanos(3650);
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final MediaDriver driver;
    private final Aeron aeron;

    private EmbeddedDriver(MediaDriver driver, Aeron aeron) {
        this.driver = driver;
        this.aeron = aeron;
    }

    /**
     * Starts a driver for logs of such terms.
     *
     * @throws TransportException when the JVM lacks a flag, or the directory cannot be made
     */
    static EmbeddedDriver start(AeronOptions options) {
        RunningDriver.checkFlag();
        removeLeftOvers(options.directory());
        Path directory =
                options.directory().resolve(PREFIX + ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet());
        MediaDriver.Context context = context(options, directory);
        checkSpace(options.directory(), options.directory().toFile().getUsableSpace(), bytesOf(context));
        MediaDriver driver = null;
        try {
            driver = MediaDriver.launch(context);
            Aeron aeron = Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(directory.toString())
                    .useConductorAgentInvoker(true)
                    .driverAgentInvoker(driver.sharedAgentInvoker())
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(NEVER_NANOS)));
            return new EmbeddedDriver(driver, aeron);
        } catch (RuntimeException | InternalError failed) { // an error of a mapped file that got no pages
            if (driver != null) {
                driver.close();
            }
            IoUtil.delete(directory.toFile(), true);
            throw new TransportException(
                    "no media driver could be started in " + options.directory() + ": " + failed.getMessage(), failed);
        }
    }

    private static MediaDriver.Context context(AeronOptions options, Path directory) {
        return new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.INVOKER)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .ipcTermBufferLength(options.termLength())
                .ipcMtuLength(options.mtu())
                .termBufferSparseFile(false) // or a full file system ends the process
                .clientLivenessTimeoutNs(NEVER_NANOS)
                .publicationUnblockTimeoutNs(2 * NEVER_NANOS)
                .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(NEVER_NANOS));
    }

    /** What the driver takes before there is a topic: its counters, and the buffers between it and its client. */
    private static long bytesOf(MediaDriver.Context context) {
        long counters = context.counterValuesBufferLength();
        return counters
                + counters * CountersReader.METADATA_LENGTH / CountersReader.COUNTER_LENGTH
                + context.conductorBufferLength()
                + context.toClientsBufferLength()
                + context.errorBufferLength()
                + context.lossReportBufferLength();
    }

    /** The driver maps its files, and a file system that is full ends that with an error of the JVM. */
    static void checkSpace(Path directory, long usable, long needed) {
        if (usable < needed) {
            throw new TransportException(AeronOptions.DIRECTORY + "=" + directory + " has " + ByteSize.text(usable)
                    + " bytes free, and the media driver takes " + ((needed >> 20) + 1) + "m"
                    + " before the first topic; make room (a container has 64m of /dev/shm unless told otherwise), or name"
                    + " another directory");
        }
    }

    private static void removeLeftOvers(Path parent) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path each : all) {
                String pid =
                        each.getFileName().toString().substring(PREFIX.length()).split("-", 2)[0];
                if (pid.matches("[0-9]{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    IoUtil.delete(each.toFile(), true);
                }
            }
        } catch (IOException failed) {
            throw new TransportException(
                    AeronOptions.DIRECTORY + "=" + parent + " is no directory that can be read and written; make it,"
                            + " or name another one, best in memory",
                    failed);
        }
    }

    /**
     * Does something with the client. What it does is in effect for the driver when this returns.
     *
     * @param what in the infinitive, for the error
     * @throws TransportException when Aeron refuses
     */
    synchronized <T> T call(String what, Function<Aeron, T> task) {
        try {
            return Interrupts.without(() -> task.apply(aeron));
        } catch (TransportException told) {
            throw told;
        } catch (RuntimeException failed) {
            throw refused(what, failed);
        }
    }

    /** In words that say what can be done, where that is known. */
    static TransportException refused(String what, RuntimeException failed) {
        return new TransportException(
                "Aeron cannot " + what + ": " + failed.getMessage()
                        + (RunningDriver.isFull(failed)
                                ? "; make room there, type a shorter " + AeronOptions.TERM_LENGTH
                                        + " (a topic takes three), or name another " + AeronOptions.DIRECTORY
                                : ""),
                failed);
    }

    /** Does something, and lets the driver act on it. */
    synchronized void release(Runnable task) {
        if (!aeron.isClosed()) {
            task.run();
            turn();
        }
    }

    /** Lets the retainers of topics follow their consumers, and the driver act on it. */
    synchronized void raiseFloors(AeronTopic[] topics) {
        if (!aeron.isClosed()) {
            for (AeronTopic topic : topics) {
                topic.raiseFloor();
            }
            Interrupts.invoke(driver.sharedAgentInvoker());
        }
    }

    /** Subscribes to a stream that has a publication. Within a {@link #call}. */
    Subscribed subscribe(int stream) {
        Subscription subscription = aeron.addSubscription(CHANNEL, stream);
        long begun = System.nanoTime();
        while (subscription.imageCount() == 0) {
            if (System.nanoTime() - begun > LIMIT_NANOS) {
                subscription.close();
                throw new TransportException("the media driver has not answered within "
                        + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NANOS) + " s");
            }
            turn();
        }
        return new Subscribed(subscription, subscription.imageAtIndex(0));
    }

    private void turn() {
        Interrupts.invoke(driver.sharedAgentInvoker());
        Interrupts.invoke(aeron.conductorAgentInvoker());
    }

    /** Ends both and removes the directory. */
    @Override
    public synchronized void close() {
        aeron.close();
        driver.close();
    }
}
