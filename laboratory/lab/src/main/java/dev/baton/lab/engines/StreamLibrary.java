package dev.baton.lab.engines;

import dev.baton.aeron.AeronOptions;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.spi.errors.TransportException;
import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.MutableDirectBuffer;

/**
 * The reference over Aeron IPC: a stream for each hop, an exclusive publication on one thread and a subscription on the
 * other, as Aeron's own samples have them. Its threads claim in the log, write and commit; poll an image and handle its
 * fragments; idle where there is none, and where there is no room. The media driver is embedded and has one thread, which
 * rests as the library does by default: one that spins, as in the samples, would take a core from what is measured.
 */
public final class StreamLibrary implements ReferenceRig.Library {
    private static final int MAX_MTU = 65_504;
    private static final int FRAGMENTS_PER_TERM = 8;
    private static final long LIVENESS_NANOS = TimeUnit.MINUTES.toNanos(1); // a busy machine stalls for seconds

    /** The fragment limit of a poll, from Aeron's samples. */
    private static final int FRAGMENT_LIMIT = 10;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final long CHECK_NANOS = 1_000_000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** Both ends of a stream. */
    public record Stream(ExclusivePublication writer, Subscription reader) {}

    private final Pause pause;
    private final boolean isInvoked;
    private final int termLength;
    private final Path root;
    private final String unused;
    private int streams; // that were opened
    private MediaDriver driver; // null until there are topics
    private Aeron aeron;

    StreamLibrary(PassedOptions settings, Pause pause) {
        this(settings, pause, false);
    }

    /**
     * Creates the library.
     *
     * @param isInvoked whether driver and client have no threads and run in {@link #turnDriver}
     */
    public StreamLibrary(PassedOptions settings, Pause pause, boolean isInvoked) {
        this.pause = pause;
        this.isInvoked = isInvoked;
        termLength = settings.bytes("term-length");
        String directory = settings.text("driver-dir");
        root = directory.isBlank() ? AeronOptions.defaults().get(AeronOptions.DIRECTORY) : Path.of(directory);
        unused = settings.unused();
    }

    @Override
    public Pause pause() {
        return pause;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: lost with the media driver");
        properties.put("acknowledgement", "none: polled messages are overwritten");
        properties.put(
                "batching",
                "a poll takes up to " + FRAGMENT_LIMIT
                        + " fragments, as in Aeron's samples; one message for each fragment");
        properties.put("copies", "one for each hop: from log to log, the bytes of Baton's frame");
        properties.put(
                "configuration",
                "exclusive publications, tryClaim, term length " + termLength + " and MTU " + mtu()
                        + " as Baton's transport has them, logs with all their pages; an embedded media driver "
                        + (isInvoked
                                ? "without threads of its own, run by a writer that finds no room"
                                : "with one thread of its own and the library's idle strategy")
                        + ", in " + root + unused);
        return properties;
    }

    private int mtu() {
        return Math.min(MAX_MTU, termLength / FRAGMENTS_PER_TERM);
    }

