package dev.baton.kafka.write;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.read.KafkaReader;
import dev.baton.kafka.topics.TopicIdMonitor;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ClaimingWriter;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The one writer of a topic, and the callback of its sends.
 *
 * <p>Four counters, each at or behind the one before: {@code sequence} committed, {@code flushed} handed over by the
 * service, {@code sent} taken by the producer, {@code stored} acknowledged, with no newer writer before them ({@link
 * StoredFrames}). Frames between sent and sequence lie in {@link PendingFrames}.
 *
 * <p>Each frame has the writer's incarnation. What it stores after a newer writer has begun is dropped by all readers;
 * within about two seconds the {@link FencingMonitor} finds that, and the writer fails.
 *
 * <p>Confined to its loop, but for {@link #onCompletion}, which the producer's thread calls, and the methods of {@link
 * TopicIdMonitor.User} and those that {@link FencingMonitor} and its checks use, which any thread calls.
 */
public final class KafkaWriter extends ClaimingWriter implements Callback, TopicIdMonitor.User {
    /** The bytes that the transport adds to each frame: its writer, and the input in which its cause counts. */
    public static final int EXTENSION_BYTES = Extension.bytes(Extension.WRITER_BYTES, Extension.INPUT_BYTES);

    private static final int WRITER_BYTES = Extension.bytes(Extension.WRITER_BYTES);

    private final WriterStart start;
    private final FrameProducer producer;
    private final FencingMonitor fencing;
    private final TopicIdMonitor topicIdMonitor;
    private final Function<TopicReader, KafkaReader> readers;
    private final int window;
    private final TopicPartition partition;
    private final StoredFrames stored;
    private final WriterFailure failure;
    private final PendingFrames pending = new PendingFrames();
    private final ReusedRecords records;
    private final Frame frame = new Frame();
    private long sequence;
    private volatile long flushed; // set by the loop, read by threads that report lost frames
    private long sent;
    private InputRef input; // in which causes count
    private TopicReader lastAnswered; // of the last flush that named one
    private KafkaReader answeredReader; // the same one; null: it is not the connection's
    private int extension; // bytes that the transport adds to a claim
    private volatile boolean isClosed; // read by the opening of the next writer
    private volatile boolean isForgotten; // with its connection: what is not stored by now no longer matters
    private long charged; // to the producer, for all frames sent; set by the loop
    private long returned; // of these charges, for frames acknowledged; set by the producer's thread

    /**
     * Creates a writer that continues at its marker.
     *
     * @param readers returns a reader as one of this connection; null for a reader of another connection
     * @param window as {@link KafkaOptions#WINDOW}
     */
    public KafkaWriter(
            WriterStart start,
            FrameProducer producer,
            FencingMonitor fencing,
            TopicIdMonitor topicIdMonitor,
            Function<TopicReader, KafkaReader> readers,
            int maxPayload,
            int window) {
        super(start.topic(), maxPayload, KafkaOptions.MAX_MESSAGE.toString());
        this.start = start;
        this.producer = producer;
        this.fencing = fencing;
        this.topicIdMonitor = topicIdMonitor;
        this.readers = readers;
        this.partition = TopicNames.partitionOf(topic());
        this.failure = new WriterFailure(topic(), producer);
        this.window = Math.min(window, Integer.MAX_VALUE / (maxPayload + EXTENSION_BYTES + 2 * Frame.HEADER_BYTES));
        this.records = new ReusedRecords(partition);
        this.input = start.found().input();
        this.extension = extensionOf(input);
        this.sequence = start.sequence();
        this.flushed = sequence;
        this.sent = sequence;
        this.stored = new StoredFrames(sequence, start.next(producer.isTransactional()), producer.isTransactional());
        this.stored.doubt(); // the topic was described before the marker was stored
    }

    @Override
    public int remainingCapacity() {
        check();
        failure.throwIfAlone();
        int room = windowLeft();
        if (room == 0) {
            producer.starve(); // and look again: an acknowledgement before this did not wake the loop
            room = windowLeft();
        }
        return room;
    }

    @Override
    public int capacity() {
        return window;
    }

