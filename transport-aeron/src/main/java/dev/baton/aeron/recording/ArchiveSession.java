package dev.baton.aeron.recording;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.driver.AgentTurns;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import io.aeron.Aeron;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.client.ArchiveProxy;
import io.aeron.archive.client.ControlResponsePoller;
import io.aeron.archive.client.RecordingSignalConsumer;
import io.aeron.archive.codecs.ControlResponseCode;
import io.aeron.archive.codecs.RecordingSignal;
import io.aeron.archive.codecs.RecordingSignalEventDecoder;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.TimeoutException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;

/**
 * One client of the media driver, and its control session with the Archive. Neither has a thread: both run within the calls of
 * this class, which must come more often than the driver's client liveness timeout.
 *
 * <p>Requests are sent in two ways. {@link #call} waits for the answer, for the timeout of the options at most. {@link #ask} does
 * not wait: {@link #work} hands the answer over. An answer that comes while a call waits for its own is dropped, so that the
 * caller of {@code ask} has to repeat a request without an answer. Confined to one thread at a time.
 */
public final class ArchiveSession implements AutoCloseable {
    /** A handler of the answer to a request, which is not waited for. */
    public interface Answer {
        /**
         * Handles the answer of the Archive.
         *
         * @param value the requested value
         * @param error null when the request has succeeded
         */
        void onAnswer(long value, String error);
    }

    /** A request to the Archive; false when it cannot be sent now. */
    public interface Request {
        boolean send(ArchiveProxy proxy, long correlation, long control);
    }

    private static final String MORE_REPLAYS =
            "; start the Archive with a higher aeron.archive.max.concurrent.replays: each open"
                    + " reader takes one, and another one while it is opened";

    private static final String MORE_MEMORY = DriverClient.moreMemory("a writer or reader");

    /** The listing of the catalog, of whose entries one may be damaged. */
    static final String LISTING = "list the recordings of the Archive";

    private static final String RESTORE = "; restore the recordings of the Archive, or delete the topic";

    private static final String DAMAGED_CATALOG = "; the Archive's catalog (archive.catalog) may be damaged" + RESTORE;

    private static final int LONGEST_TEXT = 500; // of an error of Aeron

    private static final String NO_STORAGE = "insufficient usable storage"; // of the media driver

    private final ArchiveOptions options;
    private final Aeron aeron;
    private final long timeoutNanos;
    private final AtomicReference<Throwable> firstError; // of the client
    private final AeronArchive archive;
    private final String localEndpoint; // of a session over UDP
    private final long archiveId;
    private final Long2ObjectHashMap<Answer> pending = new Long2ObjectHashMap<>();
    private final IdleStrategy idle = DriverClient.pauses();
    private final Signals signals;
    private final Standby standby; // null for none
    private long workedAt;
    private long calls;
    private boolean isLost;
    private boolean isClosed;

    private ArchiveSession(
            ArchiveOptions options,
            Aeron aeron,
            AtomicReference<Throwable> firstError,
            AeronArchive archive,
            String localEndpoint,
            Signals signals) {
        this.options = options;
        timeoutNanos = options.get(ArchiveOptions.TIMEOUT).toNanos();
        this.aeron = aeron;
        this.firstError = firstError;
        this.archive = archive;
        this.localEndpoint = localEndpoint;
        this.signals = signals;
        archiveId = options.isRemote() ? Aeron.NULL_VALUE : archive.archiveId();
        standby = null;
    }

    /** Continues a session with a standby. */
    private ArchiveSession(ArchiveSession alone, Standby standby) {
        options = alone.options;
        timeoutNanos = alone.timeoutNanos;
        aeron = alone.aeron;
        firstError = alone.firstError;
        archive = alone.archive;
        localEndpoint = alone.localEndpoint;
        signals = alone.signals;
        archiveId = alone.archiveId;
        this.standby = standby;
        standby.serve(this);
    }

