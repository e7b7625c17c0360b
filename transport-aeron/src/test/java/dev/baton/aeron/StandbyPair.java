package dev.baton.aeron;

import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** An Archive and its standby, each with a media driver in a JVM of its own. Used by one thread at a time. */
final class StandbyPair implements AutoCloseable {
    /** The timeout of clients, and the one after which drivers drop a client. */
    static final Duration TIMEOUT = Duration.ofSeconds(4);

    final ArchiveJvm primary;
    final ArchiveJvm standby;

    private StandbyPair(ArchiveJvm primary, ArchiveJvm standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** Starts both at once. */
    static StandbyPair start() {
        return start(TIMEOUT);
    }

    /** Starts both at once, with drivers that drop a client after this time without a turn. */
    static StandbyPair start(Duration clientLiveness) {
        CompletableFuture<ArchiveJvm> other = CompletableFuture.supplyAsync(() -> ArchiveJvm.start(clientLiveness));
        ArchiveJvm primary;
        try {
            primary = ArchiveJvm.start(clientLiveness);
        } catch (RuntimeException | Error failed) {
            other.thenAccept(ArchiveJvm::close).join();
            throw failed;
        }
        try {
            return new StandbyPair(primary, other.join());
        } catch (RuntimeException failed) {
            primary.close();
            throw failed;
        }
    }

    /** Options of clients of both. */
    ArchiveOptions options() {
        return copied(primary, standby);
    }

    /** Options of clients of an Archive that has another one as its standby. */
    static ArchiveOptions copied(ArchiveJvm archive, ArchiveJvm standby) {
        return alone(archive)
                .with(ArchiveOptions.ADDRESS, archive.address())
                .with(ArchiveOptions.STANDBY, standby.address());
    }

    /** Options of clients of one alone. */
    static ArchiveOptions alone(ArchiveJvm archive) {
        return ArchiveOptions.defaults()
                .with(ArchiveOptions.DRIVER, archive.driver())
                .with(ArchiveOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(ArchiveOptions.MAX_PAYLOAD, 100)
                .with(ArchiveOptions.TIMEOUT, TIMEOUT);
    }

    /** Promotes the standby. */
    Map<String, Long> promote(boolean isForced) {
        return new ArchiveProvider()
                .promote(
                        Map.of("driver", standby.driver().toString(), "timeout", TIMEOUT.toMillis() + "ms"),
                        primary.address(),
                        isForced);
    }

    /** The newest sequence of a topic in one of them. */
    static long newest(ArchiveJvm archive, String topic) {
        try (Transport transport = ArchiveTransport.open(alone(archive));
                TopicInspector inspector = transport.inspect(topic)) {
            return inspector.newestSequence();
        }
    }

    /** Opens a topic once the Archives have noticed the end of the clients before. */
    ArchiveTopic reopen(String topic) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return ArchiveTopic.in(options(), topic);
            } catch (TransportException notYet) {
                if (System.nanoTime() - begun > 10 * TIMEOUT.toNanos()) {
                    throw notYet;
                }
            }
        }
    }

    @Override
    public void close() {
        primary.close();
        standby.close();
    }
}
