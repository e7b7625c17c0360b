package dev.baton.kafka.topics;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.client.Deadline;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.TransportException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The positions that all consumers have stored for a topic, and the members of their groups, as far as the user may
 * describe these. Thread-safe.
 */
public final class ConsumerGroups {
    private static final Set<GroupState> WITH_MEMBERS = EnumSet.of(
            GroupState.PREPARING_REBALANCE,
            GroupState.COMPLETING_REBALANCE,
            GroupState.STABLE,
            GroupState.ASSIGNING,
            GroupState.RECONCILING);

    private final Cluster cluster;
    private final String groupPrefix;

    public ConsumerGroups(Cluster cluster, KafkaOptions options) {
        this.cluster = cluster;
        this.groupPrefix = options.get(KafkaOptions.GROUP_PREFIX);
    }

    /**
     * Throws when a member of some group, in whatever process, holds a partition of one of these topics. A group that
     * may not be seen, a reader that belongs to none and a writer give no such sign.
     *
     * @param names of Kafka's topics
     */
    void requireNoMembers(Set<String> names, Deadline deadline) {
        String[] found = new String[1];
        String member = memberOn(
                partition -> {
                    boolean isHeld = names.contains(partition.topic());
                    found[0] = isHeld ? partition.topic() : found[0];
                    return isHeld;
                },
                deadline);
        if (member != null) {
            throw new TransportException(
                    "topic '" + found[0] + "' is in use: " + member + " holds it; close that one first");
        }
    }

    /** Returns a member of some group that holds a partition, for errors; null for none that may be seen. */
    private String memberOn(Predicate<TopicPartition> partition, Deadline deadline) {
        List<String> groups = cluster
                .ask(
                        "list consumer groups",
                        deadline,
                        admin -> admin.listGroups(
                                        ListGroupsOptions.forConsumerGroups().inGroupStates(WITH_MEMBERS))
                                .valid())
                .stream()
                .map(GroupListing::groupId)
                .toList();
        Map<String, KafkaFuture<ConsumerGroupDescription>> described =
                cluster.begin(admin -> admin.describeConsumerGroups(groups).describedGroups());
        for (Map.Entry<String, KafkaFuture<ConsumerGroupDescription>> each : described.entrySet()) {
            ConsumerGroupDescription group = describedOrNull(each.getKey(), each.getValue(), deadline);
            if (group != null) {
                for (MemberDescription member : group.members()) {
                    if (member.assignment().topicPartitions().stream().anyMatch(partition)) {
                        return "member '" + member.groupInstanceId().orElse(member.clientId()) + "' of group '"
                                + each.getKey() + "'";
                    }
                }
            }
        }
        return null;
    }

    private ConsumerGroupDescription describedOrNull(
            String group, KafkaFuture<ConsumerGroupDescription> future, Deadline deadline) {
        try {
            return cluster.answer("describe consumer group '" + group + "'", deadline, future);
        } catch (AccessRefusedException notAllowed) {
            return null; // of another user
        } catch (TransportException failure) {
            if (failure.getCause() instanceof GroupIdNotFoundException) {
                return null; // removed since it was listed
            }
            throw failure;
        }
    }

    /** The group that keeps a consumer's positions. */
    public String groupOf(String consumer) {
        return groupPrefix + consumer;
    }

    /** Asks what a group has stored for a partition; the answer has null for it when nothing. */
    public KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> find(String group, TopicPartition partition) {
        ListConsumerGroupOffsetsSpec spec = new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(partition));
        return cluster.begin(
                admin -> admin.listConsumerGroupOffsets(Map.of(group, spec)).partitionsToOffsetAndMetadata(group));
    }

    /** The group that keeps the recorded ends of topics. */
    public String groupOfEnds() {
        return groupOf("@end");
    }

    /**
     * Returns the sequence of the newest frame before an offset from which on no frame is left, as a consumer that has
     * read to there, or the recorded end, knows it; {@link TopicReader#UNKNOWN} where none does. Within the deadline.
     */
    public long sequenceBefore(TopicPartition partition, long first, Uuid topicId, Deadline deadline) {
        Stream<CommittedPosition> known = Stream.concat(
                positions(partition, topicId, deadline).values().stream(),
                Stream.ofNullable(recordedEnd(partition, topicId, deadline)));
        return known.filter(position -> position.nextOffset() >= first && position.sequence() != TopicReader.UNKNOWN)
                .mapToLong(CommittedPosition::sequence)
                .max()
                .orElse(TopicReader.UNKNOWN);
    }

    private CommittedPosition recordedEnd(TopicPartition partition, Uuid topicId, Deadline deadline) {
        try {
            return CommittedPosition.endFromKafka(
                    cluster.answer(
                                    "read the recorded end of topic '" + partition.topic() + "'",
                                    deadline,
                                    find(groupOfEnds(), partition))
                            .get(partition),
                    topicId);
        } catch (AccessRefusedException notAllowed) {
            return null;
        }
    }

    /** The positions by the consumers' names, within the deadline. */
    public Map<String, CommittedPosition> positions(TopicPartition partition, Uuid topicId, Deadline deadline) {
        ListConsumerGroupOffsetsSpec spec = new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(partition));
        Map<String, ListConsumerGroupOffsetsSpec> groups =
                cluster
                        .ask(
                                "list consumer groups",
                                deadline,
                                admin -> admin.listGroups().valid())
                        .stream()
                        .map(GroupListing::groupId)
                        .filter(group -> group.startsWith(groupPrefix))
                        .collect(Collectors.toMap(Function.identity(), group -> spec));
        Map<String, CommittedPosition> positions = new TreeMap<>();
        if (groups.isEmpty()) {
            return positions;
        }
        ListConsumerGroupOffsetsResult answers = cluster.begin(admin -> admin.listConsumerGroupOffsets(groups));
        for (String group : groups.keySet()) {
            String consumer = group.substring(groupPrefix.length());
            CommittedPosition stored = CommittedPosition.fromKafka(
                    cluster.answer(
                                    "read the positions of '" + consumer + "'",
                                    deadline,
                                    answers.partitionsToOffsetAndMetadata(group))
                            .get(partition),
                    topicId);
            if (stored != null) {
                positions.put(consumer, stored);
            }
        }
        return positions;
    }
}
