package dev.baton.kafka.write;

import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.Permission;
import dev.baton.kafka.topics.CommittedPosition;
import dev.baton.kafka.topics.ConsumerGroups;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.kafka.topics.Topics;
import dev.baton.kafka.topics.WatchThread;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.AlterConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * The records of the ends of topics: for each topic the newest sequence that was confirmed to its writer. A log that is
 * shorter than its record has lost frames, and is refused when its next writer is opened.
 *
 * <p>A log cannot vouch for its own end: at its start a broker cuts off a damaged batch with all that follows, and a
 * replica that was behind may become the leader. So the records are offsets of a consumer group of their own, in
 * Kafka's own log of offsets: the offset behind the newest frame, with {@code topicId:sequence} for its metadata. A
 * record with another topic id belongs to a former topic of the name, and does not count. Retention removes frames at
 * the start of a log and leaves its end, so it does not matter here.
 *
 * <p>The {@link WatchThread} stores new ends once a second, those of all writers of a transport in one request, and a
 * connection that closes stores what is due. So a record lags by about a second of messages when the process is killed.
 * Brokers forget offsets that are not stored for {@code offsets.retention.minutes}; those of open writers are stored
 * again once a day. Thread-safe.
 */
public final class RecordedEnds {
    /**
     * An end of a topic.
     *
     * @param sequence of the newest frame that was confirmed; 0 for none
     * @param nextOffset at which the log ends or continues
     */
    public record End(long sequence, long nextOffset) {
        static final End NONE = new End(0, 0);

        private static End of(OffsetAndMetadata stored, Uuid topicId) {
            CommittedPosition end = CommittedPosition.endFromKafka(stored, topicId);
            return end == null ? NONE : new End(end.sequence(), end.nextOffset());
        }

        private OffsetAndMetadata forKafka(Uuid topicId) {
            return new OffsetAndMetadata(nextOffset, topicId + SEPARATOR + sequence);
        }

        /** Returns whether a log with this newest frame and this end has lost what was confirmed. */
        public boolean isBehind(long newestSequence, long endOffset) {
            return newestSequence < sequence || endOffset < nextOffset;
        }

        /** Returns whether a record is that of another topic of the name. */
        private static boolean isOfAnother(OffsetAndMetadata stored, Uuid topicId) {
            return stored != null && !stored.metadata().startsWith(topicId + SEPARATOR);
        }
    }

    private static final class Watched {
        private final KafkaWriter writer;
        private volatile long recorded; // sequence, 0 for none yet: each writer records the end that it has found
        private volatile long recordedNanos = System.nanoTime();

        Watched(KafkaWriter writer) {
            this.writer = writer;
        }

        boolean isDue() {
            long confirmed = writer.storedSequence();
            return confirmed != recorded || confirmed > 0 && System.nanoTime() - recordedNanos > REFRESH_NANOS;
        }
    }

    private static final String SEPARATOR = ":";
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long REFRESH_NANOS = TimeUnit.DAYS.toNanos(1);

    private final Cluster cluster;
    private final Topics topics;
    private final ConsumerGroups groups;
    private final WatchThread thread;
    private final String group;
    private final Map<TopicPartition, Watched> watched = new ConcurrentHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private boolean isStarted; // guarded by this
    private volatile boolean isReported; // that records are not stored

    public RecordedEnds(Cluster cluster, Topics topics, ConsumerGroups groups, WatchThread thread) {
        this.cluster = cluster;
        this.topics = topics;
        this.groups = groups;
        this.thread = thread;
        this.group = groups.groupOfEnds();
    }

    /** Asks for the record of a topic. */
    public KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> find(TopicPartition partition) {
        return groups.find(group, partition);
    }

    /** Returns the end that was confirmed: the one recorded, or a later one of this transport that is not yet recorded. */
    public End confirmed(
            TopicPartition partition,
            Uuid topicId,
            KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> found,
            Deadline deadline) {
        Permission needed = Permission.onGroup(AclOperation.DESCRIBE, group);
        String what = "read the recorded end of topic '" + partition.topic() + "'";
        End stored = End.of(cluster.answer(what, needed, deadline, found).get(partition), topicId);
        Watched own = watched.get(partition);
        boolean isNewer = own != null
                && own.writer.topicId().equals(topicId)
                && own.recorded < own.writer.storedSequence()
                && stored.sequence() < own.writer.storedSequence();
        return isNewer ? own.writer.confirmedEnd() : stored;
    }

