package dev.baton.kafka.connection;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.read.KafkaReader;
import dev.baton.kafka.read.Positions;
import dev.baton.kafka.read.RecordFetcher;
import dev.baton.kafka.write.FrameProducer;
import dev.baton.kafka.write.FrameProducers;
import dev.baton.kafka.write.KafkaWriter;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ThreadConfinement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One loop's access to Kafka: one producer and one consumer, made with the first writer and the first reader, whatever
 * the number of topics.
 *
 * <p>A lost frame ends all writers that the connection has at that time, see {@link FrameProducer}; each can be closed
 * and opened again, on this connection, too. Its readers continue. A writer or a reader that was replaced fails alone,
 * and so does a reader whose topic cannot be read, or whose position cannot be stored. The writers and readers report
 * that; a turn throws only other failures of the consumer. A connection that only reads waits without limit for brokers
 * that are away. Confined to its loop, but for {@link #wake} and methods that name another thread.
 */
public final class KafkaConnection implements Connection, KafkaReader.Owner, KafkaWriter.Owner {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final TransportContext context;
    private final String clientId;
    private final ThreadConfinement loop = new ThreadConfinement("this connection to the kafka transport");
    private final LoopWakeup wakeup = new LoopWakeup(loop);
    private final List<KafkaWriter> writers = new ArrayList<>();
    private final List<KafkaReader> readers = new ArrayList<>(); // open
    private final Positions positions;
    private final FrameProducers producers;
    private volatile RecordFetcher fetcher; // null until the first reader; set by the thread that prepares it
    private volatile boolean isClosed;
    private int arrivedInAwait;
    private TransportException failedInAwait; // for the next turn to throw

    KafkaConnection(TransportContext context, String clientId) {
        this.context = context;
        this.clientId = clientId;
        this.positions = new Positions(context.cluster(), context.options());
        this.producers = new FrameProducers(context.settings(), context.options(), clientId, loop, this::wake);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Prepared on the loop's own thread, the opening sends the frames of the writer before it, which otherwise the loop's
     * turns send.
     */
    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        check();
        return new KafkaWriterOpening(this, context, topic, topology, () -> {
            if (loop.isCurrentThread()) {
                producers.sendWaiting();
            }
        });
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        check();
        if (consumer.isBlank()) {
            throw new IllegalArgumentException("topic '" + topic + "': consumer name must not be blank");
        }
        return new KafkaReaderOpening(this, context, topic, consumer, from);
    }

    /** Adds a writer that was opened. */
    void opened(KafkaWriter writer) {
        writers.removeIf(KafkaWriter::isOver);
        writers.add(writer);
        context.fencing().watch(writer);
        context.recordedEnds().watch(writer);
        context.topicIdMonitor().watch(writer);
    }

    /** Returns the fetcher, which is created for the first reader. Any thread. */
    synchronized RecordFetcher fetcherForReader() {
        checkOpen();
        if (fetcher == null) {
            fetcher = new RecordFetcher(context.settings(), context.options(), clientId);
        }
        return fetcher;
    }

    @Override
    public int doWork() {
        check();
        throwFailureOfAwait();
        int work = arrivedInAwait + producers.doWork();
        arrivedInAwait = 0;
        RecordFetcher reading = fetcher;
        if (reading != null) {
            work += reading.poll();
            positions.doWork();
        }
        return work;
    }

    /**
     * Wakes the loop, as one of its writers or readers has ended alone, which its {@code failure()} reports. Any
     * thread.
     */
    @Override
    public void hasEnded() {
        wake();
    }

    @Override
    public void await(long nanos) {
        check();
        RecordFetcher reading = fetcher;
        boolean isPoll = nanos >= NANOS_PER_MILLI && reading != null && !reading.isEmpty();
        if (!wakeup.begin(isPoll)) {
            return;
        }
        try {
            if (producers.hasNews()) {
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
            wakeup.end();
        }
    }

    @Override
    public void wake() {
        wakeup.wake(this::endPoll);
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        synchronized (this) {
            isClosed = true; // from here on no fetcher is made
        }
        new Shutdown(context.cluster().deadline()).run();
    }

    /** Stores a reader's position and takes it off the consumer. */
    @Override
    public void close(KafkaReader reader) {
        try {
            positions.store(reader, context.cluster().deadline());
        } finally {
            ended(reader);
        }
    }

    /**
     * Continues to close a reader without waiting; returns whether its position is stored and it is off the consumer.
     */
    @Override
    public boolean tryClose(KafkaReader reader) {
        boolean goesOn = false;
        try {
            goesOn = !positions.tryStore(reader);
        } finally {
            if (!goesOn) {
                ended(reader);
            }
        }
        return !goesOn;
    }

    /** Takes a reader off the consumer and forgets what is not stored of its position. */
    @Override
    public void abandon(KafkaReader reader) {
        positions.forget(reader);
        ended(reader);
    }

    @Override
    public KafkaReader opened(TopicReader reader) {
        for (KafkaReader each : readers) {
            if (each == reader) {
                return each;
            }
        }
        return null;
    }

    /** Has the topic of a reader checked that is open. */
    void opened(KafkaReader reader) {
        readers.add(reader);
        positions.opened(reader);
        context.topicIdMonitor().watch(reader);
    }

    /** Takes a reader off the consumer, for which another one may be opened then. */
    void ended(KafkaReader reader) {
        readers.remove(reader);
        fetcher.remove(reader);
        context.liveReaders().free(reader.partition(), reader.consumer(), this);
    }

    /** Releases the writers after the close of their producers; their results stay readable. */
    private void forgetWriters() {
        writers.forEach(KafkaWriter::forget);
        writers.forEach(context.liveWriters()::ended);
        writers.clear();
    }

    /** Releases the consumers of the readers, so that other connections of the transport may read for them. */
    private void forgetReaders() {
        context.liveReaders().freeAllOf(this);
    }

    @Override
    public Positions positions() {
        return positions;
    }

    public FrameProducers producers() {
        return producers;
    }

    /** Returns the name that its writers add to that of their process. */
    String name() {
        return clientId;
    }

    /**
     * Has the records checked that lie between the frames of a writer of this connection. Called by the producer's
     * thread.
     */
    @Override
    public void checkGap(KafkaWriter writer) {
        context.fencing().check(writer, context.options().get(KafkaOptions.DELIVERY_TIMEOUT));
    }

    /** Has the topics checked whose identity is in doubt. Never blocks. Any thread. */
    @Override
    public void checkTopics() {
        context.topicIdMonitor().soon();
    }

    /** Has it checked whether a writer failed because another one takes over. Called by the producer's threads. */
    @Override
    public void checkTakeover(KafkaWriter writer, Exception failure) {
        context.fencing().checkTakeover(writer, failure);
    }

    @Override
    public RecordFetcher fetcher() {
        return fetcher;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    /** Throws unless the connection is open and the caller is its loop: for everything but close and wake. */
    @Override
    public void check() {
        checkOpen();
        checkThread();
    }

    private void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the connection is closed");
        }
    }

    @Override
    public void checkThread() {
        loop.check();
    }

    private void throwFailureOfAwait() {
        if (failedInAwait != null) {
            TransportException failure = failedInAwait;
            failedInAwait = null;
            throw failure;
        }
    }

    private void endPoll() {
        RecordFetcher reading = fetcher;
        if (reading != null) {
            reading.wakeup();
        }
    }

    /**
     * The close of the connection: sends what was committed, waits until it is stored, stores positions and closes the
     * clients, all within one deadline. A step that fails does not skip those behind it; the first failure that was not
     * reported before is thrown at the end, with the others suppressed. Used once, by the thread that closes.
     */
    private final class Shutdown {
        private final Deadline deadline;
        private RuntimeException failure;

        Shutdown(Deadline deadline) {
            this.deadline = deadline;
        }

        void run() {
            boolean wasInterrupted = Thread.interrupted(); // the clients would refuse to finish
            try {
                List<FrameProducer> open = producers.close();
                attempt(this::finishWriting);
                open.forEach(producer -> attempt(() -> producer.close(deadline)));
                open.forEach(producer -> attempt(producer::throwUnreported));
                attempt(this::throwUnstored);
                if (writers.stream().anyMatch(writer -> !writer.hasFailed())) { // or the brokers may be away
                    attempt(() -> context.recordedEnds().storeAll(deadline));
                }
                forgetWriters();
                if (fetcher != null) {
                    attempt(() -> positions.storeAll(deadline));
                    attempt(positions::throwUnreported);
                    attempt(() -> fetcher.close(deadline));
                }
                forgetReaders();
            } finally {
                if (wasInterrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            if (failure != null) {
                throw failure;
            }
        }

        private void finishWriting() {
            writers.forEach(KafkaWriter::finish);
            while (!writers.stream().allMatch(KafkaWriter::isSettled) && !deadline.isOver()) {
                producers.sendWaiting();
                Deadline.pause();
            }
        }

        private void throwUnstored() {
            for (KafkaWriter writer : writers) {
                writer.throwUnreported();
                if (!writer.isSettled()) {
                    throw new TransportException("topic '" + writer.topic() + "': frames "
                            + (writer.storedSequence() + 1) + " to " + writer.sequence() + " were not stored within "
                            + deadline.limit().toMillis() + " ms");
                }
            }
        }

        private void attempt(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException thrown) {
                if (failure == null) {
                    failure = thrown;
                } else if (failure != thrown) {
                    failure.addSuppressed(thrown);
                }
            }
        }
    }
}
