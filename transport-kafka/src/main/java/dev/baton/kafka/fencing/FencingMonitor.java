package dev.baton.kafka.fencing;

import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.log.LogScanner;
import dev.baton.kafka.topics.WatchThread;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * <p>What may block is done by the transport's {@link WatchThread}. Thread-safe.
 */
public final class FencingMonitor implements AutoCloseable {
    private static final long RETRY_MILLIS = 100;

    private final Cluster cluster;
    private final LogScanner scanner;
    private final WatchThread thread;
    private final long intervalNanos;
    private final Set<FencedWriter> watched = ConcurrentHashMap.newKeySet();
    private boolean isStarted; // guarded by this
    private volatile boolean isAsking;

    public FencingMonitor(Cluster cluster, LogScanner scanner, WatchThread thread, Duration interval) {
        this.cluster = cluster;
        this.scanner = scanner;
        this.thread = thread;
        this.intervalNanos = interval.toNanos();
    }

    /** Tells a writer from here on until it is over. */
    public synchronized void watch(FencedWriter writer) {
        watched.add(writer);
        if (!isStarted) {
            isStarted = true;
            thread.every(intervalNanos, this::askForEnds);
        }
    }

    /** Has the records read that are unclear to a writer. Any thread. */
    public void check(FencedWriter writer, Duration patience) {
        after(0, new GapCheck(scanner, writer, this, patience));
    }

    /** Has it found out whether a writer has failed because a newer one takes over. Any thread. */
    public void checkTakeover(FencedWriter writer, Exception failure) {
        new TakeoverCheck(scanner, writer, failure, this).begin();
    }

    /** Has something done by the transport's thread; false when the transport is closed, and with it the writer. */
    boolean after(long millis, Runnable task) {
        return thread.after(millis, task);
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
                .map(FencedWriter::partition)
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

    private void take(FencedWriter writer, ListOffsetsResult.ListOffsetsResultInfo end) {
        if (end != null && writer.stored().endsAt(end.offset())) {
            writer.checkGap();
        }
    }

    @Override
    public void close() {
        scanner.close();
    }
}
