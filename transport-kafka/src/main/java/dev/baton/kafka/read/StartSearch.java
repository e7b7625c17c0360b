package dev.baton.kafka.read;

import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.Permission;
import dev.baton.kafka.log.LogScanner;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.kafka.topics.CommittedPosition;
import dev.baton.kafka.topics.ConsumerGroups;
import dev.baton.kafka.topics.ReaderClaim;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.kafka.topics.Topics;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The search for the position at which a consumer starts: after what it acknowledged, at the oldest frame when it is
 * new, or at a given start position.
 *
 * <p>It takes the topic's identity, its two ends and the group's position. All four are requested at once, since each
 * takes a round trip or two and a loop opens hundreds of readers. Used once, by the thread that prepares an opening,
 * which it blocks within the options' timeout.
 */
public final class StartSearch {
    private static final Duration DECISION_LIMIT = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final Topics topics;
    private final LogScanner scanner;
    private final String topic;
    private final TopicPartition partition;
    private final String consumer;
    private final ConsumerGroups groups;
    private final String group;
    private final Deadline deadline;
    private final StartPosition from;

    public StartSearch(
            Cluster cluster,
            Topics topics,
            LogScanner scanner,
            ConsumerGroups groups,
            String topic,
            String consumer,
            StartPosition from) {
        this.from = from;
        this.cluster = cluster;
        this.topics = topics;
        this.scanner = scanner;
        this.topic = topic;
        this.partition = TopicNames.partitionOf(topic);
        this.consumer = consumer;
        this.groups = groups;
        this.group = groups.groupOf(consumer);
        this.deadline = cluster.deadline();
    }

    /** Finds the place; blocks. */
    public ReaderStart run() {
        KafkaFuture<TopicDescription> description = cluster.begin(admin -> Topics.describe(admin, topic));
        KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> position = groups.find(group, partition);
        KafkaFuture<ListOffsetsResultInfo> oldest = scanner.find(partition, OffsetSpec.earliest());
        KafkaFuture<ListOffsetsResultInfo> end = scanner.find(partition, OffsetSpec.latest());
        Uuid topicId = topics.require(topic, AclOperation.READ, description, deadline);
        CommittedPosition stored = CommittedPosition.fromKafka(
                answer(
                                "read the positions of '" + consumer + "'",
                                Permission.onGroup(AclOperation.DESCRIBE, group),
                                position)
                        .get(partition),
                topicId);
        Permission describing = Permission.onTopic(AclOperation.DESCRIBE, partition.topic());
        long first = answer("find the ends of topic '" + topic + "'", describing, oldest)
                .offset();
        long next = answer("find the ends of topic '" + topic + "'", describing, end)
                .offset();
        if (!from.isStored()) {
            next = decidedEnd(next);
            return new FrameSearch(
                            cluster,
                            scanner,
                            topic,
                            topicId,
                            first,
                            next,
                            stored == null ? ReaderClaim.NONE : stored.reader())
                    .find(from);
        }
        if (stored == null) {
            return first == 0
                    ? new ReaderStart(new CommittedPosition(topicId, 0, 0, 0, ReaderClaim.NONE), null)
                    : from(
                            topicId,
                            first,
                            next,
                            ReaderClaim.NONE,
                            scanner.ownerBefore(partition, first, next, deadline));
        }
        if (stored.nextOffset() > next) {
            throw new TransportException("topic '" + topic + "': consumer '" + consumer
                    + "' had read up to offset " + stored.nextOffset() + ", but the topic ends at " + next
                    + "; the brokers have lost frames");
        }
        requireSameWriter(stored, first);
        if (stored.nextOffset() < first) {
            Incarnation before = scanner.ownerBefore(partition, first, next, deadline);
            ReaderStart left = from(topicId, first, next, stored.reader(), before == null ? ownerOf(stored) : before);
            long last = left.position().sequence() == TopicReader.UNKNOWN
                    ? groups.sequenceBefore(partition, first, topicId, deadline)
                    : left.position().sequence();
            if (stored.sequence() == TopicReader.UNKNOWN || stored.sequence() != last) {
                throw removedUnread(stored.nextOffset(), first);
            }
            return new ReaderStart( // only markers were between
                    new CommittedPosition(topicId, first, last, left.position().owner(), stored.reader()),
                    left.owner());
        }
        return new ReaderStart(stored, ownerOf(stored));
    }

    /**
     * Checks that the log still has the writer whose frames the consumer read last: brokers may have lost frames, and
     * others have taken their offsets and sequences since.
     */
    private void requireSameWriter(CommittedPosition stored, long first) {
        if (stored.owner() != 0 && !scanner.hasBegun(partition, stored.owner(), stored.nextOffset(), first, deadline)) {
            throw new TransportException("topic '" + topic + "': consumer '" + consumer
                    + "' had read up to offset " + stored.nextOffset() + ", and the writer of what it had read is no"
                    + " longer at offset " + WriterMarker.offsetOf(stored.owner())
                    + "; the brokers have lost frames, and others have taken their place. To handle all that is left: "
                    + resetToEarliest());
        }
    }

    private String resetToEarliest() {
        return "kafka-consumer-groups --group " + group + " --topic " + partition.topic()
                + " --reset-offsets --to-earliest --execute";
    }

    /**
     * Returns the end of the topic once the transactions that are open now are decided: a commit is confirmed to its
     * producer before its marker lets readers see the frames. After 2 s, as for a producer that was killed, returns the
     * present end.
     */
    private long decidedEnd(long readable) {
        long end = scanner.endWithUndecided(partition, deadline);
        Deadline decided = Deadline.in(DECISION_LIMIT);
        long next = readable;
        while (next < end && !decided.isOver()) {
            Deadline.pause();
            next = scanner.offset(partition, OffsetSpec.latest(), deadline);
        }
        return next;
    }

    /** Returns the place before the oldest frame that is left, which is not before {@code first}. */
    private ReaderStart from(Uuid topicId, long first, long next, ReaderClaim reader, Incarnation owner) {
        long oldestLeft = scanner.oldestSequence(partition, first, next, owner, deadline);
        long removed = oldestLeft == TopicReader.UNKNOWN ? TopicReader.UNKNOWN : oldestLeft - 1;
        return new ReaderStart(
                new CommittedPosition(topicId, first, removed, owner == null ? 0 : owner.id(), reader), owner);
    }

    private Incarnation ownerOf(CommittedPosition stored) {
        return scanner.incarnationOrUnknown(partition, stored.owner(), deadline);
    }

    private TransportException removedUnread(long wanted, long first) {
        return new TransportException("topic '" + partition.topic() + "': consumer '" + consumer
                + "' continues at offset " + wanted + ", but the oldest frame left is at " + first
                + ": the topic's retention"
                + " removed " + (first - wanted)
                + " unread. Keep them longer (topic.retention.ms, topic.retention.bytes);"
                + " to continue without them: " + resetToEarliest());
    }

    private <T> T answer(String what, Permission needed, KafkaFuture<T> future) {
        return cluster.answer(what, needed, deadline, future);
    }
}
