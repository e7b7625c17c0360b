package dev.baton.aeron.ipc;

import dev.baton.aeron.log.BatchWriter;
import dev.baton.spi.ConsumerLag;
import dev.baton.spi.Eras;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.OccupiedException;
import dev.baton.spi.TransportException;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A topic: a stream of one exclusive publication, and what its consumers still need of it.
 *
 * <p><b>What is kept.</b> The publication may write half a term beyond the slowest subscriber. A reader's own subscription
 * goes on with each poll and keeps nothing; the topic has a second one, its <em>retainer</em>, which nobody polls. Its
 * position follows the slowest consumer's acknowledgement ({@link #raiseFloor}), and stays while there is no consumer. A
 * subscription that comes later begins at the retainer's position, so that a new consumer sees the oldest frame that is
 * still kept, and one that comes back goes on from there to where it was.
 *
 * <p>Thread-safe, but for the publication, which belongs to the writer, and the retainer: the driver says who moves it
 * ({@link TopicDriver#giveRoom}).
 */
final class AeronTopic {
    private static final ConsumerState[] NO_CONSUMERS = {};

    final String name;
    final TopicStream stream;
    final long identity = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    final ExclusivePublication publication;
    final int window; // bytes that may lie unread

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
    private volatile Eras<Incarnation> writers = Eras.none(); // replaced before a frame of the new era is published
    private Eras<InputRef> inputs = Eras.none(); // guarded by this
    private boolean hasWriter; // guarded by this
    private boolean retired; // guarded by this

    AeronTopic(
            String name,
            TopicStream stream,
            ExclusivePublication publication,
            TopicDriver.Subscribed retainer,
            int window) {
        this.name = name;
        this.stream = stream;
        this.publication = publication;
        this.window = window;
        this.retaining = retainer.subscription();
        this.retainer = retainer.image();
        this.termLength = publication.termBufferLength();
        this.publishedTo = publication.position();
    }

    /** Sequence of the newest frame that readers may see. */
    long published() {
        return published;
    }

    /** Notes what was written to the log. The writer only. */
    void published(long sequence, ByteBuffer memory, int frame, int payload) {
        boolean isPlain = Frame.isPlain(memory.getLong(frame));
        newestBytes = isPlain ? 0 : Math.min(payload, newest.capacity() - Frame.HEADER_BYTES);
        newest.put(0, memory, frame, Frame.HEADER_BYTES + newestBytes);
        publishedTo = publication.position();
        published = sequence;
    }

    /** What a writer finds that has just been opened, and has to know of the newest frame. The writer only. */
    BatchWriter.NewestFrame end() {
        long sequence = published;
        Frame frame = sequence == 0 ? null : new Frame().wrap(newest, 0, newestBytes);
        return new BatchWriter.NewestFrame(sequence, frame, inputOf(sequence), writers.at(sequence), false);
    }

    /** Log position of the first fragment that a consumer needs. */
    long heldFrom() {
        long least = hadConsumers ? publishedTo : retainer.position();
        for (ConsumerState consumer : consumers) {
            least = Math.min(least, consumer.heldFrom.get());
        }
        return least;
    }

    /** The consumer that is furthest behind; null when none is. */
    ConsumerLag slowestConsumer() {
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

    /** Lets the retainer follow the slowest consumer. Within {@link TopicDriver#giveRoom}. */
    void raiseFloor() {
        if (!retainer.isClosed()) {
            goTo(retainer, heldFrom());
        }
    }

    /** Moves an image on to a log position, if it is not there yet: by a term at most at a time, as Aeron wants it. */
    void goTo(Image image, long target) {
        for (long at = image.position(); at < target && !image.isClosed(); at = image.position()) {
            long endOfTerm = (at & -termLength) + termLength;
            image.position(Math.min(target, endOfTerm));
        }
    }

    /** Log position from which everything is kept. */
    long floor() {
        return retainer.position();
    }

    /** Makes the caller the one writer, and begins its incarnation. */
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

    synchronized void closeWriter() {
        hasWriter = false;
    }

    /** Who wrote which frames, by their sequences. Read after {@link #published}, it knows all that are published. */
    Eras<Incarnation> writers() {
        return writers;
    }

    /** The input that the frame with a sequence answers. */
    synchronized InputRef inputOf(long sequence) {
        InputRef input = inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    /** From a sequence on frames answer an input. */
    synchronized void answers(long sequence, InputRef input) {
        inputs = inputs.with(sequence, input);
    }

    /** Finds or makes a consumer, for one reader at a time. What it needs is kept from here on; unless it is {@linkplain #withdraw withdrawn}. */
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

    /** The consumer's reader is open: from here on the topic keeps what its consumers need, and no longer everything. */
    synchronized void opened(ConsumerState consumer) {
        consumer.hadReader = true;
        hadConsumers = true;
    }

    /** The consumer's reader could not be opened: one that never had a reader holds nothing. */
    synchronized void withdraw(ConsumerState consumer) {
        consumer.hasReader = false;
        if (!consumer.hadReader) {
            remove(consumer);
        }
    }

    synchronized void closeConsumer(ConsumerState consumer) {
        consumer.hasReader = false;
    }

    /** Holds nothing for a consumer any more; false when there is none of this name. */
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
     * Forbids any further use.
     *
     * @throws TransportException when the topic is in use
     */
    synchronized void retire() {
        if (hasWriter || Arrays.stream(consumers).anyMatch(consumer -> consumer.hasReader)) {
            throw new TransportException("topic '" + name + "' is in use and cannot be deleted");
        }
        retired = true;
    }

    synchronized void comeBack() {
        retired = false;
    }

    /** Ends the stream. Within a call of the driver. */
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

    /** What a topic remembers of a named consumer, whether or not it is being read. */
    static final class ConsumerState {
        /** In place of a sequence: the first reader has not looked yet. */
        static final long UNSEEN = -1;

        final String name;

        /** Log position of the first fragment that it needs; moved by the reader, read by the writer. */
        final AtomicLong heldFrom;

        /** Sequence; moved by the reader, read by the next one under the topic's monitor, and by the writer. */
        final AtomicLong acknowledged = new AtomicLong(UNSEEN);

        boolean hasReader; // guarded by the topic
        boolean hadReader; // guarded by the topic: what it needs is kept until it is forgotten

        ConsumerState(String name, long heldFrom) {
            this.name = name;
            this.heldFrom = new AtomicLong(heldFrom);
        }
    }
}
