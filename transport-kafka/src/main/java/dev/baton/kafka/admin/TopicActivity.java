package dev.baton.kafka.admin;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.connection.TransportContext;
import dev.baton.kafka.topics.StoredPosition;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The signs that a topic is written or read: its end and the positions of its consumers, which move, and members of
 * groups. An idle writer or reader shows none. Used by one thread.
 */
final class TopicActivity {
    /** Positions are stored once a second unless the options say otherwise. */
    private static final Duration WATCHED = Duration.ofSeconds(2);

    private final TransportContext context;
    private final String topic;
    private final TopicPartition partition;
    private final Uuid topicId;
    private final Deadline watched = Deadline.in(WATCHED);
    private final long end;
    private final Map<String, StoredPosition> positions;

    /** Notes the end, the positions and the members that there are now. */
    TopicActivity(TransportContext context, String topic, Uuid topicId) {
        this.context = context;
        this.topic = topic;
        this.partition = TopicNames.partitionOf(topic);
        this.topicId = topicId;
        Deadline deadline = context.cluster().deadline();
        String member = context.consumerGroups().memberOn(partition, deadline);
        if (member != null) {
            throw inUse(member + " holds it");
        }
        this.end = context.scanner().endWithUndecided(partition, deadline);
        this.positions = context.consumerGroups().positions(partition, topicId, deadline);
    }

    /** Returns the end of the topic when the watch began, including undecided transactions. */
    long end() {
        return end;
    }

    /**
     * Waits until two seconds after the start of the watch and compares.
     *
     * @throws TransportException when something has moved since the watch began
     */
    void requireNone() {
        while (!watched.isOver()) {
            Deadline.pause();
        }
        Deadline deadline = context.cluster().deadline();
        long now = context.scanner().endWithUndecided(partition, deadline);
        if (now != end) {
            throw inUse("its end moved from offset " + end + " to " + now);
        }
        context.consumerGroups().positions(partition, topicId, deadline).forEach((consumer, position) -> {
            if (!position.equals(positions.get(consumer))) {
                throw inUse("consumer '" + consumer + "' read on to offset " + position.nextOffset());
            }
        });
    }

    private TransportException inUse(String sign) {
        return new TransportException("topic '" + topic + "' is in use: " + sign
                + ". Nothing was written; stop the chain that writes it and those that read it first");
    }
}