    /**
     * Connects to the Archive, and to its standby if the options have one. Takes milliseconds when driver and Archive run, and the
     * timeout of the options for each at most.
     *
     * @throws TransportException when the JVM lacks a flag, no driver runs, an Archive does not answer or is of another version
     * @throws TopicMismatchException when the roles of the Archives do not allow it
     */
    public static ArchiveSession connect(ArchiveOptions options) {
        ArchiveSession alone = connectAlone(options);
        try {
            if (options.hasStandby()) {
                return new ArchiveSession(alone, Standby.connect(alone));
            }
            Role.requireAlone(alone);
            return alone;
        } catch (RuntimeException | Error failed) { // an Error for example of a mapped file without pages
            alone.close();
            throw failed;
        }
    }

    /** Connects as {@link #connect} does, without a standby, to an Archive in any role: for inspection and administration. */
    public static ArchiveSession connectAlone(ArchiveOptions options) {
        return Interrupts.without(() -> begin(options));
    }

    private static ArchiveSession begin(ArchiveOptions options) {
        DriverClient.checkFlag();
        requireDriver(options);
        AtomicReference<Throwable> firstError = new AtomicReference<>();
        Aeron aeron = null;
        try {
            String endpoint = options.isRemote() ? localEndpoint(options) : null;
            aeron = Aeron.connect(DriverClient.client(
                            options.get(ArchiveOptions.DRIVER),
                            options.get(ArchiveOptions.TIMEOUT),
                            error -> firstError.compareAndSet(null, error))
                    .subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)); // or what a handler throws is lost
            Signals signals = new Signals();
            AeronArchive archive = AeronArchive.connect(context(options, aeron, endpoint, signals));
            return new ArchiveSession(options, aeron, firstError, archive, endpoint, signals);
        } catch (TimeoutException silent) {
            DriverClient.close(aeron);
            throw new TransportException(notReachable(options), silent);
        } catch (RuntimeException | IOException failed) {
            DriverClient.close(aeron);
            throw new TransportException(
                    "cannot connect to the Archive (" + options + "): " + failed.getMessage() + "; the client is Aeron "
                            + DriverClient.LIBRARY_VERSION,
                    failed);
        } catch (Error failed) { // for example of a mapped file without pages
            DriverClient.close(aeron);
            throw failed;
        }
    }

    private static AeronArchive.Context context(
            ArchiveOptions options, Aeron aeron, String localEndpoint, Signals signals) {
        AeronArchive.Context context = new AeronArchive.Context()
                .aeron(aeron)
                .ownsAeronClient(false)
                .lock(NoOpLock.INSTANCE)
                .idleStrategy(DriverClient.pauses())
                .clientName("baton")
                .messageTimeoutNs(options.get(ArchiveOptions.TIMEOUT).toNanos())
                .recordingSignalConsumer(signals)
                .errorHandler(late -> {}); // of a request that is not waited for any more
        return options.isRemote()
                ? context.controlRequestChannel("aeron:udp?endpoint=" + options.get(ArchiveOptions.ARCHIVE))
                        .controlResponseChannel("aeron:udp?endpoint=" + localEndpoint)
                : context.controlRequestChannel(AeronArchive.Configuration.localControlChannel())
                        .controlRequestStreamId(AeronArchive.Configuration.localControlStreamId())
                        .controlResponseChannel("aeron:ipc");
    }

    private static void requireDriver(ArchiveOptions options) {
        if (options.isRemote()) {
            DriverClient.require(
                    options.get(ArchiveOptions.DRIVER),
                    options.get(ArchiveOptions.TIMEOUT),
                    "",
                    DriverClient.PROGRAM + "; the Archive is elsewhere, and this host needs a driver of its own");
        } else {
            DriverClient.require(
                    options.get(ArchiveOptions.DRIVER),
                    options.get(ArchiveOptions.TIMEOUT),
                    " with an Archive",
                    "-Daeron.archive.dir=DIRECTORY '-Daeron.archive.control.channel=aeron:udp?endpoint=HOST:8010'"
                            + " '-Daeron.archive.replication.channel=aeron:udp?endpoint=HOST:0'"
                            + " io.aeron.archive.ArchivingMediaDriver");
        }
    }

    private static String notReachable(ArchiveOptions options) {
        return "no Archive has answered within "
                + options.get(ArchiveOptions.TIMEOUT).toMillis() + " ms on "
                + (options.isRemote()
                        ? "aeron:udp?endpoint=" + options.get(ArchiveOptions.ARCHIVE) + " (" + ArchiveOptions.ARCHIVE
                                + "="
                                + options.get(ArchiveOptions.ARCHIVE) + ", " + ArchiveOptions.ENDPOINT + "="
                                + (options.get(ArchiveOptions.ENDPOINT).isEmpty()
                                        ? "unset"
                                        : options.get(ArchiveOptions.ENDPOINT))
                                + "); is it running there, with this aeron.archive.control.channel, and does UDP pass in both"
                                + " directions?"
                        : AeronArchive.Configuration.localControlChannel() + " of the media driver in "
                                + options.get(ArchiveOptions.DRIVER)
                                + "; is an Archive running in that driver? Start io.aeron.archive.ArchivingMediaDriver, again"
                                + " if its process was stalled for longer than aeron.client.liveness.timeout (which ends its"
                                + " Archive), or name another one with " + ArchiveOptions.ARCHIVE + "=HOST:PORT");
    }

    /** Returns this host's address on the route to the Archive. */
    private static String localEndpoint(ArchiveOptions options) throws IOException {
        if (!options.get(ArchiveOptions.ENDPOINT).isEmpty()) {
            return options.get(ArchiveOptions.ENDPOINT);
        }
        int colon = options.get(ArchiveOptions.ARCHIVE).lastIndexOf(':');
        String host = options.get(ArchiveOptions.ARCHIVE).substring(0, colon).replaceAll("[\\[\\]]", "");
        InetSocketAddress there = new InetSocketAddress(
                InetAddress.getByName(host),
                Integer.parseInt(options.get(ArchiveOptions.ARCHIVE).substring(colon + 1)));
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(there); // sends nothing
            String address =
                    ((InetSocketAddress) probe.getLocalAddress()).getAddress().getHostAddress();
            return (address.contains(":") ? "[" + address + "]" : address) + ":0";
        }
    }

    public ArchiveOptions options() {
        return options;
    }

    /** Returns the time without an answer after which the connection fails. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    public Aeron aeron() {
        return aeron;
    }

    /** Returns the client for requests that wait for their answer; answers to earlier requests of {@link #ask} are lost. */
    public AeronArchive archive() {
        calls++;
        return archive;
    }

    /**
     * Returns the number of requests that have waited for their answer; requests of {@link #ask} before the last of them have to
     * be repeated.
     */
    public long calls() {
        return calls;
    }

    public long archiveId() {
        return archiveId;
    }

    /** Returns the connection to the standby; null for none. */
    public Standby standby() {
        return standby;
    }

    Signals signals() {
        return signals;
    }

    /** Returns the endpoint at which replays are received; null for a session over IPC. */
    String localEndpoint() {
        return localEndpoint;
    }

    /** Returns whether driver and Archive are connected, as far as is known. */
    public boolean isAlive() {
        return !isClosed
                && !isLost
                && !aeron.isClosed()
                && archive.controlResponsePoller().subscription().isConnected()
                && (standby == null || standby.isAlive());
    }

    /**
     * Checks that driver and Archive are connected.
     *
     * @throws TransportException when they are not connected
     */
    public void requireAlive() {
        if (!isAlive()) {
            throw lost();
        }
    }

    private TransportException lost() {
        if (standby != null && !standby.isAlive()) {
            return standby.lost();
        }
        Throwable first = firstError.get();
        return new TransportException(
                "the connection to the "
                        + (aeron.isClosed() ? "media driver in " + options.get(ArchiveOptions.DRIVER) : "Archive")
                        + " ("
                        + options + ") is gone: "
                        + (first == null ? "the Archive has ended, or has timed this process out" : first.getMessage())
                        + "; open again when it runs",
                first);
    }

    /** Gives the client a turn and handles the answers of the Archive; skips most turns unless an answer is pending. */
    public int work(long nowNanos) {
        return standby == null ? workAlone(nowNanos) : workAlone(nowNanos) + standby.work(nowNanos);
    }

    /** Does the same without the standby. */
    int workAlone(long nowNanos) {
        if (pending.isEmpty() && nowNanos - workedAt < DriverClient.TURN_NANOS) {
            return 0;
        }
        workedAt = nowNanos;
        AgentTurns.invoke(aeron.conductorAgentInvoker(), aeron.context().errorHandler());
        if (aeron.isClosed()) {
            throw lost();
        }
        int answers = 0;
        while (pollAnswer()) {
            answers++;
        }
        if (!archive.controlResponsePoller().subscription().isConnected()) {
            throw lost();
        }
        return answers;
    }

    private boolean pollAnswer() {
        ControlResponsePoller poller = archive.controlResponsePoller();
        if (poller.poll() == 0 || !poller.isPollComplete()) {
            return false;
        }
        if (poller.controlSessionId() == archive.controlSessionId()) {
            if (poller.templateId() == RecordingSignalEventDecoder.TEMPLATE_ID) {
                signals.onSignal(
                        poller.controlSessionId(),
                        poller.correlationId(),
                        poller.recordingId(),
                        poller.subscriptionId(),
                        poller.position(),
                        poller.recordingSignal());
            } else {
                Answer answer = pending.remove(poller.correlationId());
                boolean isError = poller.code() == ControlResponseCode.ERROR;
                if (answer != null) {
                    answer.onAnswer(poller.relevantId(), isError ? poller.errorMessage() : null);
                } else if (isError) {
                    signals.failed(poller.correlationId(), (int) poller.relevantId(), poller.errorMessage());
                }
            }
        }
        return true;
    }

    /**
     * Sends a request whose answer comes later or is lost.
     *
     * @return its correlation id; {@link Aeron#NULL_VALUE} when it could not be sent
     * @throws TransportException when the Archive is disconnected
     */
    public long ask(Request request, Answer answer) {
        long correlation = aeron.nextCorrelationId();
        try {
            if (!request.send(archive.archiveProxy(), correlation, archive.controlSessionId())) {
                return Aeron.NULL_VALUE;
            }
        } catch (ArchiveException disconnected) { // while the responses are still connected
            firstError.compareAndSet(null, disconnected);
            isLost = true;
            throw lost();
        }
        if (answer != null) {
            pending.put(correlation, answer);
        }
        return correlation;
    }

    /** Drops the answer to a request. */
    public void forget(long correlation) {
        pending.remove(correlation);
    }

    /**
     * Runs a task that waits for the driver or the Archive.
     *
     * @param what name of the task in the infinitive, for the error
     * @throws TransportException when it is refused, takes longer than the timeout, or the connection is gone
     */
    public <T> T call(String what, Supplier<T> task) {
        requireAlive();
        try {
            return Interrupts.without(task);
        } catch (TransportException refused) {
            throw refused;
        } catch (RuntimeException failed) {
            if (!isAlive()) { // the first error of the client tells why, and this one only that
                TransportException lost = lost();
                lost.addSuppressed(failed);
                throw lost;
            }
            throw refused(what, failed);
        }
    }

    /** Describes a refusal by Aeron, with the remedy where there is one. */
    public static TransportException refused(String what, RuntimeException failed) {
        String text = String.valueOf(failed.getMessage()); // may quote all of a damaged entry
        String printable =
                text.substring(0, Math.min(text.length(), LONGEST_TEXT)).replaceAll("[^ -~]", "?");
        return new TransportException("Aeron cannot " + what + ": " + printable + advice(what, failed), failed);
    }

    /** Returns the remedy for an error text of the Archive that contains one of its media driver. */
    public static String adviceOnReplay(String error) {
        boolean isDamaged = error.contains("does not point to a valid frame") || error.contains("recording segment");
        return isDamaged ? RESTORE : error.contains(NO_STORAGE) ? MORE_MEMORY : "";
    }

    private static String advice(String what, RuntimeException failed) {
        if (DriverClient.isFull(failed)) {
            return MORE_MEMORY;
        }
        if (failed instanceof ArchiveException refused) {
            return switch (refused.errorCode()) {
                case ArchiveException.STORAGE_SPACE ->
                    "; free space in the Archive's directory, or use " + ArchiveOptions.RETENTION + "=unread";
                case ArchiveException.MAX_RECORDINGS ->
                    "; start the Archive with a higher"
                            + " aeron.archive.max.concurrent.recordings: each open writer takes two, each open reader one";
                case ArchiveException.MAX_REPLAYS -> MORE_REPLAYS;
                case ArchiveException.INVALID_EXTENSION -> DAMAGED_CATALOG;
                default -> "";
            };
        }
        boolean isOfCatalog = failed instanceof IllegalArgumentException // by a value of an entry
                || what.equals(LISTING) && !(failed instanceof AeronException)
                || String.valueOf(failed.getMessage()).contains("awaiting recording descriptors");
        return isOfCatalog ? DAMAGED_CATALOG : "";
    }

    /**
     * Takes turns until a condition is true.
     *
     * @param what name of the condition, for the error
     * @throws TransportException when it takes longer than the timeout
     */
    public void await(String what, BooleanSupplier condition) {
        if (!awaitFor(timeoutNanos, condition)) {
            throw new TransportException("waited "
                    + options.get(ArchiveOptions.TIMEOUT).toMillis() + " ms for " + what + " (" + options + ")");
        }
    }

    /** Takes turns until a condition is true or a time has passed, and returns whether it is true. */
    public boolean awaitFor(long limitNanos, BooleanSupplier condition) {
        long begun = System.nanoTime();
        workedAt = begun - DriverClient.TURN_NANOS;
        idle.reset();
        while (!condition.getAsBoolean()) {
            long now = System.nanoTime();
            if (now - begun > limitNanos) {
                return false;
            }
            workedAt = now - DriverClient.TURN_NANOS;
            idle.idle(work(now));
        }
        return true;
    }

    /** Returns the time after which this host's driver times out a client without a heartbeat. */
    long clientLivenessNanos() {
        return aeron.context().interServiceTimeoutNs();
    }

    /** Closes the session and the client; the Archive and the driver close their recordings, replays and publications. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            if (standby != null) {
                standby.close();
            }
            try {
                archive.close();
            } catch (RuntimeException gone) {
                // the Archive has ended
            }
            DriverClient.close(aeron);
        }
    }

    /** The last signals of the Archive about the beginning and the end of recordings. Confined to its session's thread. */
    static final class Signals implements RecordingSignalConsumer {
        private long begunSubscription = Aeron.NULL_VALUE;
        private long begunRecording = Aeron.NULL_VALUE;
        private long stoppedSubscription = Aeron.NULL_VALUE;
        private ArchiveException refusal; // of the last request that had been accepted; null before the first
        private String failure = "";

        @Override
        public void onSignal(
                long controlSession,
                long correlation,
                long recording,
                long subscription,
                long position,
                RecordingSignal signal) {
            if (signal == RecordingSignal.START || signal == RecordingSignal.EXTEND) {
                begunSubscription = subscription;
                begunRecording = recording;
            } else if (signal == RecordingSignal.STOP) {
                stoppedSubscription = subscription;
            }
        }

        /** Notes that a request was refused after it had been accepted. */
        void failed(long correlation, int code, String text) {
            refusal = new ArchiveException(text, code, correlation);
            failure = text;
        }

        /** Returns the recording that has begun with a subscription of the Archive; {@link Aeron#NULL_VALUE} for none. */
        long recordingOf(long subscription) {
            return begunSubscription == subscription ? begunRecording : Aeron.NULL_VALUE;
        }

        boolean hasStopped(long subscription) {
            return stoppedSubscription == subscription;
        }

        boolean hasFailed(long correlation) {
            return refusal != null && refusal.correlationId() == correlation;
        }

        /** Returns why the last request failed that had been accepted; empty for none. */
        String failure() {
            return failure;
        }

        /** Returns why a request failed after it had been accepted; empty when that is not known. */
        String failureOf(long correlation) {
            return hasFailed(correlation) ? failure : "";
        }

        /** Returns the refusal of the last request that failed after it had been accepted. */
        ArchiveException refusal() {
            return refusal;
        }
    }
}
