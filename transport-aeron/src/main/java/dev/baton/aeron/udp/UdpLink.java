package dev.baton.aeron.udp;

import dev.baton.aeron.UdpOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.DriverDirectory;
import dev.baton.spi.StartPosition;
import dev.baton.spi.errors.LostTransportException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import dev.baton.spi.support.SequenceRanges;
import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.Header;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.IoUtil;

/**
 * The client of a media driver, embedded or running, with the channels of a transport: the requests of readers in other processes,
 * the answers to them, and the streams of topics. The writer's process answers requests; a reader's process sends them. Both happen in
 * the turns of connections, and every few milliseconds on a thread.
 *
 * <p>The address of the writer's process excludes a second one: with another driver the address cannot be bound, and with the same
 * driver a publication with a session of its own is refused. Thread-safe.
 */
final class UdpLink implements AutoCloseable {
    private static final int REQUESTS = 0x4BA7_0001; // stream ids, far from those that users choose
    private static final int ANSWERS = 0x4BA7_0002;
    private static final int LOCK = 0x4BA7_0003;
    private static final int CONTROL_TERM = 1 << 20; // an answer takes an eighth at most
    private static final int LOCK_TERM = 64 << 10;
    private static final int MESSAGES_PER_TURN = 16;
    private static final long SERVE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long ANSWER_NANOS = TimeUnit.MICROSECONDS.toNanos(100); // between two looks for an answer
    private static final long LEAST_DRIVER_TIMEOUT_MILLIS = 3_000; // a driver shows each second that it lives

    /** Flow control of several receivers: the slowest one counts, and one that is silent for two seconds does not. */
    private static final String FLOW_CONTROL = "min,t:2s";

    private final UdpOptions options;
    private final Map<String, HostedTopic> topics; // of this process
    private final MediaDriver driver; // null for a running one
    private final Aeron aeron;
    private final Subscription inbound;
    private final ExclusivePublication outbound; // guarded by message, as is that
    private final ExpandableArrayBuffer message = new ExpandableArrayBuffer();
    private final FragmentAssembler assembler = new FragmentAssembler(this::onMessage);
    private final ReentrantLock turn = new ReentrantLock();
    private int senders; // images at the last turn, guarded by it
    private final Thread thread;
    private final Map<Long, RemoteSeat> seats = new ConcurrentHashMap<>();
    private volatile TransportException failure;
    private volatile boolean isClosed;

    UdpLink(UdpOptions options, Map<String, HostedTopic> topics) {
        DriverClient.checkFlag();
        this.options = options;
        this.topics = topics;
        Path running = options.get(UdpOptions.DRIVER);
        MediaDriver embedded = null;
        Aeron client = null;
        try {
            if (running != null) {
                DriverClient.require(running, options.get(UdpOptions.TIMEOUT), "", DriverClient.PROGRAM);
            } else {
                embedded = Interrupts.without(this::launch);
            }
            Path directory = running != null ? running : Path.of(embedded.aeronDirectoryName());
            client = Interrupts.without(() -> connect(directory));
            aeron = client;
            if (options.isWriter()) {
                if (running != null) {
                    lock();
                }
                inbound = subscribe(requests(), REQUESTS);
                outbound = publish(data().termLength(CONTROL_TERM).build(), ANSWERS);
            } else {
                inbound = subscribe(receiving().tether(false).build(), ANSWERS);
                outbound = publish(
                        builder()
                                .endpoint(options.get(UdpOptions.REQUESTS))
                                .termLength(CONTROL_TERM)
                                .build(),
                        REQUESTS);
            }
            driver = embedded;
            thread = new Thread(this::serve, "baton-aeron-udp");
            thread.setDaemon(true);
            thread.start();
        } catch (RuntimeException | InternalError failed) { // the second of a mapped file without pages
            CloseHelper.quietCloseAll(client, embedded);
            if (failed instanceof TransportException known) {
                throw known;
            }
            throw new TransportException(
                    "aeron-udp cannot be opened (" + options + "): " + failed.getMessage(), failed);
        }
    }

    /** Answers requests and shows that readers live, also while no connection has a turn. */
    private void serve() {
        try {
            while (!isClosed && failure() == null) {
                work();
                for (HostedTopic each : topics.values()) {
                    each.trySend();
                }
                long now = System.nanoTime();
                for (RemoteSeat each : seats.values()) {
                    each.beat(now);
                }
                LockSupport.parkNanos(SERVE_NANOS);
            }
        } catch (RuntimeException | Error ended) {
            fail(new LostTransportException(
                    "the thread of aeron-udp has ended: " + ended + "; open the transport again", ended));
        }
    }

