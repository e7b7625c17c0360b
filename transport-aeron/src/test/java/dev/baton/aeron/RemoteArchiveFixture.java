package dev.baton.aeron;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.NetworkFault;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.awaitility.Awaitility;

/** Topics of an Archive in another process, over UDP; its process is stopped, or killed and started again over its recordings. */
final class RemoteArchiveFixture implements TransportFixture {
    private static final Duration LIVENESS = Duration.ofSeconds(2);

    private final ArchiveJvm archive;
    private final TestDriver driver; // the client's
    private boolean isStopped;

    RemoteArchiveFixture(ArchiveJvm archive, TestDriver driver) {
        this.archive = archive;
        this.driver = driver;
    }

    /** An Archive that gives clients up soon. */
    static ArchiveJvm newArchive() {
        return ArchiveJvm.start(LIVENESS);
    }

    private ArchiveOptions options() {
        return ArchiveOptions.defaults()
                .with(ArchiveOptions.DRIVER, driver.directory())
                .with(ArchiveOptions.ARCHIVE, archive.address())
                .with(ArchiveOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(ArchiveOptions.MAX_PAYLOAD, 100)
                .with(ArchiveOptions.TIMEOUT, LIVENESS);
    }

    @Override
    public Transport open() {
        return ArchiveTransport.open(options());
    }

    @Override
    public Transport reopen() {
        return open();
    }

    @Override
    public Transport openAnother() {
        return open();
    }

    /** The Archive's file system is the limit. */
    @Override
    public OptionalInt backlog() {
        return OptionalInt.empty();
    }

    @Override
    public Duration settle() {
        return Duration.ofMillis(100);
    }

    @Override
    public boolean keepsAcknowledgedFrames() {
        return true;
    }

    @Override
    public Set<NetworkFault> networkFaults() {
        return EnumSet.of(NetworkFault.BROKEN_LINKS, NetworkFault.STALLED_SERVER);
    }

    @Override
    public Duration reportedWithin() {
        return LIVENESS.multipliedBy(8);
    }

    @Override
    public Duration blocksAtMost() {
        return LIVENESS.multipliedBy(10);
    }

    @Override
    public void begin(NetworkFault fault) {
        if (fault == NetworkFault.BROKEN_LINKS) {
            archive.kill();
        } else {
            archive.signal("STOP");
            isStopped = true;
        }
    }

    /** An Archive that was stopped for too long gives itself up; then it is started again as well. */
    @Override
    public void heal() {
        if (isStopped) {
            archive.signal("CONT");
            isStopped = false;
        }
        if (archive.isAlive() && !isAnswering()) {
            archive.kill();
        }
        if (!archive.isAlive()) {
            archive.startAgain();
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(this::isAnswering);
        }
    }

    private boolean isAnswering() {
        try {
            ArchiveSession.connect(options()).close();
            return true;
        } catch (TransportException silent) {
            return false;
        }
    }

    @Override
    public void close() {
        // Archive and driver are those of all tests of the class
    }
}
