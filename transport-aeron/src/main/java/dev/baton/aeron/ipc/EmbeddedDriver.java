package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.AgentTurns;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.DriverDirectory;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.ByteSize;
import dev.baton.spi.support.Interrupts;
import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.collections.ArrayUtil;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/**
 * A media driver in this process. Neither it nor its client has a thread: both run within the calls of this class, under the
 * lock. No timeout may pass between two calls, so that all timeouts that are useless within one process are ten years.
 *
 * <p>The driver's files are in a directory named after the process; the next driver that starts beside it removes the directory
 * of a killed process. Thread-safe.
 */
final class EmbeddedDriver extends TopicDriver {
    private static final long NEVER_NANOS = TimeUnit.DAYS.toNanos(3650);

    static final String MORE_MEMORY = "; free memory there, set a shorter " + AeronOptions.TERM_LENGTH
            + " (a topic takes three), or name another " + AeronOptions.DIRECTORY;

    /**
     * The topics of one driver. Each turn of a driver visits all its publications, and the creation of a topic takes some turns:
     * with one driver, 1,000 chains of six topics opened in 25 s, with drivers of this size in 5 s (two cores, load 13).
     */
    static final int MOST_TOPICS = 512;

    /** The bytes of the counters, of 128 bytes each: 32 for each topic, whose log takes two and each subscription one. */
    private static final int COUNTERS = 2 << 20;

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final MediaDriver driver;
    private final Aeron aeron;
    private final ErrorHandler errors; // of the driver's turns

    /** The topics whose logs this driver has, replaced with each change under the lock. */
    private volatile IpcTopic[] topics = {};

    private EmbeddedDriver(Path directory, MediaDriver driver, Aeron aeron) {
        super(directory, LIMIT);
        this.driver = driver;
        this.aeron = aeron;
        AtomicCounter counted = driver.context().systemCounters().get(SystemCounterDescriptor.ERRORS);
        errors = failure -> {
            counted.increment();
            driver.context().errorHandler().onError(failure);
        };
    }

    /**
     * Starts a driver.
     *
     * @throws TransportException when the JVM lacks a flag, or the directory cannot be made
     */
    static EmbeddedDriver start(AeronOptions options) {
        DriverClient.checkFlag();
        return Interrupts.without(() -> startNow(options));
    }

    private static EmbeddedDriver startNow(AeronOptions options) {
        Path directory = DriverDirectory.next(options.get(AeronOptions.DIRECTORY));
        MediaDriver.Context context = context(directory);
        checkSpace(
                options.get(AeronOptions.DIRECTORY),
                options.get(AeronOptions.DIRECTORY).toFile().getUsableSpace(),
                bytesOf(context));
        MediaDriver driver = null;
        try {
            driver = MediaDriver.launch(context);
            Aeron aeron = Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(directory.toString())
                    .useConductorAgentInvoker(true)
                    .clientLock(NoOpLock.INSTANCE)
                    .driverAgentInvoker(driver.sharedAgentInvoker())
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(NEVER_NANOS)));
            return new EmbeddedDriver(directory, driver, aeron);
        } catch (Exception | InternalError failed) { // undeclared, or of a mapped file without pages
            if (driver != null) {
                driver.close();
            }
            IoUtil.delete(directory.toFile(), true);
            throw new TransportException(
                    "no media driver could be started in " + options.get(AeronOptions.DIRECTORY) + ": "
                            + failed.getMessage(),
                    failed);
        }
    }

    private static MediaDriver.Context context(Path directory) {
        return new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.INVOKER)
                .asyncExecutorEnabled(false) // its thread resolves names of hosts, and wakes each millisecond
                .counterValuesBufferLength(COUNTERS)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .clientLivenessTimeoutNs(NEVER_NANOS)
                .publicationUnblockTimeoutNs(2 * NEVER_NANOS)
                .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(NEVER_NANOS));
    }

    /**
     * Returns the bytes that the driver takes before there is a topic: its counters, and the buffers between it and its client.
     */
    private static long bytesOf(MediaDriver.Context context) {
        long counters = context.counterValuesBufferLength();
        return counters
                + counters * CountersReader.METADATA_LENGTH / CountersReader.COUNTER_LENGTH
                + context.conductorBufferLength()
                + context.toClientsBufferLength()
                + context.errorBufferLength()
                + context.lossReportBufferLength();
    }

    /**
     * Refuses a directory without space for the files of the driver, as mapping them fails with an error of the JVM on a full
     * file system.
     */
    static void checkSpace(Path directory, long usable, long needed) {
        if (usable < needed) {
            throw new TransportException(AeronOptions.DIRECTORY + "=" + directory + " has " + ByteSize.text(usable)
                    + " bytes free, and the media driver takes " + ((needed >> 20) + 1) + "m"
                    + " before the first topic; free memory (a container has 64m of /dev/shm by default), or name"
                    + " another directory");
        }
    }

    @Override
    Aeron aeron() {
        return aeron;
    }

    @Override
    void turn() {
        turnOfDriver();
        AgentTurns.invoke(aeron.conductorAgentInvoker(), aeron.context().errorHandler());
    }

    private void turnOfDriver() {
        AgentTurns.invoke(driver.sharedAgentInvoker(), errors);
    }

    /** Spins: the driver has had its turn. */
    @Override
    void pause() {
        Thread.onSpinWait();
    }

    @Override
    boolean isOver() {
        return aeron.isClosed();
    }

    int size() {
        return topics.length;
    }

    @Override
    boolean hasRoom() {
        return size() < MOST_TOPICS;
    }

    /**
     * Takes the pages of the log in the caller's thread, and not under the lock. The driver would touch them one at a time, in a
     * turn in which no writer gets room, and with 1.5 times the CPU time (docs/decisions/046).
     */
    @Override
    ExclusivePublication publish(TopicStream stream, int termLength, long begin) {
        ExclusivePublication added = publish(stream, stream.publication(termLength, begin, true));
        try {
            LogFile.takePages(LogFile.path(directory(), added.originalRegistrationId()), termLength);
            return added;
        } catch (IOException full) {
            release(added::close);
            throw withoutPages(directory(), full);
        }
    }

    /** Describes why a log has no pages, with the remedy. */
    static TransportException withoutPages(Path directory, IOException failed) {
        String cause = "the log of a topic gets no memory in ";
        String remedy = MORE_MEMORY;
        if (failed.toString().contains("Too many open files")) {
            cause = "the log of a topic cannot be opened in ";
            remedy = "; raise the limit of open files with 'ulimit -n': each topic takes one";
        }
        return new TransportException(cause + directory + ": " + failed + remedy, failed);
    }

    @Override
    void add(IpcTopic topic) {
        lock.lock();
        try {
            topics = ArrayUtil.add(topics, topic);
        } finally {
            lock.unlock();
        }
    }

    @Override
    void remove(IpcTopic topic) {
        lock.lock();
        try {
            topics = ArrayUtil.remove(topics, topic);
        } finally {
            lock.unlock();
        }
    }

    /** Gives the writers of all topics room, as the driver visits them all in a turn. */
    @Override
    boolean giveRoom(IpcTopic topic) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (!aeron.isClosed()) {
                for (IpcTopic each : topics) {
                    each.raiseRetainer();
                }
                turnOfDriver();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    String moreMemory() {
        return MORE_MEMORY;
    }

    @Override
    String text() {
        return "embedded media driver without threads of its own";
    }

    /** Closes client and driver, which removes the directory. */
    @Override
    public void close() {
        lock.lock();
        try {
            aeron.close();
            driver.close();
        } finally {
            lock.unlock();
        }
    }
}
