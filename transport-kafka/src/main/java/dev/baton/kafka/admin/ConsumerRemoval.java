package dev.baton.kafka.admin;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.Permission;
import dev.baton.kafka.connection.TransportContext;
import dev.baton.kafka.read.LiveReaders;
import dev.baton.kafka.topics.CommittedPosition;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.GroupSubscribedToTopicException;

/**
 * The removal of what a consumer has stored for a topic. Only a position that moves distinguishes a reader of another
 * process from a dead one, so the position is watched before; unless the last reader that claimed it was one of this
 * transport, which knows that it is closed. Used by one thread.
 */
public final class ConsumerRemoval {
    /** Positions are stored once a second unless the options say otherwise. */
    private static final Duration WATCHED = Duration.ofSeconds(2);

    private final TransportContext context;
    private final TopicPartition partition;
    private final String consumer;
    private final Uuid topicId;

    /**
     * Creates the removal of a consumer.
     *
     * @throws TransportException when the topic does not exist
     */
    public ConsumerRemoval(TransportContext context, String topic, String consumer) {
        this.context = context;
        this.partition = TopicNames.partitionOf(topic);
        this.consumer = consumer;
        this.topicId = context.topics()
                .require(topic, AclOperation.READ, context.cluster().deadline());
    }

    /** Removes the position; returns false when there is none. */
    public boolean forget() {
        context.liveReaders().requireNone(partition, consumer);
        CommittedPosition before = position();
        if (before == null) {
            return false;
        }
        if (context.hasOpened(before.reader())) {
            return delete();
        }
        Deadline watched = Deadline.in(WATCHED);
        while (!watched.isOver()) {
            Deadline.pause();
        }
        CommittedPosition after = position();
        if (after != null && !after.equals(before)) {
            throw LiveReaders.occupied(
                    partition,
                    consumer,
                    "is being read in another process: it read on to offset " + after.nextOffset()
                            + " within two seconds. Close it first");
        }
        context.liveReaders().requireNone(partition, consumer);
        return after != null && delete();
    }

    private CommittedPosition position() {
        Map<String, CommittedPosition> positions = context.consumerGroups()
                .positions(partition, topicId, context.cluster().deadline());
        return positions.get(consumer);
    }

    private boolean delete() {
        String group = context.consumerGroups().groupOf(consumer);
        try {
            context.cluster()
                    .answer(
                            "forget consumer '" + consumer + "' of topic '" + TopicNames.of(partition) + "'",
                            Permission.onGroup(AclOperation.DELETE, group),
                            context.cluster().deadline(),
                            context.cluster()
                                    .begin(admin -> admin.deleteConsumerGroupOffsets(group, Set.of(partition))
                                            .all()));
            return true;
        } catch (TransportException failure) {
            if (failure.getCause() instanceof GroupIdNotFoundException) {
                return false; // removed meanwhile
            }
            if (failure.getCause() instanceof GroupSubscribedToTopicException
                    || failure.getCause() instanceof GroupNotEmptyException) {
                throw LiveReaders.occupied(partition, consumer, "has a live member in its group; close that one first");
            }
            throw failure;
        }
    }
}
