package dev.baton.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Tells a transport's writers that they have been replaced by newer ones of other processes.
 *
 * <p>A writer that writes learns from its acknowledgements that something lies between its frames. For one that does not,
 * the ends of all writers' topics are asked for in one request at an interval. Either way the records in question are
 * read, and the writer fails if a newer one has begun among them.
 *
 * <p>What may block is done by one thread, which is there while the transport has writers, so that a thread that sends now
 * and then and takes no turns meanwhile learns it, too. Thread-safe.
 */
final class Rivals implements AutoCloseable {
    private static final long RETRY_MILLIS = 100;
    private static final long STOP_MILLIS = 2_000;

    private final Cluster cluster;
    private final Tail tail;
    private final long intervalNanos;
    private final Set<KafkaWriter> watched = ConcurrentHashMap.newKeySet();
    private ScheduledThreadPoolExecutor thread; // guarded by this; null without a writer
    private boolean isClosed; // guarded by this
    private volatile boolean isAsking;

    Rivals(Cluster cluster, Tail tail, Duration interval) {
        this.cluster = cluster;
        this.tail = tail;
        this.intervalNanos = interval.toNanos();
    }

    /** Tells a writer from here on until it is over. */
    synchronized void watch(KafkaWriter writer) {
        watched.add(writer);
        if (thread == null && !isClosed) {
            thread = new ScheduledThreadPoolExecutor(1, work -> {
                Thread daemon = new Thread(work, "baton-kafka-rivals");
                daemon.setDaemon(true);
                return daemon;
            });
            thread.setRemoveOnCancelPolicy(true);
            thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            thread.scheduleWithFixedDelay(this::askForEnds, intervalNanos, intervalNanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Has the records read that are unclear to a writer. Any thread. */
    void check(KafkaWriter writer) {
        after(0, new GapCheck(tail, writer, this));
    }

    /** Has it found out whether a writer has failed because a newer one takes over. Any thread. */
    void checkTakeover(KafkaWriter writer, Exception failure) {
        new TakeoverCheck(tail, writer, failure, this).begin();
    }

    /** Has something done by this object's thread; false when the transport is closed, and with it the writer. */
    boolean after(long millis, Runnable task) {
        ScheduledThreadPoolExecutor worker;
        synchronized (this) {
            worker = thread;
        }
        if (worker == null) {
            return false;
        }
        try {
            worker.schedule(task, millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** What could not be read now is read later. */
    void later(Runnable task) {
        after(RETRY_MILLIS, task);
    }

    private void askForEnds() {
        watched.removeIf(writer -> writer.isOver() || writer.hasFailed());
        if (watched.isEmpty() || isAsking) {
            return;
        }
        Map<TopicPartition, OffsetSpec> asked = watched.stream()
                .map(KafkaWriter::partition)
                .distinct()
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        try {
            isAsking = true;
            ListOffsetsResult answers = cluster.begin(
                    admin -> admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)));
            watched.forEach(
                    writer -> { // a topic that is gone is asked for again for a while; the others need not wait
                        if (asked.containsKey(writer.partition())) {
                            answers.partitionResult(writer.partition())
                                    .whenComplete((end, failure) -> take(writer, end));
                        }
                    });
            answers.all().whenComplete((ends, failure) -> isAsking = false);
        } catch (KafkaException | IllegalStateException notNow) {
            isAsking = false;
        }
    }

    private void take(KafkaWriter writer, ListOffsetsResult.ListOffsetsResultInfo end) {
        if (end != null && writer.stored().endsAt(end.offset())) {
            check(writer);
        }
    }

    @Override
    public void close() {
        ScheduledThreadPoolExecutor worker;
        synchronized (this) {
            isClosed = true;
            worker = thread;
            thread = null;
        }
        if (worker != null) {
            worker.shutdownNow();
            boolean wasInterrupted = Thread.interrupted();
            try {
                wasInterrupted |= !worker.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS) && Thread.interrupted();
            } catch (InterruptedException interrupted) {
                wasInterrupted = true;
            }
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        tail.close();
    }
}