    @Override
    public Frame claim(int maxLength) {
        requireClaimable(maxLength);
        failure.throwFailure();
        if (remainingCapacity() == 0) {
            return null;
        }
        pending.reserve(frame, extension + maxLength);
        frame.putFieldLong(
                frame.addField(Extension.WRITER, Extension.WRITER_BYTES),
                start.incarnation().id());
        if (extension == EXTENSION_BYTES) {
            int at = frame.addField(Extension.INPUT, Extension.INPUT_BYTES);
            frame.putFieldLong(at, input.topic());
            frame.putFieldLong(at + Long.BYTES, input.incarnation());
        }
        openClaim(maxLength);
        return frame;
    }

    @Override
    public long commit(int length) {
        requireWorking();
        endClaim(length);
        frame.sequence(++sequence);
        pending.append(extension + length);
        return sequence;
    }

    @Override
    public void flush() {
        requireWorking();
        requireNoClaim();
        flushed = sequence;
        if (sent < flushed && !sendFlushed()) {
            producer.defer(this);
        }
        producer.commit();
        failure.throwFailure();
    }

    @Override
    public void flush(TopicReader answered, long position) {
        if (producer.isTransactional()) {
            if (answered != lastAnswered) {
                lastAnswered = answered;
                answeredReader = readers.apply(answered);
            }
            if (answeredReader != null) {
                producer.answers(answeredReader, position);
            }
        }
        flush();
    }

    @Override
    public void rewind(long target) {
        requireWorking();
        requireRewindable(target, flushed);
        pending.truncate((int) (target - sent));
        sequence = target;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long storedSequence() {
        return stored.sequence();
    }

    @Override
    public TransportException failure() {
        return failure.failure();
    }

    @Override
    public TopicEnd found() {
        return start.found();
    }

    /** Counts from the input in {@link #found} on: what answered the newest frame holds until the next answer. */
    @Override
    public void answers(InputRef answered) {
        requireWorking();
        requireNoClaim();
        input = answered;
        extension = extensionOf(input);
    }

    @Override
    public Incarnation incarnation() {
        return start.incarnation();
    }

    @Override
    public void close() {
        if (!isClosed) {
            check();
            finish();
        }
    }

    /** Ends the writer with its connection: hands over what was committed, of which nothing is checked any more. */
    public void finish() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        release();
        discardClaim();
        flushed = sequence;
        if (!hasFailed() && !sendFlushed()) {
            producer.defer(this);
        }
    }

    /** Sends flushed frames as far as the producer has memory; returns whether none is left. */
    boolean sendFlushed() {
        while (sent < flushed && !failure.isSuspended()) {
            int size = pending.firstSize();
            if (!producer.admits(size)) {
                return false;
            }
            ProducerRecord<byte[], byte[]> record = records.ofSize(size);
            pending.copyFirst(record.value(), size);
            charged += producer.chargeOf(size);
            stored.sending();
            try {
                producer.send(record, this);
            } catch (RuntimeException refused) {
                failure.lost(refused, stored.sequence());
            }
            pending.removeFirst();
            sent++;
        }
        if (!hasClaim()) {
            pending.settle();
        }
        return sent == flushed;
    }

    /** Sequence of the newest frame that the producer has. */
    long sent() {
        return sent;
    }

    /** Counts the frames of a committed transaction up to this sequence. Called by its thread. */
    void committed(long upTo) {
        stored.committed(upTo);
    }

    /** Ends the writer, as a transaction is not committed and never will be. Called by its thread. */
    public void notCommitted(RuntimeException why) {
        lost(why);
    }

    /** Sequence of the newest frame that the service has flushed. */
    long flushedSequence() {
        return flushed;
    }

