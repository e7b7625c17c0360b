package dev.baton.aeron.driver;

import dev.baton.aeron.AeronOptions;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.ByteSize;
import io.aeron.Aeron;
import io.aeron.AeronVersion;
import io.aeron.CommonContext;
import io.aeron.ErrorCode;
import io.aeron.exceptions.DriverTimeoutException;
import io.aeron.exceptions.RegistrationException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;

/** Checks of a media driver that runs as a program of its own, and the settings of its clients. Stateless. */
public final class DriverClient {
    /** The version of Aeron on the class path; a reference to the constant itself would be the version at compile time. */
    public static final String LIBRARY_VERSION = libraryVersion();

    /** The flag by which Agrona accesses memory. */
    public static final String JVM_FLAG = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    /** The main class of a media driver without an Archive. */
    public static final String PROGRAM = "io.aeron.driver.MediaDriver";

    /**
     * The interval between two turns of a client while nothing is awaited: far below any timeout, and rare for a loop that spins.
     */
    public static final long TURN_NANOS = 1_000_000;

    /** The longest pause of an idle loop: the default interval of a client's keepalive. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private DriverClient() {}

    /** Refuses a JVM in which Aeron cannot work. */
    public static void checkFlag() {
        Module base = Object.class.getModule();
        if (!base.isOpen("jdk.internal.misc", IoUtil.class.getModule())) {
            throw new TransportException("Aeron cannot run in this JVM (Java "
                    + Runtime.version().feature() + "): start it with " + JVM_FLAG
                    + " before -jar or the main class; the environment variable JDK_JAVA_OPTIONS takes it, too");
        }
    }

    /**
     * Checks that a driver runs in a directory and that this client works with it.
     *
     * @param what the driver is to be started with, for the error
     * @param command the end of the command line that starts the driver, behind its directory
     * @throws TransportException otherwise
     */
    public static void require(Path driver, Duration timeout, String what, String command) {
        boolean isThere;
        try {
            isThere = CommonContext.isDriverActive(driver.toFile(), timeout.toMillis(), text -> {});
        } catch (DriverTimeoutException incomplete) {
            throw new TransportException(
                    AeronOptions.DRIVER + "=" + driver
                            + " has the files of a media driver that has not started"
                            + " within " + timeout.toMillis()
                            + " ms: its start has failed, for example for lack of"
                            + " memory ("
                            + ByteSize.text(driver.toFile().getUsableSpace())
                            + " bytes are free there, and it takes 48m), or is not complete; read its output, start it"
                            + " again, and then this process",
                    incomplete);
        } catch (Exception failed) { // Agrona throws an IOException that it does not declare
            throw new TransportException(
                    AeronOptions.DRIVER + "=" + driver + " has a media driver that cannot be used: "
                            + failed.getMessage()
                            + (failed instanceof IOException
                                    ? "; this process needs write permission on the driver's files"
                                    : "; this client is Aeron " + LIBRARY_VERSION
                                            + ", and the driver has to be one that works with it"),
                    failed);
        }
        if (!isThere) {
            throw new TransportException("no media driver runs in " + AeronOptions.DRIVER + "=" + driver
                    + "; start one" + what + ": java "
                    + JVM_FLAG + " -cp aeron-all-"
                    + LIBRARY_VERSION + ".jar -Daeron.dir=" + driver + " " + command);
        }
    }

    private static String libraryVersion() {
        try {
            return (String) AeronVersion.class.getField("VERSION").get(null);
        } catch (ReflectiveOperationException other) {
            return "of an unknown version";
        }
    }

    /** Returns the settings of a client without a thread, which one thread at a time uses. */
    public static Aeron.Context client(Path driver, Duration timeout, ErrorHandler errors) {
        return new Aeron.Context()
                .aeronDirectoryName(driver.toString())
                .clientName("baton")
                .useConductorAgentInvoker(true)
                .clientLock(NoOpLock.INSTANCE)
                .awaitingIdleStrategy(pauses())
                .driverTimeoutMs(timeout.toMillis())
                .errorHandler(errors);
    }

    /** Returns the pauses of a wait for an answer; an opening awaits dozens, and Aeron's own pauses are of a millisecond. */
    public static IdleStrategy pauses() {
        return new BackoffIdleStrategy(10, 10, 1_000, 200_000);
    }

    /** Parks the thread for a time, and no longer than a client may be without a turn. */
    public static void await(long nanos) {
        LockSupport.parkNanos(Math.min(nanos, LONGEST_PAUSE_NANOS));
    }

    /** Closes a client; the driver closes its publications and subscriptions. */
    public static void close(Aeron aeron) {
        if (aeron != null) {
            try {
                aeron.close();
            } catch (RuntimeException gone) {
                // the client has no thread that could be left
            }
        }
    }

    /** Returns whether the driver has no space for a log. */
    public static boolean isFull(RuntimeException failed) {
        return failed instanceof RegistrationException refused && refused.errorCode() == ErrorCode.STORAGE_SPACE;
    }

    /**
     * Returns the remedy for a driver that has no space for a log.
     *
     * @param taker what takes three terms
     */
    public static String moreMemory(String taker) {
        return "; free memory where the media driver has its directory (a container has 64m of /dev/shm by default), or"
                + " create topics with a shorter " + AeronOptions.TERM_LENGTH + " (" + taker + " takes three)";
    }
}
