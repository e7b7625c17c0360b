package dev.baton.kafka.connectors;

import dev.baton.ConfigurationException;
import dev.baton.spi.errors.TransportException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Fetches one partition of a plain topic ahead of a chain, a few batches, and commits offsets that the chain has stored. It checks from
 * time to time that the topic was not replaced. {@link #poll} and {@link #stored} belong to the loop and pass values to the thread in
 * volatile fields.
 */
final class FetchThread {
    /** No offset is known: the source's policy decides. */
    static final long BY_POLICY = -1;

    private static final String OF_TOPIC = "topic ";
    private static final String BEHIND = " behind ";
    private static final int BATCHES = 2;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long COMMIT_NANOS = 1_000_000_000L;
    private static final long LOOK_NANOS = 5_000_000_000L;
    private static final long DOUBT_NANOS = 1_000_000_000L; // until every broker has learned of a new topic
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final System.Logger LOG = System.getLogger("dev.baton.kafka.connectors");

    private final KafkaSource source;
    private final TopicAdmin admin;
    private final TopicAdmin.Description found;
    private final TopicPartition place;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final BlockingQueue<List<ConsumerRecord<byte[], byte[]>>> batches = new ArrayBlockingQueue<>(BATCHES);
    private final Thread thread;
    private volatile long storedOffset = -1;
    private volatile boolean isClosing;
    private volatile boolean isGivenUp; // the close does not wait any longer
    private volatile long learnedNanos = System.nanoTime(); // when the consumer's metadata was last updated
    private volatile Throwable failure;

    private long fetched = -1; // offset of the newest record; of the thread once that runs, as the following fields
    private long behind; // offset behind it, and behind the markers of transactions that follow
    private long committed = -1;
    private long asked = -1; // offset of the newest request for a commit; -1 when that has failed
    private long committedNanos;
    private long triedNanos; // when the last look began
    private long lookedNanos; // when the last look began that was answered
    private boolean hasWarned;

    private FetchThread(
            KafkaSource source, TopicAdmin admin, TopicAdmin.Description found, TopicPartition place, String group) {
        this.source = source;
        this.admin = admin;
        this.found = found;
        this.place = place;
        Map<String, Object> settings = new HashMap<>();
        settings.put("enable.metrics.push", "false");
        settings.putAll(source.topic().clientProperties());
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, source.topic().bootstrapServers());
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new MetadataUpdates());
        this.thread = new Thread(this::run, "baton-fetch-" + place);
        thread.setDaemon(true);
    }

    /**
     * Begins to fetch. The thread owns the admin from now on, even when this throws.
     *
     * @param newest offset of the newest record that was stored before; negative for none
     * @param start offset to begin at, or {@link #BY_POLICY}
     */
    static FetchThread start(
            KafkaSource source,
            TopicAdmin admin,
            TopicAdmin.Description found,
            int partition,
            String group,
            long newest,
            long start) {
        FetchThread fetching = new FetchThread(
                source, admin, found, new TopicPartition(source.topic().name(), partition), group);
        fetching.storedOffset = newest;
        fetching.fetched = newest;
        fetching.behind = start;
        try {
            fetching.seek(start);
        } catch (RuntimeException failed) {
            fetching.consumer.close();
            throw failed;
        }
        fetching.thread.start();
        return fetching;
    }

    private void seek(long start) {
        consumer.assign(List.of(place));
        if (start != BY_POLICY) {
            consumer.seek(place, start);
        } else if (source.isFromNewest()) {
            consumer.seekToEnd(List.of(place));
            long beginning = consumer.position(place, CLOSE_LIMIT); // now, not when it is polled first
            try { // or a start before the first message would skip what is written until then
                consumer.commitSync(
                        Map.of(place, new OffsetAndMetadata(beginning, behindRecord(found.id(), beginning - 1))),
                        CLOSE_LIMIT);
            } catch (KafkaException failed) {
                LOG.log(Level.WARNING, source.topic() + ": beginning " + beginning + " was not committed: " + failed);
            }
        } else {
            consumer.seekToBeginning(List.of(place));
        }
    }

    /**
     * Returns the next batch; null when there is none. Throws the failure that has stopped the thread after everything before it was taken.
     */
    List<ConsumerRecord<byte[], byte[]>> poll() {
        List<ConsumerRecord<byte[], byte[]>> batch = batches.poll();
        if (batch == null && failure != null && batches.isEmpty()) {
            String text = source.topic() + ": " + failure.getMessage();
            throw failure instanceof ConfigurationException
                    ? new ConfigurationException(text, failure)
                    : new TransportException(text, failure);
        }
        return batch;
    }

    /** Declares everything that follows from the records up to this offset stored. */
    void stored(long offset) {
        storedOffset = offset;
    }

    private void run() {
        try {
            triedNanos = System.nanoTime();
            lookedNanos = triedNanos;
            committedNanos = triedNanos;
            turnUntilClosed();
            commit(true);
        } catch (InterruptedException | RuntimeException | Error stopped) {
            failure = stopped;
        } finally {
            consumer.close();
            admin.close();
        }
    }

    private void turnUntilClosed() throws InterruptedException {
        try {
            while (!isClosing) {
                turn();
            }
        } catch (WakeupException closing) {
            // the close ends a poll
        }
    }

    private void turn() throws InterruptedException {
        List<ConsumerRecord<byte[], byte[]>> batch = fetch();
        // the consumer reads a new topic of the name only when an update of its metadata has named that
        boolean isInDoubt = !batch.isEmpty() && lookedNanos - learnedNanos < DOUBT_NANOS;
        while (isInDoubt && !isClosing && !look()) {
            TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
        }
        while (!batch.isEmpty() && !isClosing && !batches.offer(batch, POLL.toMillis(), TimeUnit.MILLISECONDS)) {
            commit(false);
        }
        commit(false);
        if (System.nanoTime() - triedNanos > LOOK_NANOS) {
            look();
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> fetch() {
        try {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            List<ConsumerRecord<byte[], byte[]>> batch = polled.records(place);
            if (!batch.isEmpty()) {
                fetched = batch.get(batch.size() - 1).offset();
            }
            OffsetAndMetadata next = polled.nextOffsets().get(place);
            behind = next == null ? behind : next.offset();
            return batch;
        } catch (OffsetOutOfRangeException lost) {
            look(); // a new topic of the name may be shorter
            long wanted = lost.offsetOutOfRangePartitions().get(place);
            long first = consumer.beginningOffsets(List.of(place)).get(place);
            String what = "offset " + wanted + " of partition " + place.partition()
                    + " is wanted, and the partition begins at " + first;
            if (!source.isSkippingLost()) {
                throw new ConfigurationException( // a restart would find them lost again
                        what
                                + ": Kafka has deleted records that were not read, or the partition was cut off; go on with"
                                + " KafkaSource.skippingLost()",
                        lost);
            }
            LOG.log(Level.WARNING, source.topic() + ": " + what + "; the records between are lost");
            consumer.seek(place, behindLoss(lost, wanted, first));
            return List.of();
        }
    }

    /** Returns where records begin that were not read: where the partition begins, or, if it was cut off, at the cut. */
    private long behindLoss(OffsetOutOfRangeException lost, long wanted, long first) {
        OffsetAndMetadata cut = lost instanceof LogTruncationException found
                ? found.divergentOffsets().get(place)
                : null;
        long end = cut == null ? consumer.endOffsets(List.of(place)).get(place) : cut.offset();
        return Math.max(first, Math.min(wanted, end));
    }

    /**
     * Checks whether the topic was deleted, or has more partitions; a consumer does not report either. Returns false if no broker
     * answers.
     */
    private boolean look() {
        triedNanos = System.nanoTime();
        TopicAdmin.Description now;
        try {
            now = admin.describe();
        } catch (TransportException unknown) {
            if (unknown.getCause() instanceof org.apache.kafka.common.errors.UnknownTopicOrPartitionException) {
                throw new TransportException("the topic was deleted while it was read", unknown);
            }
            return false; // the next check decides
        }
        if (!now.id().equals(found.id())) {
            throw new TransportException(
                    "the topic was deleted and created again while it was read; start the chain again");
        }
        if (now.partitions() != found.partitions() && !hasWarned) {
            hasWarned = true;
            LOG.log(
                    Level.WARNING,
                    source.topic() + " has " + now.partitions() + " partitions now, and the chain reads "
                            + found.partitions() + " of them");
        }
        lookedNanos = triedNanos;
        return true;
    }

    private void commit(boolean isLast) {
        long stored = storedOffset;
        // behind the markers: retention would seem to remove a record that was not read
        long next = stored == fetched ? behind : stored + 1;
        if (stored < 0 || next == (isLast ? committed : asked)) {
            return;
        }
        if (!isLast && System.nanoTime() - committedNanos < COMMIT_NANOS) {
            return;
        }
        committedNanos = System.nanoTime();
        Map<TopicPartition, OffsetAndMetadata> offsets =
                Map.of(place, new OffsetAndMetadata(next, behindRecord(found.id(), stored)));
        try {
            if (isLast) {
                commitLast(offsets);
            } else {
                asked = next;
                consumer.commitAsync(offsets, (what, failed) -> answered(next, failed));
            }
        } catch (RuntimeException failed) { // the chain's own topic has the position as well
            LOG.log(Level.WARNING, source.topic() + ": offset " + next + " was not committed: " + failed);
        }
    }

    /** Returns where to continue behind a stored record: where a commit has continued behind the same one, or right behind it. */
    static long next(Uuid topic, long newest, OffsetAndMetadata committed) {
        return committed != null && committed.metadata().equals(behindRecord(topic, newest))
                ? committed.offset()
                : newest + 1;
    }

    /**
     * Returns the offset to begin at for a chain whose topics are new. A commit that names a former topic of the name does not
     * count: a thread that did not know yet that its topic was replaced has made it. One of another program names none.
     */
    static long first(Uuid topic, OffsetAndMetadata committed) {
        boolean isOfFormer = committed != null
                && committed.metadata().startsWith(OF_TOPIC)
                && !committed.metadata().startsWith(OF_TOPIC + topic + BEHIND);
        return committed == null || isOfFormer ? BY_POLICY : committed.offset();
    }

    /** Returns the metadata of an offset between which and this record of a topic there are only markers of transactions. */
    private static String behindRecord(Uuid topic, long offset) {
        return OF_TOPIC + topic + BEHIND + offset;
    }

    /** Takes the answer to a commit, within a poll. One that has failed is repeated. */
    private void answered(long offset, Exception failed) {
        if (failed == null) {
            committed = Math.max(committed, offset);
        } else {
            asked = -1;
        }
    }

    /** Commits, also when the wake-up that was to end a poll comes only now. */
    private void commitLast(Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            consumer.commitSync(offsets, CLOSE_LIMIT);
        } catch (WakeupException late) {
            if (isGivenUp) {
                throw late;
            }
            consumer.commitSync(offsets, CLOSE_LIMIT);
        }
    }

    /** Commits stored offsets and releases the consumer. Blocks for some seconds at most. */
    void close() {
        isClosing = true;
        batches.clear(); // an offer that waits for room ends
        consumer.wakeup();
        boolean isInterrupted = false;
        try {
            thread.join(CLOSE_LIMIT.multipliedBy(2).toMillis());
        } catch (InterruptedException interrupted) {
            isInterrupted = true;
        }
        if (thread.isAlive()) {
            isGivenUp = true;
            consumer.wakeup();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The deserializer of values, which Kafka notifies of each update of the consumer's metadata, in whatever thread. */
    private final class MetadataUpdates extends ByteArrayDeserializer implements ClusterResourceListener {
        @Override
        public void onUpdate(ClusterResource cluster) {
            learnedNanos = System.nanoTime();
        }
    }
}