    /** Frames flushed that the producer does not have yet. */
    int unsent() {
        return (int) (flushed - sent);
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Returns whether nothing more will be stored by this writer: all is, or it failed. */
    public boolean isSettled() {
        return hasFailed() || storedSequence() == sequence;
    }

    /** Returns whether it is closed, and none of its frames is in flight. */
    public boolean isOver() {
        return isForgotten || isClosed && isSettled();
    }

    /** Makes the writer count as over, as its connection is closed. */
    public void forget() {
        isForgotten = true;
    }

    public boolean hasFailed() {
        return failure.hasFailed();
    }

    @Override
    public Uuid topicId() {
        return start.topicId();
    }

    /** Takes the result of a send: the frame is stored, or never will be. */
    @Override
    public void onCompletion(RecordMetadata metadata, Exception exception) {
        if (exception == null) {
            int size = metadata.serializedValueSize();
            returned += producer.chargeOf(size);
            if (stored.acknowledged(metadata.offset())) {
                checkGap();
            } else if (stored.isInDoubt()) {
                topicIdMonitor.soon();
            }
            producer.acknowledged(size);
        } else {
            stored.lost();
            lost(exception);
            if (failure.isAlone() && !stored.isInFlight()) {
                producer.giveBack(charged - returned); // the loop wrote it before it counted the frame as sent
                returned = charged;
            }
        }
    }

    /** Has the records read that lie between or behind the frames of this writer. Any thread. */
    void checkGap() {
        stored.doubt(); // what is read may lie in another topic of the name
        fencing.check(this);
        topicIdMonitor.soon();
    }

    /**
     * Has the topic checked, as the producer's metadata has changed. Called by the producer's threads, which must not
     * be blocked.
     */
    void doubtTopic() {
        if (!hasEnded()) {
            stored.doubt();
            topicIdMonitor.soon();
        }
    }

    @Override
    public boolean hasEnded() {
        return isOver() || hasFailed();
    }

    @Override
    public String kafkaTopic() {
        return partition.topic();
    }

    @Override
    public boolean isInDoubt() {
        return stored.isInDoubt();
    }

    @Override
    public void checkBegins() {
        stored.checkBegins();
    }

    @Override
    public void confirmed() {
        long steppedBackTo = stored.confirmed();
        if (steppedBackTo < 0) {
            producer.wake();
        } else {
            ended(new TransportException("topic '" + topic() + "': a frame was stored at offset " + steppedBackTo
                    + ", where another one had been stored before; the brokers have lost frames. " + account()));
        }
    }

    @Override
    public void ended(TransportException why) {
        failure.endAlone(why);
    }

    @Override
    public void unchecked(TransportException why) {
        if (stored.isInDoubt() && !isSettled()) {
            failure.endAlone(why);
        }
    }

    @Override
    public String account() {
        long newest = stored.sequence();
        return "Frames up to " + newest + " were stored in the topic that its writer was opened for"
                + (flushed > newest
                        ? "; " + (newest + 1) + " to " + flushed + " were not confirmed and count as not stored. "
                        : ". ");
    }

    /** Returns the newest sequence that was confirmed, with an offset at which the log does not end before. */
    RecordedEnds.End confirmedEnd() {
        long sequence = stored.sequence();
        return new RecordedEnds.End(sequence, stored.nextOffset());
    }

    /** Returns whether it was replaced, or its topic was: what it knows of the end does not count any more. */
    boolean endsAlone() {
        return failure.isAlone();
    }

    /** Wakes the loop, as there may be room for further frames. */
    void wake() {
        producer.wake();
    }

    /** Stops sending, as a newer writer was found; {@link #ended} follows. */
    void suspend() {
        failure.suspend();
    }

    /** Ends the writer, as a frame was not stored. */
    void failed(Exception why) {
        failure.lost(why, stored.sequence());
    }

    private void lost(Exception why) {
        if (!producer.mayBeFenced(why)) {
            failure.lost(why, stored.sequence());
        } else if (!failure.isSuspended()) { // otherwise the reason is being looked for
            failure.suspend();
            fencing.checkTakeover(this, why);
        }
    }

    /** Throws what has ended this writer alone, unless something was thrown before. */
    public void throwUnreported() {
        failure.throwUnreported();
    }

    /** Returns which of its frames are stored and count. */
    StoredFrames stored() {
        return stored;
    }

    TopicPartition partition() {
        return partition;
    }

    private int windowLeft() {
        return sent < flushed || failure.isSuspended() ? 0 : (int) Math.max(0, window - (sequence - stored.sequence()));
    }

    private static int extensionOf(InputRef input) {
        return input.equals(InputRef.UNKNOWN) ? WRITER_BYTES : EXTENSION_BYTES;
    }

    private void requireWorking() {
        check();
        failure.throwFailure();
    }
}
