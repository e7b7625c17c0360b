package dev.baton.kafka;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TransportException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The one writer of a topic, and the callback of its sends.
 *
 * <p>Four counters, each at or behind the one before: {@code sequence} committed, {@code flushed} handed over by the
 * service, {@code sent} taken by the producer, {@code stored} acknowledged. Frames between sent and sequence lie in
 * {@link PendingFrames}. Acknowledgements of a partition count, in whatever order they come: one that overtakes a retry
 * is of a later offset, and a later offset is confirmed only with all before it.
 *
 * <p>Confined to its loop, but for {@link #onCompletion}, which the producer's thread calls.
 */
final class KafkaWriter implements TopicWriter, Callback {
    private static final VarHandle STORED;

    static {
        try {
            STORED = MethodHandles.lookup().findVarHandle(KafkaWriter.class, "stored", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final KafkaConnection connection;
    private final String topic;
    private final Uuid topicId;
    private final Outbox outbox;
    private final int maxPayload;
    private final int window;
    private final long causeAtOpen;
    private final boolean isCauseAtOpenComplete;
    private final PendingFrames pending = new PendingFrames();
    private final ReusedRecords records;
    private final Frame frame = new Frame();
    private long sequence;
    private long flushed;
    private long sent;
    private boolean isMarked; // its first record, which names it, has been sent
    private int claimed = -1; // longest payload of the open claim, -1: none is open
    private volatile boolean isClosed; // read by who opens the next writer
    private volatile TransportException failure; // set by whoever hears of it first

    @SuppressWarnings("unused") // through STORED; written by the producer's thread
    private long stored;

    KafkaWriter(
            KafkaConnection connection,
            String topic,
            Uuid topicId,
            Outbox outbox,
            int maxPayload,
            int window,
            Tail.Newest newest,
            boolean isCauseAtOpenComplete) {
        this.connection = connection;
        this.topic = topic;
        this.topicId = topicId;
        this.outbox = outbox;
        this.maxPayload = maxPayload;
        this.window = Math.min(window, Integer.MAX_VALUE / (maxPayload + 2 * Frame.HEADER_BYTES));
        this.causeAtOpen = newest.cause();
        this.isCauseAtOpenComplete = isCauseAtOpenComplete;
        this.records = new ReusedRecords(topic);
        this.sequence = newest.sequence();
        this.flushed = sequence;
        this.sent = sequence;
        this.stored = sequence;
    }

    @Override
    public int room() {
        int room = windowLeft();
        if (room == 0) {
            outbox.starve(); // and look again: an acknowledgement before this did not wake anybody
            room = windowLeft();
        }
        return room;
    }

    @Override
    public int maxRoom() {
        return window;
    }

    @Override
    public Frame claim(int maxLength) {
        checkUsable();
        if (maxLength < 0 || maxLength > maxPayload) {
            throw new IllegalArgumentException("topic '" + topic + "': claim of " + maxLength + " bytes; 0 to "
                    + maxPayload + " are allowed; the option max-message governs it");
        }
        checkNoClaim();
        if (room() == 0) {
            return null;
        }
        pending.reserve(frame, maxLength);
        claimed = maxLength;
        return frame;
    }

    @Override
    public long commit(int length) {
        checkUsable();
        if (claimed < 0) {
            throw new IllegalStateException("topic '" + topic + "': nothing to commit without a claim");
        }
        if (length < 0 || length > claimed) {
            throw new IllegalArgumentException(
                    "topic '" + topic + "': commit of " + length + " bytes; 0 to the claimed " + claimed);
        }
        frame.sequence(++sequence);
        pending.append(length);
        claimed = -1;
        return sequence;
    }

    @Override
    public void abort() {
        connection.checkThread();
        claimed = -1;
    }

    @Override
    public void flush() {
        checkUsable();
        checkNoClaim();
        flushed = sequence;
        if (sent < flushed && !sendFlushed()) {
            outbox.defer(this);
        }
        outbox.commit();
        throwFailure();
    }

    @Override
    public void flush(TopicReader answered, long position) {
        if (answered instanceof KafkaReader reader && reader.isOn(connection)) {
            outbox.answers(reader, position);
        }
        flush();
    }

    @Override
    public void rewind(long target) {
        checkUsable();
        if (target < flushed || target > sequence) {
            throw new IllegalArgumentException("topic '" + topic + "': rewind to " + target + "; " + flushed
                    + ", the last flush, to " + sequence + " are allowed");
        }
        checkNoClaim();
        pending.truncate((int) (target - sent));
        sequence = target;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long storedSequence() {
        return (long) STORED.getAcquire(this);
    }

    @Override
    public long causeAtOpen() {
        return causeAtOpen;
    }

    @Override
    public boolean isCauseAtOpenComplete() {
        return isCauseAtOpenComplete;
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        connection.checkThread();
        finish();
    }

    /** Ends the writer with its connection: hands over what was committed, of which nothing is checked any more. */
    void finish() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        claimed = -1;
        flushed = sequence;
        if (!hasFailed() && !sendFlushed()) {
            outbox.defer(this);
        }
    }

    /** Sends flushed frames as far as the producer has memory; whether none is left. */
    boolean sendFlushed() {
        while (sent < flushed && failure == null) {
            int size = pending.firstSize();
            if (!outbox.admits(size)) {
                return false;
            }
            ProducerRecord<byte[], byte[]> record = records.ofSize(size);
            pending.copyFirst(record.value(), size);
            if (!isMarked) {
                record = marked(record);
            }
            try {
                outbox.send(record, this);
            } catch (RuntimeException refused) {
                fail(refused);
            }
            pending.removeFirst();
            sent++;
        }
        if (claimed < 0) {
            pending.settle();
        }
        return sent == flushed;
    }

    /** The first record that it writes names the writer. */
    private ProducerRecord<byte[], byte[]> marked(ProducerRecord<byte[], byte[]> record) {
        isMarked = true;
        ProducerRecord<byte[], byte[]> marked =
                new ProducerRecord<>(record.topic(), record.partition(), null, record.value());
        WriterMark.put(marked, connection.writerName());
        return marked;
    }

    /** Sequence of the newest frame that the producer has. */
    long sent() {
        return sent;
    }

    /** A transaction up to this sequence is committed. Called by its thread. */
    void committed(long upTo) {
        STORED.setRelease(this, upTo);
    }

    /** A transaction is not committed and never will be. Called by its thread. */
    void notCommitted(RuntimeException why) {
        fail(why);
    }

    Outbox outbox() {
        return outbox;
    }

    /** Frames flushed that the producer does not have yet. */
    int unsent() {
        return (int) (flushed - sent);
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Whether nothing more will be stored by this writer: all is, or it failed. */
    boolean isSettled() {
        return hasFailed() || storedSequence() == sequence;
    }

    /** Whether it is closed, and nothing of it is under way. */
    boolean isOver() {
        return isClosed && isSettled();
    }

    boolean hasFailed() {
        return failure != null || outbox.isStopped();
    }

    String topic() {
        return topic;
    }

    Uuid topicId() {
        return topicId;
    }

    /** One of the frames sent is stored, or is not and never will be. */
    @Override
    public void onCompletion(RecordMetadata metadata, Exception exception) {
        if (exception == null) {
            if (!outbox.isTransactional()) {
                STORED.setRelease(this, stored + 1);
            }
            outbox.acknowledged(metadata.serializedValueSize());
        } else {
            fail(exception);
        }
    }

    private void fail(Exception thrown) {
        if (failure == null) {
            Exception why = outbox.explained(thrown);
            String lost = "topic '" + topic + "': a frame after " + storedSequence() + " was not stored";
            failure = Refused.isAccess(why)
                    ? Refused.because(lost, why, Permission.onTopic(AclOperation.WRITE, topic))
                    : new TransportException(
                            lost + ": " + why.getMessage()
                                    + "; nothing more is written by this connection's writer, open it again",
                            why);
            outbox.failed(failure);
        }
    }

    private int windowLeft() {
        return sent < flushed ? 0 : (int) Math.max(0, window - (sequence - (long) STORED.getVolatile(this)));
    }

    private void checkNoClaim() {
        if (claimed >= 0) {
            throw new IllegalStateException("topic '" + topic + "': commit or abort the open claim first");
        }
    }

    private void checkUsable() {
        connection.check();
        if (isClosed) {
            throw new IllegalStateException("topic '" + topic + "': the writer is closed");
        }
        throwFailure();
    }

    private void throwFailure() {
        if (failure != null) {
            throw new TransportException(failure.getMessage(), failure);
        }
        if (outbox.isStopped()) {
            throw new TransportException(
                    "topic '" + topic + "': the connection lost a frame of another topic and writes no more: "
                            + outbox.failure().getMessage(),
                    outbox.failure());
        }
    }
}
