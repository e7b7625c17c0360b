package dev.baton.kafka.write;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.read.KafkaReader;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Causes;
import dev.baton.spi.support.ThreadConfinement;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The producer of one writer that stores in transactions, with a thread of its own that sends and commits.
 *
 * <p>The loop hands over frames and the end of the last whole flush. The thread sends these frames into one
 * transaction, and commits that, together with the position of the inputs that it answers, as soon as nothing more has
 * come and the last flush is complete: what comes meanwhile makes the next one larger. All calls that may block are the
 * thread's, so that the loop never does, and flushed frames are stored even if the loop takes no more turns.
 *
 * <p>The transactional id belongs to the topic. The next writer of the topic fences this one: nothing that it sends is
 * ever read, and its next commit fails.
 *
 * <p>Confined to its loop, but for the methods that {@link FrameProducer} lists and for {@link #commitAll}, which runs
 * on its thread.
 */
final class TransactionalFrameProducer extends FrameProducer {
    /**
     * The frames up to which a transaction may be committed, and the position that it stores.
     *
     * @param sequence of the last frame of the last whole flush
     * @param reader of the inputs that it answers, null for none
     * @param group that keeps the reader's positions
     * @param position of the last of the inputs
     * @param offsets to be committed for it
     */
    private record Target(
            long sequence,
            KafkaReader reader,
            String group,
            long position,
            Map<TopicPartition, OffsetAndMetadata> offsets) {}

    private static final long CONFIRM_PAUSE_NANOS = 500_000;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(1);

    private final String topic;
    private final String transactionalId;
    private final long patienceNanos;
    private final Thread committer;
    private final Queue<ProducerRecord<byte[], byte[]>> handedOver = new ConcurrentLinkedQueue<>();
    private volatile KafkaWriter writer; // null until it is open
    private volatile Target target; // the newest; null before the first flush
    private volatile boolean isClosing;
    private long targeted; // sequence of the newest target
    private long inTransaction; // sequence of the last frame sent into it, 0: none has begun; the thread's
    private final Frame sequence = new Frame(); // to read it with; the thread's
    private KafkaReader answered; // null: nothing to be committed with the frames
    private long answeredPosition;

    TransactionalFrameProducer(
            ClientSettings settings,
            KafkaOptions options,
            String clientId,
            String topic,
            ThreadConfinement loop,
            Runnable wake) {
        super(settings.transactional(clientId, transactionalId(options, topic)), options, loop, wake);
        this.topic = topic;
        this.transactionalId = transactionalId(options, topic);
        this.patienceNanos = options.get(KafkaOptions.DELIVERY_TIMEOUT).toNanos();
        this.committer = new Thread(this::commitAll, "baton-kafka-commit-" + topic);
        committer.setDaemon(true);
    }

    /** Returns the id under which a topic's writer fences the one before it. */
    static String transactionalId(KafkaOptions options, String topic) {
        return options.get(KafkaOptions.GROUP_PREFIX) + "writer." + topic;
    }

    /** Fences every other writer of the topic, and waits until its transaction is decided. */
    @Override
    void prepare(String name, Deadline deadline) {
        while (true) {
            try {
                producer().initTransactions();
                break;
            } catch (TimeoutException notYet) {
                if (deadline.isOver()) {
                    throw new TransportException(
                            "topic '" + topic + "': no transactions within "
                                    + deadline.limit().toMillis() + " ms; transactional id '" + transactionalId + "'",
                            notYet);
                }
            } catch (KafkaException refused) {
                throw refused("no transactions with transactional id '" + transactionalId + "'", refused);
            }
        }
        super.prepare(name, deadline);
        committer.start();
    }

    /** Stores the marker in a transaction of its own. */
    @Override
    public long append(ProducerRecord<byte[], byte[]> marker, CompletableFuture<Void> answered, Deadline deadline) {
        boolean isSent = false;
        try {
            producer().beginTransaction();
            isSent = true;
            long offset = super.append(marker, answered, deadline);
            untilAnswered(System.nanoTime() + deadline.leftNanos(), producer()::commitTransaction);
            return offset;
        } catch (KafkaException refused) {
            throw refused("the marker of a new writer was not stored", refused);
        } finally {
            if (!isSent) {
                answered.complete(null);
            }
        }
    }

    /** Returns the failure of an opening: that another writer has fenced this one, if that is the reason. */
    private TransportException refused(String what, KafkaException why) {
        return explained(why) instanceof ReplacedException replaced
                ? replaced
                : new TransportException("topic '" + topic + "': " + what + ": " + why.getMessage(), why);
    }

    /** Stops the producer, as it serves this writer alone. */
    @Override
    void writerEnded() {
        stop();
        super.writerEnded();
    }

    @Override
    public void serve(KafkaWriter opened) {
        super.serve(opened);
        writer = opened;
        targeted = opened.sent();
    }

    @Override
    public boolean isTransactional() {
        return true;
    }

    /** Queues a copy of the record, which is reused. */
    @Override
    void send(ProducerRecord<byte[], byte[]> record, KafkaWriter from) {
        charge(record);
        handedOver.add(new ProducerRecord<>(
                record.topic(), record.partition(), null, null, record.value().clone(), record.headers()));
    }

    /** Returns 0, as the frames that are queued allocate the producer's memory later. */
    @Override
    long freeBytes() {
        return 0;
    }

    /** Notes that what was flushed answers inputs up to this position. */
    @Override
    void answers(KafkaReader reader, long position) {
        answered = reader;
        answeredPosition = position;
    }

    /** Commits what was queued, unless part of a flush is missing. */
    @Override
    int commit() {
        KafkaWriter sender = writer;
        if (sender == null || sender.unsent() > 0 || sender.sent() == targeted || sender.hasFailed()) {
            return 0;
        }
        targeted = sender.sent();
        target = answered == null
                ? new Target(targeted, null, null, 0, Map.of())
                : new Target(
                        targeted,
                        answered,
                        answered.group(),
                        answeredPosition,
                        Map.of(
                                answered.partition(),
                                answered.positionAt(answeredPosition).forKafka()));
        LockSupport.unpark(committer);
        return 1;
    }

    @Override
    int doWork() {
        return super.doWork() + commit();
    }

    @Override
    int sendWaiting() {
        return super.sendWaiting() + commit();
    }

    /** Ends the thread and the producer, which aborts a transaction that is not committed. */
    @Override
    public void close(Deadline deadline) {
        isClosing = true;
        LockSupport.unpark(committer);
        try {
            committer.join(Math.max(1, deadline.left().toMillis()));
            if (committer.isAlive()) {
                committer.interrupt(); // a broker does not answer
                committer.join(STOP_LIMIT.toMillis());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            super.close(deadline);
        }
    }

    private void commitAll() {
        try {
            while (true) {
                long sent = sendAll();
                Target due = target;
                if (sent > 0 && due != null && due.sequence() == sent) {
                    commit(due);
                } else if (isClosing && handedOver.isEmpty() || isStopped()) {
                    return;
                } else {
                    LockSupport.park(this);
                }
            }
        } catch (RuntimeException failure) {
            writer.notCommitted(failure);
        }
    }

    /** Sequence of the last frame of the transaction; 0 while none has begun. */
    private long sendAll() {
        for (ProducerRecord<byte[], byte[]> next = handedOver.poll(); next != null; next = handedOver.poll()) {
            if (inTransaction == 0) {
                producer().beginTransaction();
            }
            inTransaction = sequence.wrap(ByteBuffer.wrap(next.value()).order(ByteOrder.LITTLE_ENDIAN), 0, 0)
                    .sequence();
            producer().send(next, writer);
        }
        return inTransaction;
    }

    @SuppressWarnings("removal") // of a class to be replaced by an interface; 4.3 has no other way without a membership
    private void commit(Target due) {
        long deadline = System.nanoTime() + patienceNanos;
        if (due.reader() != null) {
            untilAnswered(
                    deadline,
                    () -> producer().sendOffsetsToTransaction(due.offsets(), new ConsumerGroupMetadata(due.group())));
        }
        producer().flush();
        awaitTopic(deadline);
        untilAnswered(deadline, producer()::commitTransaction);
        inTransaction = 0;
        if (due.reader() != null) {
            due.reader().storedInTransaction(due.position());
        }
        writer.committed(due.sequence());
        wake();
    }

    /**
     * Waits until it is known that the frames of the transaction, which are all acknowledged, are in the writer's
     * topic: else it would commit the position of inputs whose outputs are in another topic.
     */
    private void awaitTopic(long deadline) {
        StoredFrames frames = writer.stored();
        long check = frames.checks();
        while (!frames.isConfirmedAfter(check)) {
            if (writer.hasFailed()
                    || isStopped()
                    || System.nanoTime() - deadline > 0
                    || Thread.currentThread().isInterrupted()) {
                throw new TimeoutException(
                        "topic '" + topic + "' could not be distinguished from another one of its name in time");
            }
            LockSupport.parkNanos(this, CONFIRM_PAUSE_NANOS);
        }
    }

    /**
     * Repeats a call until it is answered; each attempt waits for as long as a send may block, and the answer to an
     * earlier one counts.
     */
    private void untilAnswered(long deadline, Runnable call) {
        while (true) {
            try {
                call.run();
                return;
            } catch (TimeoutException notYet) {
                if (System.nanoTime() - deadline > 0
                        || isStopped()
                        || Thread.currentThread().isInterrupted()) {
                    throw notYet;
                }
            }
        }
    }

    /**
     * Returns whether a failure may hide a fence: a broker that is asked while the coordinator ends this writer's
     * transaction for another one may answer with an unknown error, or with an invalid transaction state.
     */
    @Override
    public boolean mayBeFenced(Exception failure) {
        for (Throwable each : Causes.of(failure)) {
            if (KafkaFailures.isAccess(each) || each instanceof TimeoutException) {
                return false;
            }
        }
        return !isClosing && !(explained(failure) instanceof ReplacedException);
    }

    @Override
    Exception explained(Exception failure) {
        for (Throwable each : Causes.of(failure)) {
            if (each instanceof ProducerFencedException || each instanceof InvalidProducerEpochException) {
                return new ReplacedException(
                        topic,
                        "another writer of the topic was opened since and has fenced this one (transactional id '"
                                + transactionalId + "')",
                        failure);
            }
        }
        return failure;
    }
}
