package dev.baton.kafka;

import dev.baton.spi.TransportException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates, lists, describes and deletes topics. Thread-safe. */
final class Topics {
    /** The one partition of every topic. */
    static final int PARTITION = 0;

    private static final int MOST_REPLICAS_BY_DEFAULT = 3;

    private final Cluster cluster;
    private final KafkaOptions options;
    private final Map<String, String> topicSettings;

    Topics(Cluster cluster, KafkaOptions options, ClientSettings settings) {
        this.cluster = cluster;
        this.options = options;
        this.topicSettings = settings.topic();
    }

    static TopicPartition partitionOf(String topic) {
        return new TopicPartition(topic, PARTITION);
    }

    /** Creates what is missing in one request and waits until it can be written to. */
    void create(Collection<String> names) {
        TopicNames.check(names);
        if (names.isEmpty()) {
            return;
        }
        Deadline deadline = cluster.deadline();
        short replicas = replicas(deadline);
        List<NewTopic> topics = names.stream()
                .distinct()
                .map(name -> new NewTopic(name, Optional.of(1), Optional.of(replicas)).configs(topicSettings))
                .toList();
        Map<String, KafkaFuture<Void>> created =
                cluster.begin(admin -> admin.createTopics(topics).values());
        created.forEach((name, future) -> {
            try {
                cluster.answer("create topic '" + name + "'", deadline, future);
            } catch (TransportException failure) {
                if (!(failure.getCause() instanceof TopicExistsException)) {
                    throw failure;
                }
            }
        });
        awaitLeaders(created.keySet(), deadline);
    }

    Set<String> list() {
        return list(cluster.deadline());
    }

    /** Deletes what is there and waits until it is gone. */
    void delete(Collection<String> names) {
        Deadline deadline = cluster.deadline();
        Set<String> existing = new HashSet<>(list(deadline));
        existing.retainAll(names);
        if (existing.isEmpty()) {
            return;
        }
        cluster.begin(admin -> admin.deleteTopics(existing).topicNameValues()).forEach((name, future) -> {
            try {
                cluster.answer("delete topic '" + name + "'", deadline, future);
            } catch (TransportException failure) {
                if (!(failure.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw failure;
                }
            }
        });
        for (Set<String> left = existing; !left.isEmpty(); left.retainAll(list(deadline))) {
            if (deadline.isOver()) {
                throw new TransportException("topics " + left + " were deleted, but are still listed after "
                        + deadline.limit().toMillis() + " ms");
            }
            Deadline.pause();
        }
    }

    /**
     * The identity of a topic that can be written to and read; another one when it was deleted and created again.
     *
     * @throws TransportException when it does not exist or has several partitions
     */
    Uuid require(String topic, Deadline deadline) {
        return require(topic, cluster.begin(admin -> describe(admin, topic)), deadline);
    }

    /** As {@link #require}, with the description asked for before. */
    Uuid require(String topic, KafkaFuture<TopicDescription> description, Deadline deadline) {
        TopicDescription found;
        try {
            found = cluster.answer("open topic '" + topic + "'", deadline, description);
        } catch (TransportException failure) {
            if (failure.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new TransportException(
                        "topic '" + topic + "' does not exist on " + options.bootstrapServers(), failure.getCause());
            }
            throw failure;
        }
        if (found.partitions().size() != 1) {
            throw new TransportException("topic '" + topic + "' has "
                    + found.partitions().size() + " partitions; a topic of Baton is one ordered log and has one");
        }
        return found.topicId();
    }

    private Set<String> list(Deadline deadline) {
        return cluster.ask("list topics", deadline, admin -> admin.listTopics().names());
    }

    private short replicas(Deadline deadline) {
        if (options.replication() > 0) {
            return (short) options.replication();
        }
        int brokers = cluster.ask(
                        "count brokers",
                        deadline,
                        admin -> admin.describeCluster().nodes())
                .size();
        return (short) Math.min(MOST_REPLICAS_BY_DEFAULT, brokers);
    }

    /** What was created is known to the controller; the broker that a client asks next may hear of it a little later. */
    private void awaitLeaders(Set<String> names, Deadline deadline) {
        Set<String> missing = new HashSet<>(names);
        while (true) {
            cluster.begin(admin -> admin.describeTopics(missing).topicNameValues())
                    .forEach((name, future) -> {
                        if (hasLeader(name, future, deadline)) {
                            missing.remove(name);
                        }
                    });
            if (missing.isEmpty()) {
                return;
            }
            if (deadline.isOver()) {
                throw new TransportException("topics " + missing + " were created, but have no leader after "
                        + deadline.limit().toMillis() + " ms");
            }
            Deadline.pause();
        }
    }

    private boolean hasLeader(String name, KafkaFuture<TopicDescription> future, Deadline deadline) {
        try {
            return cluster.answer("describe topic '" + name + "'", deadline, future).partitions().stream()
                    .allMatch(partition -> partition.leader() != null);
        } catch (TransportException failure) {
            if (failure.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw failure;
        }
    }

    static KafkaFuture<TopicDescription> describe(Admin admin, String topic) {
        return admin.describeTopics(List.of(topic)).topicNameValues().get(topic);
    }
}
