package dev.baton.kafka.write;

import dev.baton.kafka.KafkaOptions;
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
import org.apache.kafka.common.TopicPartition;

/**
 * The monitor that ends a transport's writers when newer ones of other processes have replaced them.
 *
 * <p>For a writer that writes, the offsets of its acknowledgements show that records lie between its frames. For one
 * that does not, the ends of all writers' topics are requested at an interval. Either way the records in question are
 * read, and the writer fails if a newer one has begun among them.
 *
 * <p>Calls that may block run on the transport's {@link WatchThread}. Thread-safe.
 */
public final class FencingMonitor implements AutoCloseable {
    private static final long RETRY_MILLIS = 100;

    private final Cluster cluster;
    private final LogScanner scanner;
    private final WatchThread thread;
    private final long intervalNanos;
    private final Duration patience;
    private final Set<KafkaWriter> watched = ConcurrentHashMap.newKeySet();
    private final Set<TopicPartition> asking = ConcurrentHashMap.newKeySet(); // not answered yet
    private boolean isStarted; // guarded by this

    /** Creates a monitor that runs on a thread; the options limit for how long unreadable records are read again. */
    public FencingMonitor(Cluster cluster, LogScanner scanner, WatchThread thread, KafkaOptions options) {
        this.cluster = cluster;
        this.scanner = scanner;
        this.thread = thread;
        this.intervalNanos = options.get(KafkaOptions.RIVAL_INTERVAL).toNanos();
        this.patience = options.get(KafkaOptions.DELIVERY_TIMEOUT);
    }

    /** Watches a writer until it ends. */
    public synchronized void watch(KafkaWriter writer) {
        watched.add(writer);
        if (!isStarted) {
            isStarted = true;
            thread.every(intervalNanos, this::askForEnds);
        }
    }

    /** Has the unclear records of a writer read. Any thread. */
    void check(KafkaWriter writer) {
        after(0, new GapCheck(scanner, writer, this, patience));
    }

    /** Has it checked whether a writer failed because a newer one takes over. Any thread. */
    void checkTakeover(KafkaWriter writer, Exception failure) {
        new TakeoverCheck(scanner, writer, failure, this).begin();
    }

    /** Runs a task on the transport's thread; returns false when the transport is closed, and with it the writer. */
    boolean after(long millis, Runnable task) {
        return thread.after(millis, task);
    }

    /** Runs a task again after a pause, as its records could not be read. */
    void later(Runnable task) {
        after(RETRY_MILLIS, task);
    }

    private void askForEnds() {
        watched.removeIf(writer -> writer.isOver() || writer.hasFailed());
        Map<TopicPartition, OffsetSpec> asked = watched.stream()
                .map(KafkaWriter::partition)
                .distinct()
                .filter(partition -> !asking.contains(partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        if (asked.isEmpty()) {
            return;
        }
        asking.addAll(asked.keySet());
        try {
            ListOffsetsResult answers = cluster.begin(
                    admin -> admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)));
            watched.forEach(
                    writer -> { // the request for a deleted topic is repeated for a while; the others need not wait
                        if (asked.containsKey(writer.partition())) {
                            answers.partitionResult(writer.partition())
                                    .whenComplete((end, failure) -> take(writer, end));
                        }
                    });
            asked.keySet()
                    .forEach(partition -> answers.partitionResult(partition)
                            .whenComplete((end, failure) -> asking.remove(partition)));
        } catch (RuntimeException notNow) { // thrown on, it would end the task for good
            asking.removeAll(asked.keySet());
        }
    }

    private void take(KafkaWriter writer, ListOffsetsResult.ListOffsetsResultInfo end) {
        if (end != null && writer.stored().endsAt(end.offset())) {
            writer.checkGap();
        }
    }

    @Override
    public void close() {
        scanner.close();
    }
}