    /** Returns the end that was confirmed, for a user who may not describe the group the empty one. May block. */
    public End confirmed(TopicPartition partition, Uuid topicId, Deadline deadline) {
        try {
            return confirmed(partition, topicId, find(partition), deadline);
        } catch (AccessRefusedException notAllowed) {
            return End.NONE;
        }
    }

    /** Records the ends of a writer from here on. */
    public void watch(KafkaWriter writer) {
        watched.put(writer.partition(), new Watched(writer));
        synchronized (this) {
            if (!isStarted) {
                isStarted = true;
                thread.every(INTERVAL_NANOS, this::tryStoreDue);
            }
        }
    }

    /** Records an end before the recorded one, as the loss of what is between them is accepted. May block. */
    public void accept(TopicPartition partition, Uuid topicId, End end, Deadline deadline) {
        try {
            cluster.answer(
                    "record the end of topic '" + partition.topic() + "'",
                    Permission.onGroup(AclOperation.READ, group),
                    deadline,
                    cluster.begin(
                            admin -> admin.alterConsumerGroupOffsets(group, Map.of(partition, end.forKafka(topicId)))
                                    .all()));
        } catch (AccessRefusedException notAllowed) {
            report(notAllowed.getMessage());
        }
    }

    /**
     * Describes the loss of a topic that is shorter than what was confirmed, with its likely cause. May block.
     *
     * @param newest sequence of the newest frame that is left
     * @param end offset at which the log ends
     */
    public DamagedTopicException loss(String topic, End confirmed, long newest, long end, Deadline deadline) {
        TopicPartition partition = TopicNames.partitionOf(topic);
        return new DamagedTopicException(
                "topic '" + topic + "' ends at sequence " + newest + " and offset " + end + ", but sequence "
                        + confirmed.sequence() + " before offset " + confirmed.nextOffset()
                        + " was reported as stored: frames were lost. " + cause(topic, deadline)
                        + "Restore the brokers' files, or delete the topic; to continue without the lost frames:"
                        + " kafka-consumer-groups --group " + group + " --topic " + partition.topic() + ":"
                        + partition.partition() + " --delete-offsets",
                true);
    }

    private String cause(String topic, Deadline deadline) {
        Topics.Replication found;
        try {
            found = topics.replication(topic, deadline);
        } catch (TransportException unknown) {
            return "";
        }
        if (found.replicas() == 1) {
            return "It has one replica: its broker cuts off a damaged batch, and all behind it, when it starts. ";
        }
        return "It has " + found.replicas() + " replicas, and "
                + (found.isUnclean()
                        ? "one that was behind may have become the leader (unclean.leader.election.enable=true). "
                        : "none of those in sync has the frames, as after a power failure of all brokers. ");
    }

    /** Stores what is due and waits for it. A record that cannot be stored is logged, as the frames are stored. */
    public void storeAll(Deadline deadline) {
        do {
            await(deadline); // of a turn that began before
        } while (!tryStoreDue() && !deadline.isOver());
        await(deadline);
        if (inFlight.get() > 0) {
            report("the brokers did not answer within " + deadline.limit().toMillis() + " ms");
        }
    }

    private void await(Deadline deadline) {
        while (inFlight.get() > 0 && !deadline.isOver()) {
            Deadline.pause();
        }
    }

