package dev.baton.kafka;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** What all consumers have stored for a topic, as far as their groups may be seen. Thread-safe. */
final class ConsumerGroups {
    private final Cluster cluster;
    private final String groupPrefix;

    ConsumerGroups(Cluster cluster, KafkaOptions options) {
        this.cluster = cluster;
        this.groupPrefix = options.read().groupPrefix();
    }

    /** The positions by the consumers' names, within the deadline. */
    Map<String, StoredPosition> positions(TopicPartition partition, Uuid topicId, Deadline deadline) {
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
        Map<String, StoredPosition> positions = new TreeMap<>();
        if (groups.isEmpty()) {
            return positions;
        }
        ListConsumerGroupOffsetsResult answers = cluster.begin(admin -> admin.listConsumerGroupOffsets(groups));
        for (String group : groups.keySet()) {
            String consumer = group.substring(groupPrefix.length());
            StoredPosition stored = StoredPosition.fromKafka(
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
