package dev.baton.kafka.read;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.client.Permission;
import dev.baton.kafka.topics.CommittedPosition;
import dev.baton.kafka.topics.ReaderClaim;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * The store of the positions of a connection's readers, as offsets of consumer groups, one group for each consumer
 * name.
 *
 * <p>A consumer can commit for its own group only, and a connection has one consumer for readers of many names. So
 * positions go through the admin client, which alters the offsets of any group without members, asynchronously and with
 * one request for all topics of a group. At most {@value #MOST_IN_FLIGHT} groups are in flight at a time; later
 * turns store the rest, and positions of readers that have a store in flight. Transient failures are retried at the next
 * interval, for each reader as long as a frame may stay unconfirmed; then the readers of the group end ({@link KafkaReader#failure}).
 *
 * <p>Brokers forget a position that was not stored for {@code offsets.retention.minutes}, 7 days by default: so once a
 * day those are stored again that have not moved since. A failure of that does not end the reader; it is retried.
 *
 * <p>A consumer may have readers in several processes, which are not connected. Each stores a {@link ReaderClaim} when
 * it is opened, and what is stored is read back before each further store: a reader that finds a newer claim fails and
 * stores nothing. Between the two a newer claim may come, and is overwritten then. That loses nothing: the position
 * which is put there covers only inputs that were acknowledged, and a service acknowledges inputs whose outputs are
 * stored and count. If it lies farther ahead than the start of the newer reader, those inputs are answered; if it lies
 * back, some come again, as after a crash. The newer reader finds an older claim, continues, and stores its own again.
 *
 * <p>Confined to its loop, but for methods that any thread may call; the admin client's thread reports through a queue.
 */
public final class Positions {
    /**
     * Positions of a group, stored in one request.
     *
     * @param isRefresh they are stored already, and only shall not expire
     */
    private record Batch(String group, List<KafkaReader> readers, boolean isRefresh) {}

    /** The positions that are stored for the group of a batch, or the reason why they could not be read. */
    private record Slots(Batch batch, Map<TopicPartition, OffsetAndMetadata> stored, Throwable failure) {}

    private record Attempt(Batch batch, Throwable failure) {}

    private static final int MOST_IN_FLIGHT = 16;
    private static final long REFRESH_NANOS = TimeUnit.DAYS.toNanos(1);
    private static final long REFRESH_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Cluster cluster;
    private final long intervalNanos;
    private final long patienceNanos;
    private final List<KafkaReader> changed = new ArrayList<>();
    private final List<KafkaReader> open = new ArrayList<>();
    private final Queue<Batch> due = new ArrayDeque<>();
    private final Queue<Slots> found = new ConcurrentLinkedQueue<>();
    private final Queue<Attempt> answered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private long nextNanos;
    private long nextRefreshNanos = System.nanoTime() + REFRESH_NANOS;

    public Positions(Cluster cluster, KafkaOptions options) {
        this.cluster = cluster;
        this.intervalNanos = options.get(KafkaOptions.COMMIT_INTERVAL).toNanos();
        this.patienceNanos = options.get(KafkaOptions.DELIVERY_TIMEOUT).toNanos();
    }

    /**
     * Stores the start position of a new reader, with its claim to be the consumer, and waits for it. Any thread.
     */
    public void claim(KafkaReader reader) {
        Map<TopicPartition, OffsetAndMetadata> claim =
                Map.of(reader.partition(), reader.position().forKafka());
        String group = reader.group();
        cluster.answer(
                "store the positions of consumer group '" + group + "'",
                Permission.onGroup(AclOperation.READ, group),
                cluster.deadline(),
                cluster.begin(
                        admin -> admin.alterConsumerGroupOffsets(group, claim).all()));
    }

    /** Keeps the position of a reader from expiring, until {@link #store} or {@link #forget}. */
    public void opened(KafkaReader reader) {
        open.add(reader);
    }

    /** Throws for the first open reader that has failed and has not thrown it yet. */
    public void throwUnreported() {
        open.forEach(KafkaReader::throwUnreported);
    }

    /** Stores the positions again that have not moved since this was called last. */
    public void refresh() {
        nextRefreshNanos = System.nanoTime() + REFRESH_NANOS;
        List<KafkaReader> idle =
                open.stream().filter(KafkaReader::isIdleSinceLastRefresh).toList();
        group(withoutStores(idle), true);
    }

    /**
     * Returns the readers without a store in flight: the answers to two requests of one reader may overtake each other, and
     * the older position would remain.
     */
    private static List<KafkaReader> withoutStores(List<KafkaReader> readers) {
        return readers.stream()
                .filter(reader -> !reader.stores().isAnyInFlight())
                .toList();
    }

    /** Queues the new position of a reader; called once until it is stored. */
    void changed(KafkaReader reader) {
        if (changed.isEmpty() && due.isEmpty()) {
            nextNanos = System.nanoTime() + intervalNanos;
        }
        changed.add(reader);
    }

    /** Queues the position of a reader as {@link #changed} does, unless it is queued already. */
    void changedAgain(KafkaReader reader) {
        if (!changed.contains(reader)) {
            changed(reader);
        }
    }

    /** Returns whether every acknowledged position is stored, so that the next turn has nothing to store. */
    public boolean isSettled() {
        return changed.isEmpty() && due.isEmpty() && inFlight.get() == 0 && found.isEmpty() && answered.isEmpty();
    }

    /** Takes one turn: stores what is due, and ends readers for which that has failed for too long. */
    public void doWork() {
        if (!answered.isEmpty()) {
            takeAnswers();
        }
        if (!found.isEmpty()) {
            storeFound();
        }
        if (System.nanoTime() - nextRefreshNanos >= 0) {
            refresh();
        }
        if (changed.isEmpty() && due.isEmpty()) {
            return;
        }
        if (!changed.isEmpty() && System.nanoTime() - nextNanos >= 0) {
            nextNanos = System.nanoTime() + intervalNanos;
            List<KafkaReader> waiting = changed.stream()
                    .filter(reader -> reader.stores().isAnyInFlight())
                    .toList();
            group(withoutStores(changed), false);
            changed.clear();
            changed.addAll(waiting);
        }
        beginDue();
    }

    /**
     * Stores the position of a reader that is being closed and waits for it. A store in flight that fails is repeated once.
     *
     * @throws TransportException when the position is not stored
     */
    void store(KafkaReader reader) {
        Deadline deadline = cluster.deadline();
        open.remove(reader);
        try {
            drain(deadline);
            storeFailedAgain();
            if (changed.remove(reader)) {
                group(List.of(reader), false);
                drain(deadline);
                throwAnswers();
            }
        } finally {
            changed.remove(reader); // its failed store put it there
        }
    }

    /**
     * Continues to store the position of a reader that is being closed without waiting; later turns do the rest.
     *
     * @return whether it is stored, or left to another reader to store
     * @throws TransportException when it is not, and it was tried for long enough
     */
    boolean tryStore(KafkaReader reader) {
        PositionStores stores = reader.stores();
        if (!stores.isClosing()) {
            stores.closing(cluster.deadline());
            open.remove(reader); // its position may expire
        }
        if (stores.isAnyInFlight()) {
            if (stores.isTooLate()) {
                throw cluster.unreachable("store positions", null);
            }
            return false;
        }
        TransportException failure = stores.takeFailure();
        if (failure != null && (stores.isTooLate() || !(failure.getCause() instanceof RetriableException))) {
            changed.remove(reader);
            throw failure;
        }
        if (!changed.remove(reader)) {
            return true;
        }
        group(List.of(reader), false);
        return false;
    }

    /** Stores nothing more of a reader but what is in flight. */
    void forget(KafkaReader reader) {
        open.remove(reader);
        changed.remove(reader);
        due.forEach(batch -> batch.readers().remove(reader));
        due.removeIf(batch -> batch.readers().isEmpty());
    }

    /** Stores all positions and waits for them. */
    public void storeAll(Deadline deadline) {
        drain(deadline);
        storeFailedAgain();
        group(changed, false);
        changed.clear();
        drain(deadline);
        throwAnswers();
    }

    private void group(List<KafkaReader> readers, boolean isRefresh) {
        readers.stream()
                .collect(Collectors.groupingBy(KafkaReader::group))
                .forEach((group, ofGroup) -> due.add(new Batch(group, ofGroup, isRefresh)));
        readers.forEach(reader -> reader.stores().begun());
    }

    /** Reads the stored positions of the groups that are due in one request, as readers may have been replaced. */
    private void beginDue() {
        Map<String, Batch> next = new HashMap<>();
        while (!due.isEmpty()
                && inFlight.get() + next.size() < MOST_IN_FLIGHT
                && !next.containsKey(due.peek().group())) {
            Batch batch = due.remove();
            next.put(batch.group(), batch);
        }
        if (next.isEmpty()) {
            return;
        }
        Map<String, ListConsumerGroupOffsetsSpec> asked = new HashMap<>();
        next.forEach((group, batch) -> asked.put(
                group,
                new ListConsumerGroupOffsetsSpec()
                        .topicPartitions(batch.readers().stream()
                                .map(KafkaReader::partition)
                                .toList())));
        try {
            ListConsumerGroupOffsetsResult answers = cluster.begin(admin -> admin.listConsumerGroupOffsets(asked));
            next.values().forEach(batch -> {
                inFlight.incrementAndGet();
                answers.partitionsToOffsetAndMetadata(batch.group())
                        .whenComplete((stored, failure) -> found.add(new Slots(batch, stored, unwrapped(failure))));
            });
        } catch (TransportException failure) {
            next.values().forEach(batch -> answered.add(new Attempt(batch, failure)));
        }
    }

    /** Stores the positions of those readers that were not replaced. */
    private void storeFound() {
        for (Slots slots = found.poll(); slots != null; slots = found.poll()) {
            inFlight.decrementAndGet();
            Batch batch = slots.batch();
            if (slots.failure() != null) {
                answered.add(new Attempt(batch, slots.failure()));
                continue;
            }
            Map<TopicPartition, OffsetAndMetadata> stored = slots.stored();
            List<KafkaReader> owners = new ArrayList<>();
            for (KafkaReader reader : batch.readers()) {
                if (reader.isStillOwner(stored.get(reader.partition()))) {
                    owners.add(reader);
                } else {
                    reader.stores().ended();
                }
            }
            if (!owners.isEmpty()) {
                begin(new Batch(batch.group(), owners, batch.isRefresh()));
            }
        }
    }

    private void begin(Batch batch) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (KafkaReader reader : batch.readers()) {
            CommittedPosition position = batch.isRefresh() ? reader.position() : reader.takePosition();
            offsets.put(reader.partition(), position.forKafka());
        }
        KafkaFuture<Void> answer;
        try {
            answer = cluster.begin(admin ->
                    admin.alterConsumerGroupOffsets(batch.group(), offsets).all());
        } catch (TransportException failure) {
            answered.add(new Attempt(batch, failure));
            return;
        }
        inFlight.incrementAndGet();
        answer.whenComplete((nothing, failure) -> {
            answered.add(new Attempt(batch, unwrapped(failure)));
            inFlight.decrementAndGet();
        });
    }

    /** Sends what is due and waits until all of it is answered. */
    private void drain(Deadline deadline) {
        while (!due.isEmpty() || inFlight.get() > 0 || !found.isEmpty()) {
            storeFound();
            beginDue();
            if (deadline.isOver()) {
                throw cluster.unreachable("store positions", null);
            }
            Deadline.pause();
        }
    }

    private void takeAnswers() {
        for (Attempt attempt : takeAttempts()) {
            List<KafkaReader> readers = attempt.batch().readers();
            if (attempt.failure() == null) {
                readers.forEach(reader -> reader.stores().succeeded());
                continue;
            }
            readers.forEach(KafkaReader::storeAgain);
            if (readers.stream().allMatch(reader -> reader.stores().isClosing())) {
                readers.forEach(reader -> reader.stores().failed(notStored(attempt)));
                continue; // their close reports it
            }
            long now = System.nanoTime();
            long longest = 0; // of each reader: positions of others may be stored while this one's is not
            for (KafkaReader reader : readers) {
                longest = Math.max(longest, reader.stores().failedForNanos(now));
            }
            boolean haveEnded = readers.stream().allMatch(KafkaReader::hasFailed); // for a reason that is known already
            if (!haveEnded && (!(attempt.failure() instanceof RetriableException) || longest > patienceNanos)) {
                TransportException why = notStored(attempt);
                readers.forEach(reader -> reader.failed(why));
            }
        }
    }

    private void throwAnswers() {
        Attempt failed = storeFailedAgain();
        if (failed != null) {
            throw notStored(failed);
        }
    }

    /** Queues positions that failed again; returns one of the failures, null when there was none. */
    private Attempt storeFailedAgain() {
        Attempt failed = null;
        for (Attempt attempt : takeAttempts()) {
            if (attempt.failure() != null) {
                attempt.batch().readers().forEach(KafkaReader::storeAgain);
                failed = attempt.batch().readers().stream().allMatch(KafkaReader::hasFailed) ? failed : attempt;
            }
        }
        return failed;
    }

    /** Returns the requests that were answered, but for refreshes, of which those that failed are repeated. */
    private List<Attempt> takeAttempts() {
        List<Attempt> taken = new ArrayList<>();
        for (Attempt attempt = answered.poll(); attempt != null; attempt = answered.poll()) {
            attempt.batch().readers().forEach(reader -> reader.stores().ended());
            if (!attempt.batch().isRefresh()) {
                taken.add(attempt);
            } else if (attempt.failure() != null) {
                nextRefreshNanos = System.nanoTime() + REFRESH_AGAIN_NANOS;
            }
        }
        return taken;
    }

    /**
     * Returns the cause of a failure: a future that depends on others wraps it, so that it is no {@link
     * RetriableException}.
     */
    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static TransportException notStored(Attempt attempt) {
        boolean isTopic = attempt.failure() instanceof TopicAuthorizationException;
        return KafkaFailures.because(
                "the positions of consumer group '" + attempt.batch().group() + "' were not stored",
                attempt.failure(),
                isTopic
                        ? Permission.onTopic(
                                AclOperation.READ,
                                attempt.batch().readers().get(0).partition().topic())
                        : Permission.onGroup(AclOperation.READ, attempt.batch().group()));
    }
}
