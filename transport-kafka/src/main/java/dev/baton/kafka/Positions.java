package dev.baton.kafka;

import dev.baton.spi.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Keeps the positions of a connection's readers as offsets of consumer groups, one group for each consumer name.
 *
 * <p>A consumer can commit for its own group only, and a connection has one consumer for readers of many names. So
 * positions go through the admin client, which alters the offsets of any group without members, asynchronously and with
 * one request for all topics of a group. At most {@value #MOST_IN_FLIGHT} groups are on their way at a time; the rest
 * follows in later turns. Failures that may pass are tried again at the next interval, for as long as a frame may stay
 * unconfirmed; then {@link #doWork} throws.
 *
 * <p>Confined to its loop; the admin client's thread reports through a queue.
 */
final class Positions {
    private record Attempt(String group, List<KafkaReader> readers, Throwable failure) {}

    private static final int MOST_IN_FLIGHT = 16;

    private final Cluster cluster;
    private final String groupPrefix;
    private final long intervalNanos;
    private final long patienceNanos;
    private final List<KafkaReader> changed = new ArrayList<>();
    private final Queue<Map.Entry<String, List<KafkaReader>>> due = new ArrayDeque<>();
    private final Queue<Attempt> answered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private long nextNanos;
    private long failingSinceNanos;
    private boolean isFailing;

    Positions(Cluster cluster, KafkaOptions options) {
        this.cluster = cluster;
        this.groupPrefix = options.read().groupPrefix();
        this.intervalNanos = options.read().commitInterval().toNanos();
        this.patienceNanos = options.write().deliveryTimeout().toNanos();
    }

    /** Asks what a group has stored for a topic; the answer has null for the topic when nothing. */
    KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> find(String consumer, TopicPartition partition) {
        String group = groupOf(consumer);
        ListConsumerGroupOffsetsSpec spec = new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(partition));
        return cluster.begin(
                admin -> admin.listConsumerGroupOffsets(Map.of(group, spec)).partitionsToOffsetAndMetadata(group));
    }

    /** A reader has a new position; once until it is stored. */
    void changed(KafkaReader reader) {
        if (changed.isEmpty() && due.isEmpty()) {
            nextNanos = System.nanoTime() + intervalNanos;
        }
        changed.add(reader);
    }

    /** One turn: stores what is due, throws what failed for too long. */
    void doWork() {
        if (!answered.isEmpty()) {
            takeAnswers();
        }
        if (changed.isEmpty() && due.isEmpty()) {
            return;
        }
        if (!changed.isEmpty() && System.nanoTime() - nextNanos >= 0) {
            nextNanos = System.nanoTime() + intervalNanos;
            group(changed);
            changed.clear();
        }
        while (!due.isEmpty() && inFlight.get() < MOST_IN_FLIGHT) {
            Map.Entry<String, List<KafkaReader>> next = due.remove();
            begin(next.getKey(), next.getValue());
        }
    }

    /** Stores one reader's position and waits for it. */
    void store(KafkaReader reader, Deadline deadline) {
        drain(deadline);
        storeFailedAgain();
        if (changed.remove(reader)) {
            group(List.of(reader));
            drain(deadline);
            throwAnswers();
        }
    }

    /** Stores nothing more of a reader, but for what is on its way. */
    void forget(KafkaReader reader) {
        changed.remove(reader);
        due.forEach(group -> group.getValue().remove(reader));
        due.removeIf(group -> group.getValue().isEmpty());
    }

    /** Stores all positions and waits for them. */
    void storeAll(Deadline deadline) {
        drain(deadline);
        storeFailedAgain();
        group(changed);
        changed.clear();
        drain(deadline);
        throwAnswers();
    }

    private void group(List<KafkaReader> readers) {
        due.addAll(readers.stream()
                .collect(Collectors.groupingBy(reader -> groupOf(reader.consumer())))
                .entrySet());
    }

    private void begin(String group, List<KafkaReader> readers) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (KafkaReader reader : readers) {
            offsets.put(reader.partition(), reader.takePosition().forKafka());
        }
        KafkaFuture<Void> answer;
        try {
            answer = cluster.begin(
                    admin -> admin.alterConsumerGroupOffsets(group, offsets).all());
        } catch (TransportException failure) {
            answered.add(new Attempt(group, readers, failure));
            return;
        }
        inFlight.incrementAndGet();
        answer.whenComplete((nothing, failure) -> {
            answered.add(new Attempt(group, readers, unwrapped(failure)));
            inFlight.decrementAndGet();
        });
    }

    /** Sends what is due and waits until all of it is answered. */
    private void drain(Deadline deadline) {
        while (!due.isEmpty() || inFlight.get() > 0) {
            while (!due.isEmpty() && inFlight.get() < MOST_IN_FLIGHT) {
                Map.Entry<String, List<KafkaReader>> next = due.remove();
                begin(next.getKey(), next.getValue());
            }
            if (deadline.isOver()) {
                throw cluster.unreachable("store positions", null);
            }
            Deadline.pause();
        }
    }

    private void takeAnswers() {
        for (Attempt attempt : takeAttempts()) {
            if (attempt.failure() == null) {
                isFailing = false;
                continue;
            }
            attempt.readers().forEach(KafkaReader::storeAgain);
            long now = System.nanoTime();
            if (!isFailing) {
                isFailing = true;
                failingSinceNanos = now;
            }
            if (!(attempt.failure() instanceof RetriableException) || now - failingSinceNanos > patienceNanos) {
                isFailing = false;
                throw notStored(attempt);
            }
        }
    }

    private void throwAnswers() {
        Attempt failed = storeFailedAgain();
        if (failed != null) {
            throw notStored(failed);
        }
    }

    /** Has what failed stored at the next occasion; one of the failures, null when there was none. */
    private Attempt storeFailedAgain() {
        Attempt failed = null;
        for (Attempt attempt : takeAttempts()) {
            if (attempt.failure() != null) {
                attempt.readers().forEach(KafkaReader::storeAgain);
                failed = attempt;
            }
        }
        return failed;
    }

    private List<Attempt> takeAttempts() {
        List<Attempt> taken = new ArrayList<>();
        for (Attempt attempt = answered.poll(); attempt != null; attempt = answered.poll()) {
            taken.add(attempt);
        }
        return taken;
    }

    /** The group that keeps a consumer's positions. */
    String groupOf(String consumer) {
        return groupPrefix + consumer;
    }

    /** A future made of others wraps what failed, which then is no {@link RetriableException} any more. */
    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static TransportException notStored(Attempt attempt) {
        boolean isTopic = attempt.failure() instanceof TopicAuthorizationException;
        return Refused.because(
                "the positions of consumer group '" + attempt.group() + "' were not stored",
                attempt.failure(),
                isTopic
                        ? Permission.onTopic(
                                AclOperation.READ,
                                attempt.readers().get(0).partition().topic())
                        : Permission.onGroup(AclOperation.READ, attempt.group()));
    }
}
