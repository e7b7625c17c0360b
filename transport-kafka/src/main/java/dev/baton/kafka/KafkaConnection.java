package dev.baton.kafka;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;

/**
 * One loop's access to Kafka: one producer and one consumer, made with the first writer and the first reader, whatever
 * the number of topics.
 *
 * <p>A lost frame ends all writers that the connection has at that time, see {@link Outbox}; each can be closed and opened
 * again, on this connection, too. Its readers go on. A connection that only reads waits for brokers that are away, for
 * ever.
 */
final class KafkaConnection implements Connection {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final KafkaTransport transport;
    private final KafkaOptions options;
    private final String clientId;
    private final Thread loop = Thread.currentThread();
    private final Wakening wakening = new Wakening(loop);
    private final List<KafkaWriter> writers = new ArrayList<>();
    private final Positions positions;
    private final Outboxes outboxes;
    private volatile Inbox inbox; // null until the first reader; set by the loop, read by who wakes it
    private volatile boolean isClosed;
    private int arrivedInAwait;
    private TransportException failedInAwait; // for the next turn to throw

    KafkaConnection(KafkaTransport transport, KafkaOptions options, String clientId) {
        this.transport = transport;
        this.options = options;
        this.clientId = clientId;
        this.positions = new Positions(transport.cluster(), options);
        this.outboxes = new Outboxes(transport.settings(), options, clientId, loop, this::wake);
    }

    @Override
    public TopicWriter openWriter(String topic, String topology) {
        check();
        Deadline deadline = transport.cluster().deadline();
        Uuid topicId = transport.topicsOf().require(topic, AclOperation.WRITE, deadline);
        LiveWriters.Predecessor previous = transport.liveWriters().reserve(topic);
        try {
            awaitSettled(previous, deadline);
            Outbox outbox = outboxes.forWriter(topic, deadline);
            if (!outbox.isTransactional()) {
                awaitReadable(topic, deadline);
            }
            Tail.Newest newest = newest(topic, topicId, previous, deadline);
            boolean isCauseComplete = outbox.isTransactional()
                    && newest.offset() != Tail.NONE
                    && transport.tail().endsTransaction(Topics.partitionOf(topic), newest.offset(), deadline);
            KafkaWriter writer = new KafkaWriter(
                    this,
                    topic,
                    topicId,
                    outbox,
                    transport.maxPayload(),
                    options.write().window(),
                    newest,
                    isCauseComplete);
            writers.removeIf(KafkaWriter::isOver);
            writers.add(writer);
            outbox.serve(writer);
            transport.liveWriters().opened(writer);
            return writer;
        } catch (RuntimeException failure) {
            transport.liveWriters().gaveUp(topic);
            outboxes.dropUnused();
            throw failure;
        }
    }

    @Override
    public TopicReader openReader(String topic, String consumer) {
        check();
        if (consumer.isBlank()) {
            throw new IllegalArgumentException("topic '" + topic + "': a consumer needs a name");
        }
        TopicPartition partition = Topics.partitionOf(topic);
        if (inbox != null && inbox.hasReader(partition, consumer)) {
            throw new TransportException("topic '" + topic + "': consumer '" + consumer
                    + "' has a live reader on this connection; close that one first");
        }
        StartSearch search = new StartSearch(transport, positions, topic, consumer);
        StoredPosition start = search.run();
        if (inbox == null) {
            inbox = new Inbox(transport.settings(), options, clientId);
        }
        KafkaReader reader =
                new KafkaReader(this, partition, consumer, start, options.read().readAhead());
        inbox.add(reader);
        positions.opened(reader, !search.isNew());
        return reader;
    }

    @Override
    public int doWork() {
        check();
        throwFailureOfAwait();
        int work = arrivedInAwait + outboxes.doWork();
        arrivedInAwait = 0;
        Inbox reading = inbox;
        if (reading != null) {
            work += reading.poll();
            positions.doWork();
        }
        return work;
    }

