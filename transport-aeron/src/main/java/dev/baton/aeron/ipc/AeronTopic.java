package dev.baton.aeron.ipc;

import dev.baton.spi.ConsumerLag;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A topic: a stream of one exclusive publication, and the positions of its consumers.
 *
 * <p><b>Retention.</b> The publication may write half a term beyond the slowest subscriber. A reader's own subscription advances
 * with each poll and retains nothing; the topic has a second one, its <em>retainer</em>, which is never polled. Its position
 * follows the slowest consumer's acknowledgement ({@link #raiseFloor}), and stays while there is no consumer. A subscription that
 * comes later begins at the retainer's position, so that a new consumer reads from the oldest frame that is still kept, and a
 * known one skips from there to its own position.
 *
 * <p>Thread-safe, but for the publication, which belongs to the writer, and the retainer, which moves under the driver's lock
 * ({@link EmbeddedDriver#giveRoom}).
 */
final class AeronTopic implements TopicLog {
    private static final ConsumerState[] NO_CONSUMERS = {};

    final String name;
    final EmbeddedDriver driver;
    final TopicStream stream;
    final long identity = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    final ExclusivePublication publication;
    final int window; // bytes that may be unread

    private final Subscription retaining;
    private final Image retainer;
    private final int termLength;
    private final ByteBuffer newest = ByteBuffer.allocate(
                    Frame.HEADER_BYTES + Extension.MAX_BYTES + Frame.CHECKSUM_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN); // the newest frame's header and fields; of the writer
    private int newestBytes; // behind the header

    private volatile ConsumerState[] consumers = NO_CONSUMERS; // replaced under the monitor
    private volatile boolean hadConsumers;
    private volatile long publishedTo; // log position
    private volatile long published; // sequence, written after the position
    private volatile SequenceRanges<Incarnation> writers =
            SequenceRanges.none(); // replaced before a frame of the new writer is published
    private SequenceRanges<InputRef> inputs = SequenceRanges.none(); // guarded by this
    private boolean hasWriter; // guarded by this
    private boolean retired; // guarded by this

    AeronTopic(
            String name,
            EmbeddedDriver driver,
            TopicStream stream,
            ExclusivePublication publication,
            TopicDriver.Subscribed retainer,
            int window) {
        this.name = name;
        this.driver = driver;
        this.stream = stream;
        this.publication = publication;
        this.window = window;
        this.retaining = retainer.subscription();
        this.retainer = retainer.image();
        this.termLength = publication.termBufferLength();
        this.publishedTo = publication.position();
    }

    /** Returns the sequence of the newest frame that is published. */
    long published() {
        return published;
    }

    @Override
    public void published(long sequence, long end, ByteBuffer memory, int frame, int payload) {
        boolean isPlain = Frame.isPlain(memory.getLong(frame));
        newestBytes = isPlain ? 0 : Math.min(payload, newest.capacity() - Frame.HEADER_BYTES);
        newest.put(0, memory, frame, Frame.HEADER_BYTES + newestBytes);
        publishedTo = end;
        published = sequence;
    }

    /** Returns the end of the topic, for a writer that opens. The writer only. */
    TopicEnd end() {
        long sequence = published;
        Frame frame = sequence == 0 ? null : new Frame().wrap(newest, 0, newestBytes);
        return TopicEnd.at(frame, false, writers.at(sequence), inputOf(sequence));
    }

    @Override
    public long giveRoom() {
        return driver.giveRoom() ? retainer.position() : -1;
    }

    @Override
    public long heldFrom() {
        long least = hadConsumers ? publishedTo : retainer.position();
        for (ConsumerState consumer : consumers) {
            least = Math.min(least, consumer.heldFrom.get());
        }
        return least;
    }

    @Override
    public ConsumerLag slowestConsumer() {
        ConsumerState slowest = null;
        long least = published;
        for (ConsumerState consumer : consumers) {
            long acknowledged = Math.max(0, consumer.acknowledged.get());
            if (acknowledged < least) {
                least = acknowledged;
                slowest = consumer;
            }
        }
        return slowest == null ? null : new ConsumerLag(slowest.name, published - least);
    }

    /** Advances the retainer to the slowest consumer. Within {@link EmbeddedDriver#giveRoom}. */
    void raiseFloor() {
        if (!retainer.isClosed()) {
            goTo(retainer, heldFrom());
        }
    }

    /** Advances an image to a log position, by a term at most at a time, as Aeron requires. */
    void goTo(Image image, long target) {
        for (long at = image.position(); at < target && !image.isClosed(); at = image.position()) {
            long endOfTerm = (at & -termLength) + termLength;
            image.position(Math.min(target, endOfTerm));
        }
    }

    /** Returns the log position from which everything is kept. */
    long floor() {
        return retainer.position();
    }

    /** Registers the one writer, and begins its incarnation. */
    synchronized Incarnation openWriter(String topology) {
        ensureExists();
        if (hasWriter) {
            throw new OccupiedException("topic '" + name + "' has a live writer; close that one first");
        }
        Incarnation predecessor = writers.newest();
        Incarnation.requireSameTopology(name, predecessor, topology);
        long before = predecessor == null ? 0 : Incarnation.count(predecessor.id());
        long count = Incarnation.countAfter(before, System.currentTimeMillis());
        Incarnation begun = Incarnation.begin(Incarnation.id(count, identity), topology);
        writers = writers.with(published + 1, begun);
        hasWriter = true;
        return begun;
    }

    @Override
    public synchronized void closeWriter() {
        hasWriter = false;
    }

    /** Returns the writers by the sequences of their frames. Read after {@link #published}, it covers all published frames. */
    SequenceRanges<Incarnation> writers() {
        return writers;
    }

    /** Returns the input that the frame with a sequence answers. */
    synchronized InputRef inputOf(long sequence) {
        InputRef input = inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    @Override
    public synchronized void answers(long sequence, InputRef input) {
        inputs = inputs.with(sequence, input);
    }

    /**
     * Finds or creates a consumer, for one reader at a time. Its frames are kept from now on, unless it is {@linkplain #withdraw
     * withdrawn}.
     */
    synchronized ConsumerState openConsumer(String consumerName) {
        ensureExists();
        ConsumerState consumer = find(consumerName);
        if (consumer == null) {
            consumer = new ConsumerState(consumerName, floor());
            ConsumerState[] more = Arrays.copyOf(consumers, consumers.length + 1);
            more[consumers.length] = consumer;
            consumers = more;
        } else if (consumer.hasReader) {
            throw new OccupiedException(
                    "consumer '" + consumerName + "' of topic '" + name + "' has a live reader; close that one first");
        }
        consumer.hasReader = true;
        return consumer;
    }

    /** Notes that the consumer's reader is open: from now on the topic keeps only the frames that its consumers need. */
    synchronized void opened(ConsumerState consumer) {
        consumer.hadReader = true;
        hadConsumers = true;
    }

    /** Removes the consumer, whose reader could not be opened, unless it has had a reader before. */
    synchronized void withdraw(ConsumerState consumer) {
        consumer.hasReader = false;
        if (!consumer.hadReader) {
            remove(consumer);
        }
    }

    synchronized void closeConsumer(ConsumerState consumer) {
        consumer.hasReader = false;
    }

    /** Removes a consumer; false when there is none of this name. */
    synchronized boolean forgetConsumer(String consumerName) {
        ensureExists();
        ConsumerState consumer = find(consumerName);
        if (consumer == null) {
            return false;
        }
        if (consumer.hasReader) {
            throw new OccupiedException("consumer '" + consumerName + "' of topic '" + name
                    + "' has a live reader and cannot be forgotten; close that one first");
        }
        remove(consumer);
        return true;
    }

    private void remove(ConsumerState consumer) {
        consumers = Arrays.stream(consumers).filter(each -> each != consumer).toArray(ConsumerState[]::new);
    }

    /**
     * Refuses any further use.
     *
     * @throws TransportException when the topic is in use
     */
    synchronized void retire() {
        if (hasWriter || Arrays.stream(consumers).anyMatch(consumer -> consumer.hasReader)) {
            throw new TransportException(
                    "topic '" + name + "' is in use and cannot be deleted; close its writer and readers first");
        }
        retired = true;
    }

    synchronized void restore() {
        retired = false;
    }

    /** Closes the stream. Within a call of the driver. */
    void close() {
        retaining.close();
        publication.close();
    }

    private ConsumerState find(String consumerName) {
        for (ConsumerState consumer : consumers) {
            if (consumer.name.equals(consumerName)) {
                return consumer;
            }
        }
        return null;
    }

    private void ensureExists() {
        if (retired) {
            throw new TransportException("there is no topic '" + name + "'; it was deleted");
        }
    }

    /** The state of a named consumer, with or without a reader. */
    static final class ConsumerState {
        /** The value of {@link #acknowledged} before the first reader is open. */
        static final long UNSEEN = -1;

        final String name;

        /** The log position of the first fragment that the consumer needs; moved by the reader, read by the writer. */
        final AtomicLong heldFrom;

        /**
         * The sequence that is acknowledged; moved by the reader, read by the next reader under the topic's monitor, and by the
         * writer.
         */
        final AtomicLong acknowledged = new AtomicLong(UNSEEN);

        boolean hasReader; // guarded by the topic
        boolean hadReader; // guarded by the topic: its frames are kept until it is forgotten

        ConsumerState(String name, long heldFrom) {
            this.name = name;
            this.heldFrom = new AtomicLong(heldFrom);
        }
    }
}
