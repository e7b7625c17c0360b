package dev.baton.kafka.topics;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.spi.PartitionGroup;
import dev.baton.spi.PartitionGroup.GroupMembership;
import dev.baton.spi.PartitionGroup.PartitionListener;
import dev.baton.spi.errors.MembershipException;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A member of a consumer group that serves the assignment alone: partition k of the group's topic stands for partition
 * k of every topic of the chain.
 *
 * <p>Its consumer fetches nothing and commits nothing: frames are read by the connections of the partitions' loops,
 * which belong to no group, and positions lie in groups of their own (Positions). Members are static, so one that is
 * started again within the session timeout has its partitions back without a rebalance; rebalances are cooperative, so
 * only the partitions that move are stalled. A partition moves when the callback that revokes it has returned;
 * heartbeats continue meanwhile.
 *
 * <p>Confined to a thread of its own, but for {@link #close}.
 */
public final class KafkaMembership implements GroupMembership, ConsumerRebalanceListener, TopicIdMonitor.User {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    /**
     * The longest interval of heartbeats, by which members are notified of a rebalance; partitions that move are
     * stalled as long.
     */
    private static final int MOST_HEARTBEAT_MILLIS = 300;

    /**
     * The time of a callback beside that for giving partitions up: the holder opens the chains of its new partitions.
     * The group waits as long for a member that is alive and does not poll.
     */
    private static final Duration OPEN_LIMIT = Duration.ofMinutes(2);

    private final PartitionGroup group;
    private final PartitionListener listener;
    private final KafkaOptions options;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private final Set<Integer> held = new TreeSet<>();
    private volatile boolean isClosing;
    private volatile boolean isLeaving;
    private volatile TransportException ended; // the reason, when the topic was deleted or replaced; null: it was not

    private KafkaMembership(
            PartitionGroup group,
            PartitionListener listener,
            KafkaOptions options,
            KafkaConsumer<byte[], byte[]> consumer) {
        this.group = group;
        this.listener = listener;
        this.options = options;
        this.consumer = consumer;
        thread = new Thread(this::run, "baton-member-" + group.member());
        thread.setDaemon(true);
    }

    /** Joins the group; the thread ends with {@link #close}, or when the group removes the member. */
    public static KafkaMembership join(
            PartitionGroup group,
            PartitionListener listener,
            KafkaOptions options,
            ClientSettings settings,
            TopicIdMonitor topicIdMonitor,
            String clientId) {
        KafkaConsumer<byte[], byte[]> consumer;
        try {
            consumer = new KafkaConsumer<>(
                    settings(group, options, settings, clientId),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
        } catch (KafkaException failure) {
            throw KafkaFailures.client(failure, options);
        }
        KafkaMembership membership = new KafkaMembership(group, listener, options, consumer);
        membership.thread.start();
        topicIdMonitor.watch(membership);
        return membership;
    }

    private void run() {
        try {
            consumer.subscribe(List.of(group.topic()), this);
            while (!isClosing && ended == null) {
                consumer.poll(POLL);
            }
            TransportException why = ended;
            if (why != null && !isClosing) {
                throw why;
            }
            pass(held, listener::revoked);
        } catch (RuntimeException | Error failure) { // Kafka's client passes on errors of the listener
            pass(held, listener::lost);
            listener.failed(explained(failure));
        } finally {
            consumer.close(CloseOptions.timeout(CLOSE_LIMIT)
                    .withGroupMembershipOperation(
                            isLeaving
                                    ? GroupMembershipOperation.LEAVE_GROUP
                                    : GroupMembershipOperation.REMAIN_IN_GROUP));
        }
    }

    /** Sets a position, so that none is looked up, and pauses the partitions, so that nothing is fetched. */
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> consumer.seek(partition, 0));
        consumer.pause(partitions);
        Set<Integer> numbers = numbersOf(partitions);
        if (!isClosing && !numbers.isEmpty()) {
            held.addAll(numbers);
            listener.assigned(numbers);
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        pass(numbersOf(partitions), listener::revoked);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        pass(numbersOf(partitions), listener::lost);
    }

    /**
     * Notifies the listener of partitions that are taken away, once: the consumer's close reports all of them again.
     */
    private void pass(Collection<Integer> partitions, Consumer<Set<Integer>> telling) {
        Set<Integer> going = new TreeSet<>(partitions);
        going.retainAll(held);
        if (!going.isEmpty()) {
            held.removeAll(going);
            telling.accept(going);
        }
    }

    @Override
    public String kafkaTopic() {
        return group.topic();
    }

    @Override
    public String topic() {
        return group.topic();
    }

    @Override
    public Uuid topicId() {
        return Uuid.ZERO_UUID; // that of the first answer
    }

    @Override
    public boolean hasEnded() {
        return isClosing || ended != null || !thread.isAlive();
    }

    @Override
    public void ended(TransportException why) {
        ended = why; // its thread checks this after each poll
    }

    @Override
    public String account() {
        return "Member '" + group.member() + "' gives up its partitions. ";
    }

    @Override
    public boolean close(boolean leaving, Duration limit) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("member '" + group.member()
                    + "' cannot be closed by the thread that calls its listener; close it from another one");
        }
        if (!isClosing) {
            isLeaving = leaving;
            isClosing = true;
        }
        boolean wasInterrupted = false;
        long end = System.nanoTime() + limit.toNanos();
        for (long left = Math.max(1, limit.toNanos()); thread.isAlive() && left > 0; left = end - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException interrupted) {
                wasInterrupted = true; // and waits on: the caller releases next what the partitions still use
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private TransportException explained(Throwable failure) {
        if (failure == ended) {
            return ended;
        }
        String who = "member '" + group.member() + "' of group '" + groupId(group, options) + "' ";
        if (failure instanceof FencedInstanceIdException) {
            return new MembershipException(
                    who + "was replaced by another process of the same name; give each process a name of its own",
                    failure);
        }
        if (failure instanceof InvalidSessionTimeoutException) {
            return new MembershipException(
                    who + "was refused: the brokers do not allow a session timeout of "
                            + group.sessionTimeout().toMillis()
                            + " ms; take one from their group.min.session.timeout.ms (6000 unless set) to their"
                            + " group.max.session.timeout.ms (1800000 unless set)",
                    failure);
        }
        if (failure instanceof AuthorizationException || failure instanceof InconsistentGroupProtocolException) {
            return new MembershipException(who + "was refused: " + failure.getMessage(), failure);
        }
        return new TransportException(who + "cannot continue: " + failure.getMessage(), failure);
    }

    private static Set<Integer> numbersOf(Collection<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
    }

    /** Returns the settings of a consumer that reads nothing and is there to be assigned partitions. */
    private static Map<String, Object> settings(
            PartitionGroup group, KafkaOptions options, ClientSettings clients, String clientId) {
        Map<String, Object> all = new HashMap<>(clients.tailConsumer(clientId));
        int sessionMillis = Math.toIntExact(group.sessionTimeout().toMillis());
        all.put(ConsumerConfig.GROUP_ID_CONFIG, groupId(group, options));
        all.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, group.member());
        all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, sessionMillis);
        all.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, Math.min(MOST_HEARTBEAT_MILLIS, sessionMillis / 4));
        all.put(
                ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
                Math.toIntExact(group.revokeTimeout().plus(OPEN_LIMIT).toMillis()));
        all.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        return all;
    }

    /**
     * Returns the id of the group, which is not that of a consumer's positions, whose offsets can only be altered while
     * it has no members.
     */
    private static String groupId(PartitionGroup group, KafkaOptions options) {
        return options.get(KafkaOptions.GROUP_PREFIX) + group.name();
    }
}
