package dev.baton.kafka.connection;

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
import org.apache.kafka.common.TopicPartition;

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
public final class KafkaConnection implements Connection, KafkaReader.Owner {
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
            fetcher = new RecordFetcher(context.settings(), clientId);
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
     * Returns true: the consumer's poll ends with the first record, the threads of producers wake the loop, and an await is
     * short until all positions are stored.
     */
    @Override
    public boolean awaitsNews() {
        return true;
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
                long limit = positions.isSettled() ? nanos : NANOS_PER_MILLI;
                arrivedInAwait += reading.poll(Duration.ofMillis(limit / NANOS_PER_MILLI));
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

    /** Returns the reader, if this connection has opened it and it is open; otherwise null. */
    KafkaReader own(TopicReader reader) {
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

    @Override
    public void ended(KafkaReader reader) {
        readers.remove(reader);
        fetcher.remove(reader);
        context.liveReaders().free(reader.partition(), reader.consumer(), this);
    }

    @Override
    public Positions positions() {
        return positions;
    }

    FrameProducers producers() {
        return producers;
    }

    /** Returns the name that its writers add to that of their process. */
    String name() {
        return clientId;
    }

    /** Has the topics checked whose identity is in doubt. Never blocks. Any thread. */
    @Override
    public void checkTopics() {
        context.topicIdMonitor().soon();
    }

    @Override
    public boolean hasBegun(TopicPartition partition, long writer) {
        try {
            return context.scanner()
                    .hasBegun(
                            partition,
                            writer,
                            Long.MAX_VALUE,
                            0,
                            context.cluster().deadline());
        } catch (TransportException unknown) {
            return true;
        }
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
        loop.check();
    }

    private void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the connection is closed");
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
                writers.forEach(KafkaWriter::forget); // their results stay readable
                writers.forEach(context.liveWriters()::ended);
                writers.clear();
                if (fetcher != null) {
                    attempt(() -> positions.storeAll(deadline));
                    attempt(positions::throwUnreported);
                    attempt(() -> fetcher.close(deadline));
                }
                context.liveReaders().freeAllOf(KafkaConnection.this);
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
