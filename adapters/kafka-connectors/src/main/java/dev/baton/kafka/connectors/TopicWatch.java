package dev.baton.kafka.connectors;

import dev.baton.spi.errors.TransportException;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Checks every two seconds, without blocking, that a topic was not replaced since a sink was opened: a producer waits for a deleted topic
 * as it waits for a broker, and writes to a new one of that name without an error. Confined. to the sink's loop.
 */
final class TopicWatch {
    private static final long PAUSE_NANOS = 2_000_000_000L;
    private static final long MISSING_NANOS =
            3_000_000_000L; // a broker may learn of a topic a little later than others

    private final KafkaTopic topic;
    private final TopicAdmin admin;
    private final Uuid opened;
    private KafkaFuture<TopicDescription> asked; // null: nothing is under way
    private Uuid other; // of the last answer; null: the right one
    private boolean isMissing; // by the last answer
    private long missingSinceNanos; // valid while isMissing
    private long askedNanos;

    TopicWatch(KafkaTopic topic, TopicAdmin admin, Uuid opened) {
        this.topic = topic;
        this.admin = admin;
        this.opened = opened;
        this.askedNanos = System.nanoTime();
    }

    /** Throws when the topic was deleted, or is another one. */
    void check() {
        if (asked != null) {
            if (asked.isDone()) {
                KafkaFuture<TopicDescription> answer = asked;
                asked = null;
                take(answer);
            }
        } else if (System.nanoTime() - askedNanos > PAUSE_NANOS) {
            askedNanos = System.nanoTime();
            asked = admin.askForDescription();
        }
    }

    private void take(KafkaFuture<TopicDescription> answer) {
        Uuid[] id = {null};
        Throwable[] failure = {null};
        answer.whenComplete((found, failed) -> { // at once: it is done
            id[0] = found == null ? null : found.topicId();
            failure[0] = failed == null || failed.getCause() == null ? failed : failed.getCause();
        });
        if (id[0] != null) {
            found(id[0]);
        } else if (failure[0] instanceof UnknownTopicOrPartitionException) {
            unknown();
        } // else no broker answers: a later check decides
    }

    private void found(Uuid id) {
        isMissing = false;
        if (!id.equals(opened) && id.equals(other)) {
            throw new TransportException(topic + " was deleted and created again while it was written: its id is " + id
                    + " now, and was " + opened + "; start the chain again to write to the new one");
        }
        other = id.equals(opened) ? null : id;
    }

    private void unknown() {
        if (!isMissing) {
            isMissing = true;
            missingSinceNanos = System.nanoTime();
        } else if (System.nanoTime() - missingSinceNanos > MISSING_NANOS) {
            throw new TransportException(
                    topic + " was deleted while it was written; create it, and start the chain again");
        }
    }
}