    @Override
    public void await(long nanos) {
        check();
        Inbox reading = inbox;
        boolean isPoll = nanos >= NANOS_PER_MILLI && reading != null && !reading.isEmpty();
        if (!wakening.begin(isPoll)) {
            return;
        }
        try {
            if (outboxes.hasNews()) {
                return;
            }
            if (isPoll) {
                arrivedInAwait += reading.poll(Duration.ofMillis(nanos / NANOS_PER_MILLI));
            } else {
                LockSupport.parkNanos(this, nanos);
            }
        } catch (TransportException failure) {
            failedInAwait = failure;
        } finally {
            wakening.end();
        }
    }

    @Override
    public void wake() {
        wakening.wake(this::endPoll);
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        new Closing(this, transport.cluster().deadline()).run();
    }

    /** Stores a reader's position and takes it off the consumer. */
    void close(KafkaReader reader) {
        try {
            positions.store(reader, transport.cluster().deadline());
        } finally {
            inbox.remove(reader);
        }
    }

    /** Takes a reader off the consumer and forgets what is not stored of its position. */
    void abandon(KafkaReader reader) {
        positions.forget(reader);
        inbox.remove(reader);
    }

    /** After the producer's close: what the writers know is kept, they are not. */
    void forgetWriters() {
        writers.forEach(transport.liveWriters()::ended);
        writers.clear();
    }

    Positions positions() {
        return positions;
    }

    Outboxes outboxes() {
        return outboxes;
    }

    /** What its writers' first frames call it. */
    String writerName() {
        return clientId;
    }

    Inbox inbox() {
        return inbox;
    }

    List<KafkaWriter> writers() {
        return writers;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** For everything but close and wake: the right thread, and still open. */
    void check() {
        if (isClosed) {
            throw new IllegalStateException("the connection is closed");
        }
        checkThread();
    }

    void checkThread() {
        if (Thread.currentThread() != loop) {
            throw new IllegalStateException("a connection belongs to the thread that opened it, '" + loop.getName()
                    + "'; this thread is '" + Thread.currentThread().getName() + "'");
        }
    }

    private void throwFailureOfAwait() {
        if (failedInAwait != null) {
            TransportException failure = failedInAwait;
            failedInAwait = null;
            throw failure;
        }
    }

    private void endPoll() {
        Inbox reading = inbox;
        if (reading != null) {
            reading.wakeup();
        }
    }

    private void awaitSettled(LiveWriters.Predecessor previous, Deadline deadline) {
        while (!previous.isSettled() && !deadline.isOver()) {
            outboxes.sendWaiting();
            Deadline.pause();
        }
    }

    /**
     * Waits for frames of an earlier writer that its leader has and readers do not see yet: their sequences would be given
     * a second time. Transactions need it not: fencing the earlier writer waits for what it had under way.
     */
    private void awaitReadable(String topic, Deadline deadline) {
        long lastLookNanos = deadline.limit().toNanos() / 10; // a look takes time itself
        while (!transport.tail().isAllReadable(Topics.partitionOf(topic), deadline)) {
            if (deadline.leftNanos() < lastLookNanos) {
                throw new TransportException(
                        "topic '" + topic + "': frames of an earlier writer are not readable yet, and"
                                + " were not within " + deadline.limit().toMillis()
                                + " ms: not all of its brokers that are in"
                                + " sync have them, or a transaction is not decided; open the writer again, or raise the timeout");
            }
            Deadline.pause();
        }
    }

    /** Reads the newest frame when all that an earlier writer of this process still had under way has arrived. */
    private Tail.Newest newest(String topic, Uuid topicId, LiveWriters.Predecessor previous, Deadline deadline) {
        long expected = previous.sequenceIn(topicId);
        while (true) {
            Tail.Newest newest = transport.tail().newest(topic, topicId, deadline);
            if (newest.sequence() >= expected) {
                return newest;
            }
            if (deadline.isOver()) {
                throw new TransportException("topic '" + topic + "': its last writer wrote up to " + expected
                        + ", but after " + deadline.limit().toMillis() + " ms the newest frame is "
                        + newest.sequence());
            }
            Deadline.pause();
        }
    }
}
