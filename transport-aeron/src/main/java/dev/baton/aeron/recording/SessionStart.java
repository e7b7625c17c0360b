package dev.baton.aeron.recording;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.spi.TransportException;
import io.aeron.Aeron;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.TimeoutException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.NoOpLock;

/** Connects to a media driver and its Archive, or says why that cannot be. Stateless. */
final class SessionStart {
    private SessionStart() {}

    /**
     * Connects. Takes milliseconds when driver and Archive run, and the timeout of the options at most.
     *
     * @throws TransportException when the JVM lacks a flag, no driver runs, the Archive does not answer or is of another version
     */
    static ArchiveSession connect(ArchiveOptions options) {
        DriverClient.checkFlag();
        requireDriver(options);
        FirstError errors = new FirstError();
        Aeron aeron = null;
        try {
            String endpoint = options.isRemote() ? localEndpoint(options) : null;
            aeron = Aeron.connect(DriverClient.client(options.driver(), options.timeout(), errors)
                    .subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)); // or what a handler throws is lost
            RecordingSignals signals = new RecordingSignals();
            AeronArchive archive = AeronArchive.connect(context(options, aeron, endpoint, signals));
            return new ArchiveSession(options, aeron, errors, archive, endpoint, signals);
        } catch (TimeoutException silent) {
            DriverClient.close(aeron);
            throw new TransportException(notReachable(options), silent);
        } catch (RuntimeException | IOException failed) {
            DriverClient.close(aeron);
            throw new TransportException(
                    "cannot connect to the Archive (" + options + "): " + failed.getMessage() + "; the client is Aeron "
                            + DriverClient.LIBRARY_VERSION,
                    failed);
        }
    }

    private static AeronArchive.Context context(
            ArchiveOptions options, Aeron aeron, String localEndpoint, RecordingSignals signals) {
        AeronArchive.Context context = new AeronArchive.Context()
                .aeron(aeron)
                .ownsAeronClient(false)
                .lock(NoOpLock.INSTANCE)
                .clientName("baton")
                .messageTimeoutNs(options.timeout().toNanos())
                .recordingSignalConsumer(signals)
                .errorHandler(late -> {}); // of a request that nobody waits for any more
        return options.isRemote()
                ? context.controlRequestChannel("aeron:udp?endpoint=" + options.archive())
                        .controlResponseChannel("aeron:udp?endpoint=" + localEndpoint)
                : context.controlRequestChannel(AeronArchive.Configuration.localControlChannel())
                        .controlRequestStreamId(AeronArchive.Configuration.localControlStreamId())
                        .controlResponseChannel("aeron:ipc");
    }

    private static void requireDriver(ArchiveOptions options) {
        if (options.isRemote()) {
            DriverClient.require(
                    options.driver(),
                    options.timeout(),
                    "",
                    DriverClient.PROGRAM + "; the Archive is elsewhere, and this host needs a driver of its own");
        } else {
            DriverClient.require(
                    options.driver(),
                    options.timeout(),
                    " with an Archive",
                    "-Daeron.archive.dir=DIRECTORY '-Daeron.archive.control.channel=aeron:udp?endpoint=HOST:8010'"
                            + " '-Daeron.archive.replication.channel=aeron:udp?endpoint=HOST:0'"
                            + " io.aeron.archive.ArchivingMediaDriver");
        }
    }

    private static String notReachable(ArchiveOptions options) {
        return "no Archive has answered within " + options.timeout().toMillis() + " ms on "
                + (options.isRemote()
                        ? "aeron:udp?endpoint=" + options.archive() + " (" + ArchiveOptions.ARCHIVE + "="
                                + options.archive() + ", " + ArchiveOptions.ENDPOINT + "="
                                + (options.endpoint().isEmpty() ? "unset" : options.endpoint())
                                + "); is it running there, with this aeron.archive.control.channel, and does UDP pass in both"
                                + " directions?"
                        : AeronArchive.Configuration.localControlChannel() + " of the media driver in "
                                + options.driver()
                                + "; is an Archive running in that driver? Start io.aeron.archive.ArchivingMediaDriver, again"
                                + " if its process stood still for longer than aeron.client.liveness.timeout (its Archive has"
                                + " ended then), or name another one with " + ArchiveOptions.ARCHIVE + "=HOST:PORT");
    }

    /** This host's address on the way to the Archive. */
    private static String localEndpoint(ArchiveOptions options) throws IOException {
        if (!options.endpoint().isEmpty()) {
            return options.endpoint();
        }
        int colon = options.archive().lastIndexOf(':');
        String host = options.archive().substring(0, colon).replaceAll("[\\[\\]]", "");
        InetSocketAddress there = new InetSocketAddress(
                InetAddress.getByName(host), Integer.parseInt(options.archive().substring(colon + 1)));
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(there); // sends nothing
            String address =
                    ((InetSocketAddress) probe.getLocalAddress()).getAddress().getHostAddress();
            return (address.contains(":") ? "[" + address + "]" : address) + ":0";
        }
    }
}