    /** Starts the media driver, in which a stream is there once it is opened. */
    @Override
    public void createTopics(List<String> names) {
        try {
            Path directory = Files.createTempDirectory(
                    root, "baton-aeron-" + ProcessHandle.current().pid() + "-reference-");
            driver = MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(directory.toString())
                    .dirDeleteOnStart(true)
                    .dirDeleteOnShutdown(true)
                    .threadingMode(isInvoked ? ThreadingMode.INVOKER : ThreadingMode.SHARED)
                    .ipcTermBufferLength(termLength)
                    .ipcMtuLength(mtu())
                    .termBufferSparseFile(false)
                    .clientLivenessTimeoutNs(LIVENESS_NANOS)
                    .publicationUnblockTimeoutNs(2 * LIVENESS_NANOS)
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NANOS)));
            aeron = Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(directory.toString())
                    .useConductorAgentInvoker(isInvoked)
                    .driverAgentInvoker(isInvoked ? driver.sharedAgentInvoker() : null)
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NANOS))
                    // a client that ends closes its streams, and each stage finds its own closed
                    .errorHandler(failure -> {})
                    // what a stage throws while it handles a fragment ends the stage
                    .subscriberErrorHandler(LangUtil::rethrowUnchecked));
        } catch (IOException | RuntimeException | InternalError failed) {
            close();
            throw new TransportException(
                    "no media driver could be started in " + root + ": " + failed.getMessage(), failed);
        }
    }

    @Override
    public List<ReferenceStage> stages(ChainEnds ends, List<String> topics) {
        List<ExclusivePublication> writers = new ArrayList<>();
        List<Subscription> readers = new ArrayList<>();
        try {
            for (int i = 0; i < topics.size(); i++) {
                Stream stream = open();
                readers.add(stream.reader());
                writers.add(stream.writer());
            }
        } catch (RuntimeException failed) {
            throw new TransportException("Aeron cannot open a stream: " + failed.getMessage(), failed);
        }
        int last = topics.size() - 1;
        return ReferenceStage.chain(
                ends,
                IntStream.rangeClosed(0, last).boxed().toList(),
                new ReferenceStage.Feeding(ends.generator(), new Inlet(writers.get(0), ends.pattern()), pause),
                (from, to, work) -> new Relay(readers.get(from), writers.get(to), work, pause),
                new Exit(readers.get(last), ends.receiver(), pause));
    }

    /** Opens one more stream. May block. */
    public synchronized Stream open() {
        streams++;
        Subscription reader = aeron.addSubscription(CommonContext.IPC_CHANNEL, streams);
        return new Stream(aeron.addExclusivePublication(CommonContext.IPC_CHANNEL, streams), reader);
    }

    /** Waits for the writer of a stream that is read. Any thread. */
    public Image image(Subscription reader) {
        long begun = System.nanoTime();
        while (reader.imageCount() == 0) {
            if (System.nanoTime() - begun > LIMIT_NANOS) {
                throw new TransportException("stream " + reader.streamId() + " has no image after "
                        + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NANOS) + " s");
            }
            turnDriver();
            LockSupport.parkNanos(CHECK_NANOS);
        }
        return reader.imageAtIndex(0);
    }

    /** Gives a driver without threads its turn, in which it moves the limits of writers. Any thread. */
    public synchronized void turnDriver() {
        if (isInvoked) {
            driver.sharedAgentInvoker().invoke();
            aeron.conductorAgentInvoker().invoke();
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(aeron, driver);
        aeron = null;
        driver = null;
    }

    /** Returns whether a claim was granted or an offer taken; otherwise there is no room, or no reader yet. */
    public static boolean isGranted(long result, Publication publication) {
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
            throw refused(result, publication.streamId());
        }
        return result > 0;
    }

    private static TransportException refused(long result, int stream) {
        return new TransportException("stream " + stream + " takes nothing more: " + Publication.errorString(result));
    }

    /** Claims in a chain's first stream. Confined to its thread. */
    static final class Inlet implements ReferenceStage.Inlet {
        private final ExclusivePublication publication;
        private final PayloadPattern pattern;
        private final BufferClaim claim = new BufferClaim();
        private byte[] scratch;
        private long sequence;

        Inlet(ExclusivePublication publication, PayloadPattern pattern) {
            this.publication = publication;
            this.pattern = pattern;
        }

        @Override
        public void open() {
            scratch = pattern.scratch();
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            if (!isGranted(publication.tryClaim(Header.BYTES + pattern.length(number), claim), publication)) {
                return false;
            }
            MutableDirectBuffer buffer = claim.buffer();
            int at = claim.offset();
            buffer.putLong(at, Header.first(tag), ORDER);
            buffer.putLong(at + Header.SEQUENCE, ++sequence, ORDER);
            buffer.putLong(at + Header.CAUSE, 0, ORDER);
            buffer.putLong(at + Header.ORIGIN, originNanos, ORDER);
            buffer.putLong(at + Header.SENT, System.nanoTime(), ORDER);
            pattern.write(number, scratch, 0);
            buffer.putBytes(at + Header.BYTES, scratch, 0, pattern.length(number));
            claim.commit();
            return true;
        }

        @Override
        public void close() {
            publication.close();
        }
    }

    /** Polls a stream's image, and handles its fragments. Confined to its thread, but for {@link #halt}. */
    private abstract class Polling extends ReferenceStage.Turning implements FragmentHandler {
        private final Subscription subscription;
        private Image image;
        private long emptyAt = -1; // position at the last look that found nothing

        Polling(Subscription subscription, Pause pause) {
            super(pause);
            this.subscription = subscription;
        }

        @Override
        public void open() {
            image = image(subscription);
        }

        @Override
        boolean turn() {
            if (image.poll(this, FRAGMENT_LIMIT) > 0) {
                return true;
            }
            if (subscription.isClosed()) {
                throw refused(Publication.CLOSED, subscription.streamId());
            }
            return false;
        }

        /** A poll that finds no fragment may have passed the end of a term. */
        @Override
        boolean hasTakenAll() {
            long position = image.position();
            boolean hasStood = position == emptyAt;
            emptyAt = position;
            return hasStood;
        }

        @Override
        public void close() {
            subscription.close();
        }
    }

    /**
     * A service: copies each fragment into the next stream. Where that is full it idles, but not for ever: the reader of the
     * next stream may have stopped.
     */
    final class Relay extends Polling {
        private final ExclusivePublication next;
        private final Runnable work;
        private final Pause pause;
        private final BufferClaim claim = new BufferClaim();
        private long sequence;
        private volatile boolean isGivenUp;

        Relay(Subscription from, ExclusivePublication next, Runnable work, Pause pause) {
            super(from, pause);
            this.next = next;
            this.work = work;
            this.pause = pause;
        }

        @Override
        public void onFragment(DirectBuffer in, int from, int length, io.aeron.logbuffer.Header header) {
            work.run();
            while (!isGranted(next.tryClaim(length, claim), next)) {
                if (isGivenUp) {
                    return;
                }
                pause.rest();
            }
            claim.flags(header.flags()).putBytes(in, from, length);
            MutableDirectBuffer out = claim.buffer();
            int at = claim.offset();
            out.putLong(at, in.getLong(from, ORDER) + Header.ONE_HOP, ORDER);
            out.putLong(at + Header.SEQUENCE, ++sequence, ORDER);
            out.putLong(at + Header.CAUSE, in.getLong(from + Header.SEQUENCE, ORDER), ORDER);
            claim.commit();
        }

        /** Drops from now on the messages that find no room. */
        @Override
        public void halt() {
            isGivenUp = true;
        }

        @Override
        public void close() {
            super.close();
            next.close();
        }
    }

    /** Takes the messages from a chain's last stream. */
    final class Exit extends Polling implements PayloadPattern.Origin {
        private final MessageSink sink;
        private DirectBuffer buffer; // of the current fragment
        private int payloadStart;

        Exit(Subscription subscription, MessageSink sink, Pause pause) {
            super(subscription, pause);
            this.sink = sink;
        }

        @Override
        public void onFragment(DirectBuffer in, int from, int length, io.aeron.logbuffer.Header header) {
            buffer = in;
            payloadStart = from + Header.BYTES;
            long first = in.getLong(from, ORDER);
            sink.onMessage(
                    in.getLong(from + Header.ORIGIN, ORDER),
                    Header.tag(first),
                    Header.hops(first),
                    length - Header.BYTES,
                    this);
        }

        @Override
        public void copyTo(byte[] target, int length) {
            buffer.getBytes(payloadStart, target, 0, length);
        }
    }
}