    private MediaDriver launch() {
        Path directory = DriverDirectory.next(options.get(UdpOptions.DIRECTORY));
        try {
            return MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(directory.toString())
                    .threadingMode(ThreadingMode.SHARED)
                    .dirDeleteOnStart(true)
                    .dirDeleteOnShutdown(true));
        } catch (RuntimeException | InternalError failed) {
            IoUtil.delete(directory.toFile(), true);
            throw failed;
        }
    }

    private Aeron connect(Path directory) {
        return Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory.toString())
                .clientName("baton")
                .driverTimeoutMs(Math.max(
                        LEAST_DRIVER_TIMEOUT_MILLIS,
                        options.get(UdpOptions.TIMEOUT).toMillis()))
                .errorHandler(this::onError));
    }

    private void onError(Throwable error) {
        if (error instanceof TimeoutException) {
            fail(new LostTransportException(
                    "the media driver of aeron-udp is lost: " + error.getMessage() + "; open the transport again",
                    error));
        }
    }

    private void fail(TransportException reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    private void lock() {
        String address = options.get(UdpOptions.REQUESTS);
        int colon = address.lastIndexOf(':');
        int session = new InetSocketAddress(
                        address.substring(0, colon), Integer.parseInt(address, colon + 1, address.length(), 10))
                .hashCode(); // of the resolved address, however it is typed
        String channel = new ChannelUriStringBuilder()
                .media(CommonContext.IPC_MEDIA)
                .sessionId(session)
                .termLength(LOCK_TERM)
                .linger(0L)
                .build();
        try {
            publish(channel, LOCK);
        } catch (TransportException refused) {
            if (!refused.getMessage().contains("session")) {
                throw refused;
            }
            throw new OccupiedException("another process with the media driver " + options.get(UdpOptions.DRIVER)
                    + " writes at " + options
                    + ", or has ended less than the driver's client liveness timeout, 10 s, ago;"
                    + " end it, or set " + UdpOptions.ROLE + "=reader");
        }
    }

    private static ChannelUriStringBuilder builder() {
        return new ChannelUriStringBuilder().media(CommonContext.UDP_MEDIA);
    }

    private String requests() {
        return builder().endpoint(options.get(UdpOptions.REQUESTS)).build();
    }

    private boolean isUnicast() {
        return !options.get(UdpOptions.ENDPOINT).isEmpty();
    }

    private ChannelUriStringBuilder data() {
        ChannelUriStringBuilder channel = builder().mtu(options.mtu());
        return isUnicast()
                ? channel.endpoint(options.get(UdpOptions.ENDPOINT))
                : channel.controlEndpoint(options.get(UdpOptions.CONTROL))
                        .controlMode(CommonContext.MDC_CONTROL_MODE_DYNAMIC)
                        .flowControl(FLOW_CONTROL);
    }

    private ChannelUriStringBuilder receiving() {
        return isUnicast()
                ? builder().endpoint(options.get(UdpOptions.ENDPOINT))
                : builder()
                        .controlEndpoint(options.get(UdpOptions.CONTROL))
                        .controlMode(CommonContext.MDC_CONTROL_MODE_DYNAMIC);
    }

    private ExclusivePublication publish(String channel, int stream) {
        return asked(channel, () -> {
            long asked = aeron.asyncAddExclusivePublication(channel, stream);
            return answer(() -> aeron.getExclusivePublication(asked), () -> aeron.asyncRemovePublication(asked));
        });
    }

    private Subscription subscribe(String channel, int stream) {
        return asked(channel, () -> {
            long asked = aeron.asyncAddSubscription(channel, stream);
            return answer(() -> aeron.getSubscription(asked), () -> aeron.asyncRemoveSubscription(asked));
        });
    }

    /**
     * Waits for the driver's answer to a request. The client's own wait would end the client, and with it every topic of the
     * process, when an interrupt arrives.
     *
     * @param answer null while there is none
     */
    private <T> T answer(Supplier<T> answer, Runnable withdraw) {
        boolean wasInterrupted = false;
        long begun = System.nanoTime();
        long limitMillis = aeron.context().driverTimeoutMs();
        try {
            T given = answer.get();
            while (given == null) {
                if (System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(limitMillis)) {
                    withdraw.run();
                    throw new TransportException("the media driver has not answered within " + limitMillis + " ms");
                }
                wasInterrupted |= Thread.interrupted(); // with which it would not pause
                LockSupport.parkNanos(ANSWER_NANOS);
                given = answer.get();
            }
            return given;
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T asked(String channel, Supplier<T> task) {
        try {
            return Interrupts.without(task);
        } catch (RuntimeException refused) {
            String text = String.valueOf(refused.getMessage());
            if (refused.getCause() instanceof BindException || text.contains("Address already in use")) {
                throw new OccupiedException(
                        "the address of " + channel + " is in use: another process writes there, or has"
                                + " another program's socket; end it, choose other addresses, or set " + UdpOptions.ROLE
                                + "=reader");
            }
            throw new TransportException(
                    "Aeron cannot open " + channel + ": " + text
                            + (DriverClient.isFull(refused) ? DriverClient.moreMemory("a topic") : ""),
                    refused);
        }
    }

    /** Adds the stream of a topic. */
    ExclusivePublication publishTopic(String name) {
        return publish(data().termLength(options.get(UdpOptions.TERM_LENGTH)).build(), name.hashCode());
    }

    /** Subscribes a reader to the stream of a topic. */
    Subscription subscribe(Seat.Joined joined) {
        return subscribe(receiving().sessionId(joined.session()).build(), joined.stream());
    }

    /** Closes the subscription of a reader, unless the client has ended. */
    void close(Subscription subscription) {
        try {
            Interrupts.without(() -> {
                subscription.close();
                return null;
            });
        } catch (RuntimeException gone) {
            // with the client
        }
    }

    /** Takes a seat in a topic of another process. */
    RemoteSeat join(String topic, String consumer, StartPosition from) {
        RemoteSeat seat = new RemoteSeat(this, topic, consumer, options.get(UdpOptions.TIMEOUT));
        seats.put(seat.reader(), seat);
        try {
            seat.join(from);
        } catch (RuntimeException failed) {
            seats.remove(seat.reader());
            seat.giveUp();
            throw failed;
        }
        return seat;
    }

    /** Forgets a seat. */
    void left(RemoteSeat seat) {
        seats.remove(seat.reader());
    }

    /** Sends a message if the stream takes it now; it is repeated otherwise. */
    void ask(ControlMessage next) {
        synchronized (message) {
            if (!isClosed) {
                outbound.offer(message, 0, next.write(message));
            }
        }
    }

    /** Receives messages unless another thread does so; returns the work count. */
    int work() {
        if (!turn.tryLock()) {
            return 0;
        }
        try {
            if (isClosed) {
                return 0;
            }
            if (inbound.imageCount() < senders) {
                assembler.clear(); // parts of those that have ended; others repeat theirs
            }
            senders = inbound.imageCount();
            return inbound.poll(assembler, MESSAGES_PER_TURN);
        } finally {
            turn.unlock();
        }
    }

    private void onMessage(DirectBuffer buffer, int offset, int length, Header header) {
        ControlMessage received = ControlMessage.read(buffer, offset, length);
        if (received == null) {
            return; // of another program
        }
        if (!options.isWriter()) {
            RemoteSeat seat = seats.get(received.reader());
            if (seat != null) {
                seat.answered(received);
            }
            return;
        }
        HostedTopic topic = topics.get(received.topic());
        try {
            ControlMessage answer = topic == null ? absent(received) : answer(topic, received);
            if (answer != null) {
                ask(answer);
            }
        } catch (TransportException refused) {
            ask(ControlMessage.refusal(received.reader(), refused));
        }
    }

    private ControlMessage absent(ControlMessage request) {
        return switch (request.kind()) {
            case OPEN ->
                ControlMessage.refusal(
                        request.reader(),
                        ControlMessage.Refusal.ABSENT,
                        "the process that writes at " + options.get(UdpOptions.REQUESTS) + " has no topic '"
                                + request.topic() + "'");
            case REPORT -> beganAnew(request);
            case LEAVE -> left(request);
            default -> null;
        };
    }

    /** Answers a report, with the writers if there are others than the reader knows. */
    private static ControlMessage newest(HostedTopic topic, ControlMessage report) {
        Seat.Writers writers = topic.writers();
        boolean isKnown = report.flags() >>> ControlMessage.FLAGS == writers.count();
        return ControlMessage.answer(
                ControlMessage.Kind.NEWEST,
                report.reader(),
                new Seat.Joined(topic.identity(), 0, 0, 0, topic.newest()),
                report.topic(),
                isKnown ? new Seat.Writers(writers.count(), SequenceRanges.none()) : writers);
    }

    private static ControlMessage left(ControlMessage request) {
        return ControlMessage.answer(
                ControlMessage.Kind.LEFT,
                request.reader(),
                new Seat.Joined(request.identity(), 0, 0, 0, 0),
                request.topic(),
                new Seat.Writers(0, SequenceRanges.none()));
    }

    private static ControlMessage beganAnew(ControlMessage request) {
        return ControlMessage.refusal(
                request.reader(),
                ControlMessage.Refusal.MISMATCH,
                "topic '" + request.topic()
                        + "' has ended, as its writer's process did, or it was deleted: frames behind"
                        + " sequence " + request.second() + ", which consumer " + request.consumer()
                        + " read last, are lost if there were any; open the consumer again, at the begin of the new topic");
    }

    private ControlMessage answer(HostedTopic topic, ControlMessage request) {
        boolean isOfAny = request.kind() == ControlMessage.Kind.OPEN
                || request.kind() == ControlMessage.Kind.LEAVE
                        && request.identity() == 0; // of one that was not admitted
        if (!isOfAny && request.identity() != topic.identity()) {
            return absent(request);
        }
        switch (request.kind()) {
            case OPEN:
                Seat.Joined joined = topic.joinUnlessDeleted(request.consumer(), request.reader(), position(request));
                return joined == null
                        ? absent(request)
                        : ControlMessage.answer(
                                ControlMessage.Kind.JOINED, request.reader(), joined, request.topic(), topic.writers());
            case REPORT:
                topic.report(
                        request.consumer(),
                        request.reader(),
                        request.first(),
                        request.second(),
                        request.has(ControlMessage.MISSING));
                return request.has(ControlMessage.ANSWER) ? newest(topic, request) : null;
            case LEAVE:
                topic.leave(request.consumer(), request.reader(), request.first());
                return left(request);
            default:
                return null; // an answer
        }
    }

    private static StartPosition position(ControlMessage open) {
        StartPosition.Kind[] kinds = StartPosition.Kind.values();
        long kind = open.first();
        return switch (kind < 0 || kind >= kinds.length ? StartPosition.Kind.STORED : kinds[(int) kind]) {
            case EARLIEST -> StartPosition.earliest();
            case LATEST -> StartPosition.latest();
            case SEQUENCE -> StartPosition.sequence(open.second());
            default -> StartPosition.stored();
        };
    }

    /** Describes the silence of the writer's process. */
    String silence() {
        return "the process that writes at " + options.get(UdpOptions.REQUESTS) + " has not answered within "
                + UdpOptions.TIMEOUT + "=" + UdpOptions.TIMEOUT.typed(options.get(UdpOptions.TIMEOUT));
    }

    /** Refuses to wait any longer for a stream that a topic sends. */
    void requireArrival(String topic, long read, long nanos) {
        Duration timeout = options.get(UdpOptions.TIMEOUT);
        if (nanos > timeout.toNanos()) {
            throw new TransportException("topic '" + topic + "' cannot be read behind sequence " + read
                    + ": its stream has not arrived within " + UdpOptions.TIMEOUT + "="
                    + UdpOptions.TIMEOUT.typed(timeout) + "; check the errors of this process's media driver, which"
                    + " may lack memory, and the network from "
                    + (isUnicast() ? UdpOptions.ENDPOINT : UdpOptions.CONTROL) + "="
                    + options.get(isUnicast() ? UdpOptions.ENDPOINT : UdpOptions.CONTROL));
        }
    }

    /** Returns null, or why the client has ended. */
    TransportException failure() {
        if (failure == null && aeron.isClosed() && !isClosed) {
            fail(new LostTransportException(
                    "the client of the media driver of aeron-udp is closed; open the transport again", null));
        }
        return failure;
    }

    /** Refuses to work with a client that has ended. */
    void requireUsable() {
        TransportException reason = failure();
        if (reason != null) {
            throw new TransportException(reason.getMessage(), reason);
        }
    }

    /** Describes the driver, for results. */
    String driverText() {
        return driver == null
                ? "media driver in " + options.get(UdpOptions.DRIVER)
                : "embedded media driver with a thread of its own in " + options.get(UdpOptions.DIRECTORY);
    }

    @Override
    public void close() {
        synchronized (message) {
            isClosed = true;
        }
        LockSupport.unpark(thread);
        Interrupts.without(() -> {
            try {
                thread.join(); // before the logs that it uses are unmapped
            } catch (InterruptedException again) {
                Thread.currentThread().interrupt(); // it ends by itself
            }
            return null;
        });
        turn.lock();
        try {
            Interrupts.without(() -> {
                CloseHelper.closeAll(aeron, driver);
                return null;
            });
        } finally {
            turn.unlock();
        }
    }
}
