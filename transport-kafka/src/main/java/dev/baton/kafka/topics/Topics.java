package dev.baton.kafka.topics;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.client.Permission;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates, lists, describes and deletes topics. Thread-safe. */
public final class Topics {
    private static final int MOST_REPLICAS_BY_DEFAULT = 3;

    /** Copies without which nothing is stored, so that the loss of one broker never loses what was. */
    public static final int LEAST_COPIES = 2;

    private static final DescribeTopicsOptions WITH_PERMISSIONS =
            new DescribeTopicsOptions().includeAuthorizedOperations(true);

    private final Cluster cluster;
    private final KafkaOptions options;
    private final Map<String, String> topicSettings;
    private volatile int defaultReplicas; // of the topics created here; 0: none was

    public Topics(Cluster cluster, KafkaOptions options, ClientSettings settings) {
        this.cluster = cluster;
        this.options = options;
        this.topicSettings = settings.topic();
    }

    /** {@return the replicas of topics that are created here; 0 while the brokers that decide it were not counted} */
    public int replicas() {
        return options.get(KafkaOptions.REPLICATION) > 0 ? options.get(KafkaOptions.REPLICATION) : defaultReplicas;
    }

    /**
     * Creates what is missing in one request and waits until it can be written to; if that fails, what it has created
     * stays, as another process may have opened it, and the failure names it.
     *
     * @return the names of those that were created here
     */
    public Set<String> create(Collection<String> names) {
        TopicNames.check(names);
        if (names.isEmpty()) {
            return Set.of();
        }
        Deadline deadline = cluster.deadline();
        short replicas = replicas(deadline);
        Map<String, Integer> partitions = TopicNames.partitions(names);
        checkCounts(partitions, deadline);
        Set<String> created = new HashSet<>();
        try {
            create(partitions, replicas, created, deadline);
            awaitLeaders(partitions, deadline);
        } catch (RuntimeException failure) {
            if (!created.isEmpty()) {
                failure.addSuppressed(new TransportException("the topics " + String.join(", ", new TreeSet<>(created))
                        + " were created, and stay: another process may use them already"));
            }
            throw failure;
        }
        return created.stream()
                .flatMap(topic -> TopicNames.of(topic, partitions.get(topic)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Creates topics in one request.
     *
     * @param created receives those that did not exist, also if it fails for others
     */
    private void create(Map<String, Integer> partitions, short replicas, Set<String> created, Deadline deadline) {
        List<NewTopic> topics = partitions.entrySet().stream()
                .map(each -> new NewTopic(each.getKey(), Optional.of(each.getValue()), Optional.of(replicas))
                        .configs(settingsFor(replicas)))
                .toList();
        Map<String, KafkaFuture<Void>> answers =
                cluster.begin(admin -> admin.createTopics(topics).values());
        TransportException[] first = new TransportException[1];
        answers.forEach((name, future) -> {
            try {
                cluster.answer("create topic '" + name + "'", create(name), deadline, future);
                created.add(name);
            } catch (TransportException failure) {
                boolean isThere =
                        failure.getCause() instanceof TopicExistsException || isThere(name, failure, deadline);
                if (!isThere && first[0] == null) {
                    first[0] = refusal(failure);
                }
            }
        });
        if (first[0] != null) {
            throw first[0];
        }
    }

    /**
     * Returns the exception for a refused name: those that differ in '.' and '_' alone are refused at every attempt.
     */
    private static TransportException refusal(TransportException failure) {
        return failure.getCause() instanceof InvalidTopicException
                ? new TopicMismatchException(failure.getMessage()
                        + ". Kafka counts '.' and '_' as the same character in names of metrics; take another name")
                : failure;
    }

    /**
     * Returns all topics by their names in Baton: one with several partitions as {@code name@0}, {@code name@1} and so
     * on.
     */
    public Set<String> list() {
        Deadline deadline = cluster.deadline();
        Set<String> names = new TreeSet<>();
        cluster.begin(admin -> admin.describeTopics(list(deadline)).topicNameValues())
                .forEach((topic, future) -> {
                    TopicDescription found = existing("describe topic '" + topic + "'", topic, future, deadline);
                    if (found != null) {
                        TopicNames.of(topic, found.partitions().size()).forEach(names::add);
                    }
                });
        return names;
    }

    /** {@return those of the names whose topics exist and may be described} */
    public Set<String> existing(Set<String> names) {
        Deadline deadline = cluster.deadline();
        Set<String> bases = names.stream().map(PartitionTopic::base).collect(Collectors.toSet());
        Set<String> found = new TreeSet<>();
        cluster.begin(admin -> admin.describeTopics(bases).topicNameValues()).forEach((topic, future) -> {
            TopicDescription description = visible(topic, future, deadline);
            if (description != null) {
                TopicNames.of(topic, description.partitions().size())
                        .filter(names::contains)
                        .forEach(found::add);
            }
        });
        return found;
    }

    /** Deletes the topics that exist and waits until they are not listed any more. */
    public void delete(Collection<String> names, ConsumerGroups groups) {
        Deadline deadline = cluster.deadline();
        Set<String> listed = list(deadline);
        Set<String> found = existing(names.stream()
                .filter(name -> listed.contains(PartitionTopic.base(name)))
                .collect(Collectors.toSet())); // the plain name of a topic with partitions is unknown
        checkWhole(found);
        Set<String> existing = found.stream().map(PartitionTopic::base).collect(Collectors.toSet());
        if (existing.isEmpty()) {
            return;
        }
        groups.requireNoMembers(existing, deadline);
        remove(existing, deadline);
    }

    private void remove(Set<String> existing, Deadline deadline) {
        cluster.begin(admin -> admin.deleteTopics(existing).topicNameValues()).forEach((name, future) -> {
            try {
                cluster.answer(
                        "delete topic '" + name + "'", Permission.onTopic(AclOperation.DELETE, name), deadline, future);
            } catch (TransportException failure) {
                if (!(failure.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw failure;
                }
            }
        });
        for (Set<String> left = new HashSet<>(existing); !left.isEmpty(); left.retainAll(list(deadline))) {
            if (deadline.isOver()) {
                throw new TransportException("topics " + left + " were deleted, but are still listed after "
                        + deadline.limit().toMillis() + " ms");
            }
            Deadline.pause();
        }
    }

    /** Throws unless all partitions of each topic are named, as Kafka deletes all or none. */
    private void checkWhole(Collection<String> names) {
        if (names.stream().allMatch(name -> PartitionTopic.partition(name) == PartitionTopic.NONE)) {
            return;
        }
        Set<String> touched = names.stream().map(PartitionTopic::base).collect(Collectors.toSet());
        for (String name : list()) {
            if (touched.contains(PartitionTopic.base(name)) && !names.contains(name)) {
                throw new IllegalArgumentException(
                        "'" + name + "' would be deleted with the other partitions of topic '"
                                + PartitionTopic.base(name) + "'; name all of them");
            }
        }
    }

    /**
     * Returns the identity of a topic that can be written to and read; another one when it was deleted and created
     * again.
     *
     * @param use what the caller is about to do with it
     * @throws TransportException when it does not exist, has several partitions and the name has no number, or may not
     *     be used so
     */
    public Uuid require(String topic, AclOperation use, Deadline deadline) {
        return require(topic, use, cluster.begin(admin -> describe(admin, topic)), deadline);
    }

    /**
     * Returns the identity of a topic as {@link #require(String, AclOperation, Deadline)} does, from a description that
     * was requested before.
     */
    public Uuid require(String topic, AclOperation use, KafkaFuture<TopicDescription> description, Deadline deadline) {
        TopicDescription found;
        try {
            found = cluster.answer("open topic '" + topic + "'", describing(topic), deadline, description);
        } catch (TransportException failure) {
            if (failure.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new TransportException(
                        "topic '" + topic + "' does not exist on " + options.get(KafkaOptions.BOOTSTRAP_SERVERS),
                        failure.getCause());
            }
            throw failure;
        }
        checkPartition(topic, found.partitions().size());
        requireAllowed(PartitionTopic.base(topic), use, found);
        return found.topicId();
    }

    /**
     * The settings of a topic that decide what its stored frames survive.
     *
     * @param replicas of the partition
     * @param minInSync replicas that have to have a frame before it is acknowledged with acks=all
     * @param isUnclean whether a replica that was behind may become the leader
     */
    public record Replication(int replicas, int minInSync, boolean isUnclean) {
        private boolean isSafe() {
            return Math.min(replicas, minInSync) >= LEAST_COPIES && !isUnclean;
        }
    }

    /**
     * Asks for the replication of a topic, again until the deadline while the asked broker has not yet learned of a
     * topic that was just created. May block.
     */
    public Replication replication(String topic, Deadline deadline) {
        String what = "read the settings of topic '" + topic + "'";
        while (true) {
            try {
                return replication(topic, what, deadline);
            } catch (TransportException failure) {
                if (!(failure.getCause() instanceof UnknownTopicOrPartitionException) || deadline.isOver()) {
                    throw failure;
                }
                Deadline.pause();
            }
        }
    }

    private Replication replication(String topic, String what, Deadline deadline) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, PartitionTopic.base(topic));
        KafkaFuture<TopicDescription> description = cluster.begin(admin -> describe(admin, topic));
        Config settings = cluster.answer(
                what,
                Permission.onTopic(AclOperation.DESCRIBE_CONFIGS, PartitionTopic.base(topic)),
                deadline,
                cluster.begin(admin ->
                        admin.describeConfigs(List.of(resource)).values().get(resource)));
        return new Replication(
                cluster.answer(what, describing(topic), deadline, description)
                        .partitions()
                        .get(TopicNames.partitionOf(topic).partition())
                        .replicas()
                        .size(),
                Integer.parseInt(
                        settings.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value()),
                Boolean.parseBoolean(settings.get(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG)
                        .value()));
    }

    /**
     * Checks that each frame which is stored with acks=all has a second copy that is never given up.
     *
     * @throws TopicMismatchException when it has not; the text contains the topic's settings
     */
    public void requireReplicated(String topic, Deadline deadline) {
        Replication found = replication(topic, deadline);
        if (!found.isSafe()) {
            throw new TopicMismatchException("topic '" + topic + "' has " + found.replicas()
                    + " replicas, min.insync.replicas=" + found.minInSync() + " and unclean.leader.election.enable="
                    + found.isUnclean() + "; durability=replicated needs 2 replicas or more, at least 2 in sync, and"
                    + " false. Change the topic with kafka-reassign-partitions and kafka-configs, or choose"
                    + " durability=process");
        }
    }

    private static void checkPartition(String topic, int partitions) {
        if (PartitionTopic.partition(topic) != PartitionTopic.NONE) {
            if (PartitionTopic.partition(topic) >= partitions || partitions == 1) {
                throw new TransportException("topic '" + topic + "' does not exist: '" + PartitionTopic.base(topic)
                        + "' has " + partitions + " partitions");
            }
        } else if (partitions != 1) {
            throw new TransportException("topic '" + topic + "' has " + partitions
                    + " partitions; a topic of Baton is one ordered log and has one, or one for each partition: '"
                    + topic
                    + "@0' to '" + topic + "@" + (partitions - 1) + "'");
        }
    }

    /**
     * Throws unless this user may do so, instead of failing at the first frame. A writer reads, too: the newest frame,
     * after which it continues.
     */
    private static void requireAllowed(String topic, AclOperation use, TopicDescription found) {
        Set<AclOperation> allowed = found.authorizedOperations();
        if (allowed == null || allowed.isEmpty()) {
            return;
        }
        for (AclOperation needed : List.of(use, AclOperation.READ)) {
            if (!allowed.contains(needed)) {
                throw KafkaFailures.because(
                        "could not open topic '" + topic + "'",
                        new TopicAuthorizationException(Set.of(topic)),
                        Permission.onTopic(needed, topic));
            }
        }
    }

    /** Returns whether a topic exists that this user may not create, but use. */
    private boolean isThere(String topic, TransportException refused, Deadline deadline) {
        if (!(refused.getCause() instanceof TopicAuthorizationException)) {
            return false;
        }
        try {
            cluster.ask("describe topic '" + topic + "'", deadline, admin -> describe(admin, topic));
            return true;
        } catch (TransportException unknown) {
            return false;
        }
    }

    private static Permission create(String topic) {
        return Permission.onTopic(AclOperation.CREATE, topic);
    }

    private static Permission describing(String topic) {
        return Permission.onTopic(AclOperation.DESCRIBE, topic);
    }

    private Set<String> list(Deadline deadline) {
        return cluster.ask("list topics", deadline, admin -> admin.listTopics().names());
    }

    private short replicas(Deadline deadline) {
        if (options.get(KafkaOptions.REPLICATION) > 0) {
            return options.get(KafkaOptions.REPLICATION).shortValue();
        }
        int brokers = cluster.ask(
                        "count brokers",
                        deadline,
                        admin -> admin.describeCluster().nodes())
                .size();
        defaultReplicas = Math.min(MOST_REPLICAS_BY_DEFAULT, brokers);
        return (short) defaultReplicas;
    }

    /**
     * Returns the settings of new topics, with two in-sync copies at least: the default of brokers is one, the leader's
     * own.
     */
    private Map<String, String> settingsFor(short replicas) {
        if (replicas < LEAST_COPIES || topicSettings.containsKey(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)) {
            return topicSettings;
        }
        Map<String, String> settings = new HashMap<>(topicSettings);
        settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(LEAST_COPIES));
        return settings;
    }

    /** Waits for the leaders of new topics: brokers receive them from the controller a little later. */
    private void awaitLeaders(Map<String, Integer> partitions, Deadline deadline) {
        Set<String> missing = new HashSet<>(partitions.keySet());
        while (true) {
            cluster.begin(admin -> admin.describeTopics(missing).topicNameValues())
                    .forEach((topic, future) -> {
                        TopicDescription found = existing("describe topic '" + topic + "'", topic, future, deadline);
                        if (found != null && found.partitions().stream().allMatch(each -> each.leader() != null)) {
                            checkCount(topic, found.partitions().size(), partitions.get(topic));
                            missing.remove(topic);
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

    /**
     * Refuses another number of partitions before any topic is created, so that a chain never has some of each. Names
     * the first of several topics.
     */
    private void checkCounts(Map<String, Integer> partitions, Deadline deadline) {
        Map<String, KafkaFuture<TopicDescription>> described =
                cluster.begin(admin -> admin.describeTopics(partitions.keySet()).topicNameValues());
        new TreeMap<>(described).forEach((topic, future) -> {
            TopicDescription found = visible(topic, future, deadline);
            if (found != null) {
                checkCount(topic, found.partitions().size(), partitions.get(topic));
            }
        });
    }

    private static void checkCount(String topic, int found, int wanted) {
        if (found != wanted) {
            throw PartitionTopic.otherCount(topic, found, wanted);
        }
    }

    /**
     * Returns the description as {@link #existing} does, and null for a topic that this user may not describe, as it
     * need not exist.
     */
    private TopicDescription visible(String topic, KafkaFuture<TopicDescription> future, Deadline deadline) {
        try {
            return existing("ask which topics exist", topic, future, deadline);
        } catch (AccessRefusedException unknown) {
            return null;
        }
    }

    /** Returns the description; null when there is none of the name, or not yet. */
    private TopicDescription existing(
            String action, String topic, KafkaFuture<TopicDescription> future, Deadline deadline) {
        try {
            return cluster.answer(action, describing(topic), deadline, future);
        } catch (TransportException failure) {
            if (failure.getCause() instanceof UnknownTopicOrPartitionException) {
                return null;
            }
            throw failure;
        }
    }

    public static KafkaFuture<TopicDescription> describe(Admin admin, String topic) {
        String name = PartitionTopic.base(topic);
        return admin.describeTopics(List.of(name), WITH_PERMISSIONS)
                .topicNameValues()
                .get(name);
    }
}