    /** Begins to store what is due; false while an earlier request is in flight. */
    private boolean tryStoreDue() {
        if (!inFlight.compareAndSet(0, 1)) {
            return false;
        }
        Map<TopicPartition, Watched> due = new HashMap<>();
        watched.forEach((partition, each) -> {
            if (each.isDue() && !each.writer.endsAlone()) {
                due.put(partition, each);
            } else if (each.writer.hasEnded()) {
                watched.remove(partition, each);
            }
        });
        if (due.isEmpty()) {
            inFlight.decrementAndGet();
            return true;
        }
        try {
            ListConsumerGroupOffsetsSpec spec = new ListConsumerGroupOffsetsSpec().topicPartitions(due.keySet());
            cluster.begin(admin ->
                            admin.listConsumerGroupOffsets(Map.of(group, spec)).partitionsToOffsetAndMetadata(group))
                    .whenComplete((stored, failure) -> store(due, stored, failure));
        } catch (KafkaException | IllegalStateException | TransportException notNow) {
            inFlight.decrementAndGet(); // the next turn repeats it
        }
        return true;
    }

    /**
     * Stores ends, but for those behind the stored ones: a newer writer has recorded these, and the one here has not noticed
     * it yet, as after a suspension of its process.
     */
    private void store(
            Map<TopicPartition, Watched> due, Map<TopicPartition, OffsetAndMetadata> stored, Throwable failure) {
        try {
            if (failure != null) {
                reportRefused(failure);
                return; // the next turn repeats it
            }
            Map<TopicPartition, Watched> same = new HashMap<>();
            due.forEach((partition, each) -> {
                End end = each.writer.confirmedEnd();
                OffsetAndMetadata record = stored.get(partition);
                if (End.isOfAnother(record, each.writer.topicId())) {
                    storeIfPresent(partition, each);
                } else if (!End.of(record, each.writer.topicId()).isBehind(end.sequence(), end.nextOffset())) {
                    same.put(partition, each);
                }
            });
            store(same);
        } catch (KafkaException | IllegalStateException | TransportException notNow) {
            // the next turn repeats it
        } finally {
            inFlight.decrementAndGet();
        }
    }

    /**
     * Stores an end in place of that of another topic of the name, if the writer's topic is the present one: a writer
     * of the former one may not have noticed yet that it was deleted.
     */
    private void storeIfPresent(TopicPartition partition, Watched each) {
        KafkaFuture<TopicDescription> present = cluster.begin(admin -> Topics.describe(admin, partition.topic()));
        inFlight.incrementAndGet();
        present.whenComplete((found, unknown) -> {
            try {
                if (found != null && found.topicId().equals(each.writer.topicId())) {
                    store(Map.of(partition, each));
                } else if (found != null && each.writer.hasEnded()) {
                    watched.remove(partition, each); // its topic is gone
                }
            } catch (KafkaException | IllegalStateException | TransportException notNow) {
                // the next turn repeats it
            } finally {
                inFlight.decrementAndGet();
            }
        });
    }

    private void store(Map<TopicPartition, Watched> due) {
        if (due.isEmpty()) {
            return;
        }
        Map<TopicPartition, End> ends = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        due.forEach((partition, each) -> {
            End end = each.writer.confirmedEnd();
            ends.put(partition, end);
            offsets.put(partition, end.forKafka(each.writer.topicId()));
        });
        AlterConsumerGroupOffsetsResult answers =
                cluster.begin(admin -> admin.alterConsumerGroupOffsets(group, offsets));
        inFlight.addAndGet(ends.size());
        ends.forEach((partition, end) ->
                answers.partitionResult(partition).whenComplete((nothing, refused) -> take(partition, end, refused)));
    }

    private void take(TopicPartition partition, End end, Throwable failure) {
        Watched each = watched.get(partition);
        if (failure == null && each != null) {
            each.recorded = end.sequence();
            each.recordedNanos = System.nanoTime();
        } else if (failure != null) {
            reportRefused(failure);
        }
        inFlight.decrementAndGet();
    }

    private void reportRefused(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof AuthorizationException) {
            report(cause.getMessage() + "; " + Permission.onGroup(AclOperation.READ, group) + " is needed");
        }
    }

    /** Logs once that ends are not recorded. */
    private void report(String why) {
        if (!isReported) {
            isReported = true;
            System.getLogger("dev.baton")
                    .log(
                            Level.WARNING,
                            "the ends of topics are not recorded in group ''{0}'', so that the loss of frames which the"
                                    + " brokers had stored is not noticed: {1}",
                            group,
                            why);
        }
    }
}
