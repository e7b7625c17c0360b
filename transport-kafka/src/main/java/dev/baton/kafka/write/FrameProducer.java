package dev.baton.kafka.write;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.client.Permission;
import dev.baton.kafka.read.KafkaReader;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ThreadConfinement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A connection's producer, whose accounting keeps its send from ever blocking the loop.
 *
 * <p>Send blocks when the producer's memory is used up. So each frame is charged what it may cost at worst, a batch of
 * its own, and is sent while all charges fit. Acknowledgements give the charges back. Small frames share batches and take
 * far less: where the charges do not fit, the producer's metric of free memory is read, and frames are sent until their
 * charges since then would use that up. Only the loop and the markers of openings allocate from it, and markers are charged,
 * too. Frames that do not fit wait with their writer and are sent by a later turn.
 *
 * <p>When a frame that was sent is lost, the producer is closed at once, from its callback: frames behind it must
 * not be stored, and Kafka's producer would continue with them. All writers that use it end with it.
 *
 * <p>Confined to its loop, but for {@link #acknowledged} and {@link #failed}, which the producer's thread calls, and
 * for what an opening calls: {@link #reserve}, {@link #prepare}, {@link #append}, {@link #release}.
 */
public class FrameProducer {
    /**
     * The bytes that a record may take beyond its value: batch and record headers are 82 bytes at most in the current
     * format.
     */
    public static final int OVERHEAD_BYTES = 128;

    private static final String FREE_MEMORY = "buffer-available-bytes";

    private final Producer<byte[], byte[]> producer;
    private final ThreadConfinement loop;
    private final Runnable wake;
    private final int batchSize;
    private final long reserve;
    private final long budget;
    private final Metric freeMemory;
    private final List<KafkaWriter> served = new CopyOnWriteArrayList<>(); // others look whether it is used
    private final AtomicInteger opening = new AtomicInteger(); // writers that are going to use it
    private final AtomicLong chargedForMarkers = new AtomicLong();
    private final List<KafkaWriter> waiting = new ArrayList<>();
    private final AtomicLong acknowledged = new AtomicLong(); // written by the producer's thread alone
    private final AtomicLong chargesReturned = new AtomicLong(); // written by the producer's thread alone
    private final AtomicReference<TransportException> failure = new AtomicReference<>();
    private volatile boolean isStarved; // a caller waits for acknowledgements
    private volatile boolean isStopped;
    private long charged;
    private long free; // bytes when the metric was read, less the charges since then
    private long acknowledgedSeen;
    private TransportException seen; // the newest failure before the last turn
    private volatile TransportException reported; // the newest failure that a writer has reported

    /** Creates a producer with these settings. */
    FrameProducer(Map<String, Object> settings, KafkaOptions options, ThreadConfinement loop, Runnable wake) {
        this(settings, new MetadataUpdates(), options, loop, wake);
    }

    private FrameProducer(
            Map<String, Object> settings,
            MetadataUpdates updates,
            KafkaOptions options,
            ThreadConfinement loop,
            Runnable wake) {
        this(new KafkaProducer<>(settings, new ByteArraySerializer(), updates), options, loop, wake);
        updates.listen(() -> served.forEach(KafkaWriter::doubtTopic));
    }

    /** Wraps a producer of Kafka's, which is closed with this one. */
    FrameProducer(Producer<byte[], byte[]> producer, KafkaOptions options, ThreadConfinement loop, Runnable wake) {
        this.producer = producer;
        this.loop = loop;
        this.wake = wake;
        this.batchSize = options.get(KafkaOptions.BATCH_SIZE);
        // A batch is counted as free when its last frame is acknowledged, and freed a moment later: one at a time.
        this.reserve = chargeOf(options.get(KafkaOptions.MAX_MESSAGE));
        this.budget = options.get(KafkaOptions.BUFFER) - reserve;
        this.freeMemory = producer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals(FREE_MEMORY))
                .findFirst()
                .orElse(null);
    }

    /** Fetches the topic's metadata, without which the first send would block. */
    void prepare(String topic, Deadline deadline) {
        while (true) {
            try {
                producer.partitionsFor(topic);
                return;
            } catch (AuthenticationException | AuthorizationException refused) {
                throw KafkaFailures.because(
                        "could not open topic '" + topic + "'",
                        refused,
                        Permission.onTopic(AclOperation.DESCRIBE, topic));
            } catch (org.apache.kafka.common.errors.TimeoutException notYet) {
                if (deadline.isOver()) {
                    throw new TransportException(
                            "topic '" + topic + "': no metadata within "
                                    + deadline.limit().toMillis() + " ms",
                            notYet);
                }
            } catch (InterruptException interrupted) { // which has set the interrupt again
                throw new TransportException("topic '" + topic + "': no metadata: interrupted", interrupted);
            }
        }
    }

    /**
     * Stores a writer's marker and waits for it. When this throws, it may be stored nevertheless. The marker takes its
     * share of the producer's memory, so that a send of the loop does not find too little.
     *
     * @param answered completed when the marker is stored, or never will be; that may be after this has thrown
     * @return its offset
     */
    public long append(ProducerRecord<byte[], byte[]> marker, CompletableFuture<Void> answered, Deadline deadline) {
        String what = "topic '" + marker.topic() + "': the marker of a new writer was not stored";
        long charge = chargeOf(marker.value().length);
        chargedForMarkers.addAndGet(charge);
        try {
            return send(marker, answered)
                    .get(Math.max(1, deadline.leftNanos()), TimeUnit.NANOSECONDS)
                    .offset();
        } catch (ExecutionException failure) {
            throw notStored(what, failure.getCause(), marker.topic());
        } catch (java.util.concurrent.TimeoutException late) {
            throw new TransportException(what + " within " + deadline.limit().toMillis() + " ms", late);
        } catch (KafkaException refused) {
            throw notStored(what, refused, marker.topic());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException(what + ": interrupted", interrupted);
        } catch (IllegalStateException closed) {
            throw new TransportException(what + ": the connection was closed or lost a frame", closed);
        } finally {
            chargedForMarkers.addAndGet(-charge);
        }
    }

    private Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> marker, CompletableFuture<Void> answered) {
        try {
            return producer.send(marker, (metadata, failure) -> answered.complete(null));
        } catch (RuntimeException refused) {
            answered.complete(null);
            throw refused;
        }
    }

    private TransportException notStored(String what, Throwable cause, String topic) {
        return cause instanceof Exception failure && explained(failure) instanceof ReplacedException replaced
                ? replaced
                : KafkaFailures.because(what, cause, Permission.onTopic(AclOperation.WRITE, topic));
    }

    /** Keeps the producer in use for a writer that is being opened, until {@link #serve} or {@link #release}. */
    final void reserve() {
        opening.incrementAndGet();
    }

    /** Withdraws a reservation, as the writer is not opened. */
    final void release() {
        opening.decrementAndGet();
    }

    /** Adds the writer for which the producer was reserved. */
    public void serve(KafkaWriter opened) {
        served.removeIf(KafkaWriter::isOver);
        served.add(opened);
        release();
    }

    /** Returns whether a writer may send, has frames in flight, or is being opened. */
    final boolean isUsed() {
        return opening.get() > 0 || !served.stream().allMatch(KafkaWriter::isOver);
    }

    final Producer<byte[], byte[]> producer() {
        return producer;
    }

    final void wake() {
        wake.run();
    }

    /**
     * Returns whether frames count as stored when their transaction is committed, and not when they are acknowledged.
     */
    public boolean isTransactional() {
        return false;
    }

    /** Notes that the frames flushed answer the inputs up to this position; used by transactions alone. */
    void answers(KafkaReader reader, long position) {}

    /** Commits what was sent, if that is needed and possible now; returns a work count. */
    int commit() {
        return 0;
    }

    /** Returns the meaning of a failure of Kafka's producer; the failure itself when it needs no translation. */
    Exception explained(Exception failure) {
        return failure;
    }

    /** Returns whether a failure may result from another writer that takes over. */
    public boolean mayBeFenced(Exception failure) {
        return false;
    }

    /** Returns whether a frame of this size may be sent now; a single one always may. */
    boolean admits(int size) {
        long forMarkers = chargedForMarkers.get();
        long outstanding = charged - chargesReturned.get() + forMarkers;
        long needed = chargeOf(size);
        if (outstanding == 0 || outstanding + needed <= budget) {
            return true;
        }
        if (free < needed + forMarkers) {
            free = freeBytes();
        }
        return free >= needed + forMarkers;
    }

    /** Returns the bytes of the producer's memory that frames sent from now on may take; 0 if that is unknown. */
    long freeBytes() {
        return freeMemory == null ? 0 : ((Number) freeMemory.metricValue()).longValue() - reserve;
    }

    /** Sends a record whose size was admitted. Does not throw what the callback receives. */
    void send(ProducerRecord<byte[], byte[]> record, KafkaWriter writer) {
        charge(record);
        producer.send(record, writer);
    }

    /** Counts what a record admitted may cost, until it is acknowledged. */
    final void charge(ProducerRecord<byte[], byte[]> record) {
        long charge = chargeOf(record.value().length);
        charged += charge;
        free -= charge;
    }

    /**
     * Returns the charges of the frames of a writer that has ended alone, and has nothing in flight any more. Called by
     * the producer's thread, once.
     */
    final void giveBack(long charge) {
        chargesReturned.lazySet(chargesReturned.getPlain() + charge);
        wake.run();
    }

    /** Has a later turn call {@link KafkaWriter#sendFlushed} again. */
    void defer(KafkaWriter writer) {
        if (!waiting.contains(writer)) {
            waiting.add(writer);
        }
        starve();
    }

    /** Takes one turn: sends what had to wait. Returns acknowledgements and frames sent. */
    int doWork() {
        seen = failure.get();
        long confirmed = acknowledged.get();
        int work = (int) (confirmed - acknowledgedSeen);
        acknowledgedSeen = confirmed;
        if (isStarved) {
            isStarved = false;
        }
        return waiting.isEmpty() ? work : work + sendWaiting();
    }

    /** Has the next acknowledgement end an await. */
    void starve() {
        isStarved = true;
    }

    /** Returns whether acknowledgements came since the last turn, or a failure. */
    boolean hasNews() {
        return acknowledged.get() != acknowledgedSeen || failure.get() != seen;
    }

    /** Returns whether a frame was lost; nothing is sent any more. */
    public boolean isStopped() {
        return isStopped;
    }

    /** Returns the failure that stopped the producer or a writer of it, null if none or if a writer has reported it. */
    TransportException unreportedFailure() {
        TransportException newest = failure.get();
        return newest == reported ? null : newest;
    }

    /** Returns the failure that stopped the producer; null while it runs. */
    public TransportException failure() {
        return failure.get();
    }

    /** Throws a failure that no writer has reported. */
    public void throwUnreported() {
        TransportException unreported = unreportedFailure();
        if (unreported != null) {
            reported();
            throw unreported;
        }
    }

    /** Notes that a writer reports the failure that has stopped the producer. */
    void reported() {
        synchronized (failure) {
            reported = failure.get();
        }
    }

    /** Counts a stored frame of this size. Called by the producer's thread, after the writer has counted it. */
    void acknowledged(int size) {
        chargesReturned.lazySet(chargesReturned.getPlain() + chargeOf(size));
        acknowledged.set(acknowledged.getPlain() + 1); // a full fence, so that either side sees the other's write
        if (isStarved) {
            wake.run();
        }
    }

    /**
     * Stops the producer, as a frame is not stored. Called by the producer's thread, or by the loop from within send:
     * then the frame is not in flight, and only its writer has failed.
     */
    void failed(TransportException why) {
        boolean isNews;
        synchronized (failure) {
            isNews = failure.compareAndSet(null, why);
            if (!loop.isCurrentThread() && !isStopped) {
                if (!isNews) {
                    why.addSuppressed(failure.getAndSet(why));
                    isNews = true;
                }
                stop();
            }
        }
        if (isNews) {
            wake.run();
        }
    }

    /**
     * Wakes the loop, as a writer has ended alone and sends no more; the others that use this producer continue. Any
     * thread.
     */
    void writerEnded() {
        wake.run();
    }

    /** Stops without a failure of its own: nothing is sent any more. */
    final void stop() {
        isStopped = true;
        producer.close(Duration.ZERO);
    }

    /** Waits for the producer to finish what it has, within the time. */
    public void close(Deadline deadline) {
        producer.close(deadline.left());
    }

    int sendWaiting() {
        int sent = 0;
        for (int i = waiting.size() - 1; i >= 0; i--) {
            KafkaWriter writer = waiting.get(i);
            int before = writer.unsent();
            boolean isDone = writer.sendFlushed();
            sent += before - writer.unsent();
            if (isDone || writer.hasFailed()) {
                waiting.remove(i);
            }
        }
        if (!waiting.isEmpty()) {
            starve();
        }
        return sent;
    }

    /** Returns the largest cost of a frame of this size. */
    final long chargeOf(int size) {
        return Math.max(batchSize, size + OVERHEAD_BYTES);
    }

    /**
     * The serializer of a producer's values, which Kafka notifies of each update of the producer's metadata: before the
     * producer sends anything by what it has learned. Thread-safe; notified by the producer's threads, which hold a
     * lock meanwhile.
     */
    private static final class MetadataUpdates extends ByteArraySerializer implements ClusterResourceListener {
        private volatile Runnable listener = () -> {};

        /** Has a task run at each update, which must not block. */
        void listen(Runnable task) {
            listener = task;
        }

        @Override
        public void onUpdate(ClusterResource cluster) {
            listener.run();
        }
    }
}
