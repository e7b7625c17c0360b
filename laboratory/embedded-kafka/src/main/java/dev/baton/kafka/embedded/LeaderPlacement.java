package dev.baton.kafka.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * The placement of new topics on the brokers of a cluster. Kafka draws the broker that leads a new topic. Topics with the same
 * leader share requests, so that a chain over them carries a multiple of the messages that others carry: measurements over
 * several brokers can be compared only with the same placement. Stateless, thread-safe.
 */
public final class LeaderPlacement {
    private static final long PAUSE_NANOS = 50_000_000;

    private LeaderPlacement() {}

    /**
     * Moves the leaders of all topics, in the order of their names, to one broker after the other. Waits until they lead. No
     * client may use the topics meanwhile.
     *
     * @param limit time that this may take
     * @throws EmbeddedKafkaException when a topic is not in its place within the limit, or the cluster refuses
     */
    public static void spread(String bootstrapServers, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Map<TopicPartition, List<Integer>> places = places(
                    answer(admin.describeCluster().nodes(), deadline),
                    describe(admin, answer(admin.listTopics().names(), deadline), deadline));
            answer(admin.alterPartitionReassignments(reassignments(places)).all(), deadline);
            List<TopicPartition> misplaced = misplaced(admin, places, deadline);
            while (!misplaced.isEmpty()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new EmbeddedKafkaException(
                            misplaced.size() + " of " + places.size() + " partitions, the first " + misplaced.get(0)
                                    + ", were not led by their broker within " + limit.toMillis()
                                    + " ms; start fewer chains or one broker");
                }
                // one that has not been moved yet keeps its leader, and is elected again
                answer(
                        admin.electLeaders(ElectionType.PREFERRED, Set.copyOf(misplaced))
                                .partitions(),
                        deadline);
                LockSupport.parkNanos(PAUSE_NANOS);
                misplaced = misplaced(admin, places, deadline);
            }
            // each leader answers only once it knows that it leads
            answer(
                    admin.listOffsets(places.keySet().stream()
                                    .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest())))
                            .all(),
                    deadline);
        }
    }

    /** Returns the brokers of each partition, the leader first. */
    private static Map<TopicPartition, List<Integer>> places(
            Collection<Node> nodes, Map<String, TopicDescription> topics) {
        List<Integer> brokers = nodes.stream().map(Node::id).sorted().toList();
        Map<TopicPartition, List<Integer>> places = new HashMap<>();
        new TreeMap<>(topics).forEach((topic, description) -> {
            for (TopicPartitionInfo partition : description.partitions()) {
                int first = places.size();
                places.put(
                        new TopicPartition(topic, partition.partition()),
                        IntStream.range(0, partition.replicas().size())
                                .mapToObj(i -> brokers.get((first + i) % brokers.size()))
                                .toList());
            }
        });
        return places;
    }

    private static Map<TopicPartition, Optional<NewPartitionReassignment>> reassignments(
            Map<TopicPartition, List<Integer>> places) {
        return places.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> Optional.of(new NewPartitionReassignment(each.getValue()))));
    }

    /** Returns the partitions that have not all copies in sync, or another leader. */
    private static List<TopicPartition> misplaced(
            Admin admin, Map<TopicPartition, List<Integer>> places, long deadline) {
        List<TopicPartition> misplaced = new ArrayList<>();
        List<String> topics =
                places.keySet().stream().map(TopicPartition::topic).distinct().toList();
        describe(admin, topics, deadline)
                .forEach((topic, description) -> description.partitions().forEach(each -> {
                    TopicPartition partition = new TopicPartition(topic, each.partition());
                    List<Integer> place = places.get(partition);
                    boolean isPlaced = each.leader() != null
                            && each.leader().id() == place.get(0)
                            && each.replicas().stream().map(Node::id).toList().equals(place)
                            && each.isr().size() == place.size();
                    if (!isPlaced) {
                        misplaced.add(partition);
                    }
                }));
        return misplaced;
    }

    private static Map<String, TopicDescription> describe(Admin admin, Collection<String> topics, long deadline) {
        return answer(admin.describeTopics(topics).allTopicNames(), deadline);
    }

    private static <T> T answer(KafkaFuture<T> future, long deadline) {
        try {
            return future.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new EmbeddedKafkaException("the cluster did not place its topics: " + failed, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EmbeddedKafkaException("interrupted while topics were placed", interrupted);
        }
    }
}
