package dev.baton.aeron;

import dev.baton.spi.ByteSize;
import dev.baton.spi.TransportException;
import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ErrorCode;
import io.aeron.exceptions.DriverTimeoutException;
import io.aeron.exceptions.RegistrationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.concurrent.NoOpLock;

/** What is said and done about a media driver that runs already, as a program of its own. Stateless. */
final class RunningDriver {
    static final String DRIVER = "driver";
    static final String TIMEOUT = "timeout";

    /** Which is a media driver alone. */
    static final String PROGRAM = "io.aeron.driver.MediaDriver";

    static final Duration LEAST_TIMEOUT = Duration.ofMillis(500);
    static final Duration MOST_TIMEOUT = Duration.ofHours(1);
    static final Duration USUAL_TIMEOUT = Duration.ofSeconds(10);

    /** How often a client has its turn while nothing is awaited: far below any timeout, and seldom for a loop that spins. */
    static final long TURN_NANOS = 1_000_000;

    /** A loop that has nothing to do comes back after so long: as often as a client says that it lives, unless set. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private RunningDriver() {}

    /** Refuses a JVM in which Aeron cannot work. */
    static void checkFlag() {
        Module base = Object.class.getModule();
        if (!base.isOpen("jdk.internal.misc", IoUtil.class.getModule())) {
            throw new TransportException("Aeron cannot work in this JVM (Java "
                    + Runtime.version().feature() + "): start it with " + AeronProvider.JVM_FLAG
                    + " before -jar or the main class; the environment variable JDK_JAVA_OPTIONS takes it, too");
        }
    }

    static void checkTimeout(Duration timeout) {
        if (timeout.compareTo(LEAST_TIMEOUT) < 0 || timeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(TIMEOUT + "=" + timeout + " is not allowed; 500ms to 1h");
        }
    }

    /**
     * Passes when a driver runs in a directory and this client works with it.
     *
     * @param what is to be started there, for the error
     * @param command what follows the driver's directory on the command line that starts it
     * @throws TransportException otherwise
     */
    static void require(Path driver, Duration timeout, String what, String command) {
        boolean isThere;
        try {
            isThere = CommonContext.isDriverActive(driver.toFile(), timeout.toMillis(), said -> {});
        } catch (DriverTimeoutException begun) {
            throw new TransportException(
                    DRIVER + "=" + driver
                            + " holds the beginning of a media driver that is not up"
                            + " within " + timeout.toMillis()
                            + " ms: its start has failed, as with too little"
                            + " memory ("
                            + ByteSize.text(driver.toFile().getUsableSpace())
                            + " bytes are free there, and it takes 48m), or still goes on; look at what it printed, start"
                            + " it again, and then this",
                    begun);
        } catch (RuntimeException failed) {
            throw new TransportException(
                    DRIVER + "=" + driver + " has a media driver that cannot be used: "
                            + failed.getMessage() + "; this client is Aeron " + AeronProvider.LIBRARY_VERSION
                            + ", and the driver has to be one that works with it",
                    failed);
        }
        if (!isThere) {
            throw new TransportException("no media driver runs in " + DRIVER + "=" + driver
                    + "; start one" + what + ": java "
                    + AeronProvider.JVM_FLAG + " -cp aeron-all-"
                    + AeronProvider.LIBRARY_VERSION + ".jar -Daeron.dir=" + driver + " " + command);
        }
    }

    /** A client without a thread, which one thread at a time uses. */
    static Aeron.Context client(Path driver, Duration timeout, ErrorHandler errors) {
        return new Aeron.Context()
                .aeronDirectoryName(driver.toString())
                .clientName("baton")
                .useConductorAgentInvoker(true)
                .clientLock(NoOpLock.INSTANCE)
                .driverTimeoutMs(timeout.toMillis())
                .errorHandler(errors);
    }

    /** Waits for so long at most, and no longer than a client may be without a turn. */
    static void await(long nanos) {
        LockSupport.parkNanos(Math.min(nanos, LONGEST_PAUSE_NANOS));
    }

    /** Ends a client; the driver ends what it had open. */
    static void close(Aeron aeron) {
        if (aeron != null) {
            try {
                aeron.close();
            } catch (RuntimeException gone) {
                // it has no thread that could be left
            }
        }
    }

    /** Whether the driver has no room for a log. */
    static boolean isFull(RuntimeException failed) {
        return failed instanceof RegistrationException told && told.errorCode() == ErrorCode.STORAGE_SPACE;
    }

    /**
     * What to do when it has none.
     *
     * @param taker of three terms
     */
    static String moreMemory(String taker) {
        return "; make room where the media driver has its directory (a container has 64m of /dev/shm unless told otherwise), or"
                + " create topics with a shorter " + AeronOptions.TERM_LENGTH + " (" + taker + " takes three)";
    }
}
