package dev.baton.aeron.driver;

import dev.baton.aeron.AeronOptions;
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
public final class DriverClient {
    /** Of the client and the media driver; a jar that holds them all no longer tells. */
    public static final String LIBRARY_VERSION = "1.51.0";

    /** Agrona takes its memory accesses from there. */
    public static final String JVM_FLAG = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    /** Which is a media driver alone. */
    public static final String PROGRAM = "io.aeron.driver.MediaDriver";

    /** How often a client has its turn while nothing is awaited: far below any timeout, and seldom for a loop that spins. */
    public static final long TURN_NANOS = 1_000_000;

    /** A loop that has nothing to do comes back after so long: as often as a client says that it lives, unless set. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private DriverClient() {}

    /** Refuses a JVM in which Aeron cannot work. */
    public static void checkFlag() {
        Module base = Object.class.getModule();
        if (!base.isOpen("jdk.internal.misc", IoUtil.class.getModule())) {
            throw new TransportException("Aeron cannot work in this JVM (Java "
                    + Runtime.version().feature() + "): start it with " + JVM_FLAG
                    + " before -jar or the main class; the environment variable JDK_JAVA_OPTIONS takes it, too");
        }
    }

    /**
     * Passes when a driver runs in a directory and this client works with it.
     *
     * @param what is to be started there, for the error
     * @param command what follows the driver's directory on the command line that starts it
     * @throws TransportException otherwise
     */
    public static void require(Path driver, Duration timeout, String what, String command) {
        boolean isThere;
        try {
            isThere = CommonContext.isDriverActive(driver.toFile(), timeout.toMillis(), said -> {});
        } catch (DriverTimeoutException begun) {
            throw new TransportException(
                    AeronOptions.DRIVER + "=" + driver
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
                    AeronOptions.DRIVER + "=" + driver + " has a media driver that cannot be used: "
                            + failed.getMessage() + "; this client is Aeron " + LIBRARY_VERSION
                            + ", and the driver has to be one that works with it",
                    failed);
        }
        if (!isThere) {
            throw new TransportException("no media driver runs in " + AeronOptions.DRIVER + "=" + driver
                    + "; start one" + what + ": java "
                    + JVM_FLAG + " -cp aeron-all-"
                    + LIBRARY_VERSION + ".jar -Daeron.dir=" + driver + " " + command);
        }
    }

    /** A client without a thread, which one thread at a time uses. */
    public static Aeron.Context client(Path driver, Duration timeout, ErrorHandler errors) {
        return new Aeron.Context()
                .aeronDirectoryName(driver.toString())
                .clientName("baton")
                .useConductorAgentInvoker(true)
                .clientLock(NoOpLock.INSTANCE)
                .driverTimeoutMs(timeout.toMillis())
                .errorHandler(errors);
    }

    /** Waits for so long at most, and no longer than a client may be without a turn. */
    public static void await(long nanos) {
        LockSupport.parkNanos(Math.min(nanos, LONGEST_PAUSE_NANOS));
    }

    /** Ends a client; the driver ends what it had open. */
    public static void close(Aeron aeron) {
        if (aeron != null) {
            try {
                aeron.close();
            } catch (RuntimeException gone) {
                // it has no thread that could be left
            }
        }
    }

    /** Whether the driver has no room for a log. */
    public static boolean isFull(RuntimeException failed) {
        return failed instanceof RegistrationException told && told.errorCode() == ErrorCode.STORAGE_SPACE;
    }

    /**
     * What to do when it has none.
     *
     * @param taker of three terms
     */
    public static String moreMemory(String taker) {
        return "; make room where the media driver has its directory (a container has 64m of /dev/shm unless told otherwise), or"
                + " create topics with a shorter " + AeronOptions.TERM_LENGTH + " (" + taker + " takes three)";
    }
}
