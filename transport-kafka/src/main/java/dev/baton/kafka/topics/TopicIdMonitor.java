package dev.baton.kafka.topics;

import dev.baton.kafka.client.Cluster;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The monitor that compares the ids of the topics that a transport's writers, readers and members use with those that
 * they were opened with.
 *
 * <p>Kafka's clients address topics by name: when a topic is deleted and created again, by an operator or by the broker
 * itself ({@code auto.create.topics.enable}), they continue in the new one at the old position. So all topics are
 * described in one request every {@value #INTERVAL_MILLIS} ms, and those in doubt at once. A user whose topic has
 * another id in answers half a second apart, or is unknown for {@value #MISSING_MILLIS} ms, ends with the reason. One
 * answer alone is not enough: it may come from a broker that has not received the newest change yet.
 *
 * <p>A writer is in doubt from each update of its producer's metadata on, because the producer cannot send to another
 * id before it has learned it in such an update. What is acknowledged meanwhile counts when a description that was
 * requested later still has the writer's id. An id that was removed is never used again.
 *
 * <p>Nothing here blocks: the {@link WatchThread} sends requests, the admin client's thread takes the answers.
 * Thread-safe.
 */
public final class TopicIdMonitor implements AutoCloseable {
    /** A user of a topic that depends on its identity. Each method may be called by any thread. */
    public interface User {
        /** The name that the topic has in Kafka. */
        String kafkaTopic();

        /** The name that the topic has in errors. */
        String topic();

        /** The id with which it was opened; {@link Uuid#ZERO_UUID} when the id of the first answer counts. */
        Uuid topicId();

        /** Returns true when it is closed or has failed. */
        boolean hasEnded();

        /** Returns true when it waits for the next check. */
        default boolean isInDoubt() {
            return false;
        }

        /** Called before a description is requested. One check of a user runs at a time. */
        default void checkBegins() {}

        /** Called when the description has the same id. */
        default void confirmed() {}

        /** Ends the user, as the topic has another id, or was deleted. */
        void ended(TransportException why);

        /** Ends the user, as no broker has described its topic in doubt for longer than the delivery timeout. */
        default void unanswered(TransportException why) {
            ended(why);
        }

        /** Ends the user if something that was acknowledged waits for a check, as none follows. */
        default void unchecked(TransportException why) {}

        /** Returns what is lost, for the message: a sentence that ends with a blank, or nothing. */
        String account();
    }

    private static final class Findings {
        private Uuid opened; // with which the user was opened; null: not known yet
        private Uuid other; // of the last answer; null: the right one, or none
        private boolean isMissing; // by the last answer
        private long sinceNanos; // when the first of equal answers came that were not the right id
        private long unansweredSinceNanos; // valid while isUnanswered
        private boolean isUnanswered;

        private void clear() {
            other = null;
            isMissing = false;
        }

        private boolean isSuspicious() {
            return other != null || isMissing;
        }
    }

    static final long INTERVAL_MILLIS = 2_000;

    static final long MISSING_MILLIS = 3_000;

    private static final long AGAIN_MILLIS = 500;
    private static final long LEAST_PAUSE_NANOS = 100_000_000;
    private static final long OTHER_NANOS = 400_000_000; // brokers learn of a new topic within some ms of each other

    private final Cluster cluster;
    private final WatchThread thread;
    private final long patienceNanos;
    private final Map<User, Findings> users = new ConcurrentHashMap<>();
    private final AtomicInteger unanswered = new AtomicInteger(); // answers missing in the present round
    private boolean isStarted; // guarded by this
    private boolean isScheduled; // guarded by this: a round for those in doubt
    private volatile long begunNanos = System.nanoTime() - LEAST_PAUSE_NANOS; // when the last round began

    /**
     * Creates a monitor that runs on a thread.
     *
     * @param patience how long a user may stay in doubt while no broker answers
     */
    public TopicIdMonitor(Cluster cluster, WatchThread thread, Duration patience) {
        this.cluster = cluster;
        this.thread = thread;
        this.patienceNanos = patience.toNanos();
    }

    /** Checks a user's topic from here on until it is over. */
    public void watch(User user) {
        Findings findings = new Findings();
        findings.opened = user.topicId().equals(Uuid.ZERO_UUID) ? null : user.topicId();
        users.put(user, findings);
        synchronized (this) {
            if (!isStarted) {
                isStarted = true;
                thread.every(Duration.ofMillis(INTERVAL_MILLIS).toNanos(), () -> round(false));
            }
        }
        if (user.isInDoubt() || findings.opened == null) {
            soon();
        }
    }

    /** Checks the topics in doubt as soon as possible; at most ten times a second. Never blocks. */
    public void soon() {
        long pauseNanos = LEAST_PAUSE_NANOS - (System.nanoTime() - begunNanos);
        schedule(Math.max(0, pauseNanos / 1_000_000));
    }

    private void schedule(long millis) {
        synchronized (this) {
            if (isScheduled) {
                return;
            }
            isScheduled = true;
        }
        if (!thread.after(millis, this::urgentRound)) {
            synchronized (this) {
                isScheduled = false;
            }
            close();
        }
    }

    /** Ends the users that wait for a check, as none follows: the thread is closed, and with it the transport. */
    @Override
    public void close() {
        users.keySet().stream()
                .filter(user -> !user.hasEnded())
                .forEach(user -> user.unchecked(new TransportException("topic '" + user.topic()
                        + "': the transport was closed before its connections, and before it was known whether what was"
                        + " acknowledged is in this topic; close connections first. " + user.account())));
    }

    private void urgentRound() {
        synchronized (this) {
            isScheduled = false;
        }
        round(true);
    }

    private void round(boolean isUrgent) {
        users.keySet().removeIf(User::hasEnded);
        if (unanswered.get() > 0) {
            return; // when it is answered, those in doubt come next
        }
        List<User> asked = users.entrySet().stream()
                .filter(each -> !isUrgent
                        || each.getKey().isInDoubt()
                        || each.getValue().opened == null
                        || each.getValue().isSuspicious())
                .map(Map.Entry::getKey)
                .toList();
        if (asked.isEmpty()) {
            return;
        }
        begunNanos = System.nanoTime();
        Set<String> names = asked.stream().map(User::kafkaTopic).collect(Collectors.toSet());
        asked.forEach(User::checkBegins);
        unanswered.set(asked.size());
        try {
            Map<String, KafkaFuture<TopicDescription>> answers =
                    cluster.begin(admin -> admin.describeTopics(names).topicNameValues());
            asked.forEach(user ->
                    answers.get(user.kafkaTopic()).whenComplete((found, failure) -> take(user, found, failure)));
        } catch (KafkaException | IllegalStateException | TransportException notNow) {
            asked.forEach(user -> noAnswer(user, notNow));
            unanswered.set(0);
        }
    }

    private void take(User user, TopicDescription found, Throwable failure) {
        try {
            judge(user, found, failure);
        } finally {
            if (unanswered.decrementAndGet() == 0) {
                next();
            }
        }
    }

    private void judge(User user, TopicDescription found, Throwable failure) {
        Findings findings = users.get(user);
        if (findings != null && !user.hasEnded()) {
            Throwable cause = failure != null && failure.getCause() != null ? failure.getCause() : failure;
            if (found != null) {
                findings.isUnanswered = false;
                described(user, findings, found.topicId());
            } else if (cause instanceof UnknownTopicOrPartitionException) {
                findings.isUnanswered = false;
                unknown(user, findings);
            } else {
                noAnswer(user, cause);
            }
        }
    }

    private void next() {
        boolean isSuspicious = false;
        boolean isInDoubt = false;
        for (Map.Entry<User, Findings> each : users.entrySet()) {
            isSuspicious |= each.getValue().isSuspicious();
            isInDoubt |= !each.getValue().isUnanswered
                    && !each.getValue().isSuspicious()
                    && each.getKey().isInDoubt();
        }
        if (isInDoubt) {
            soon();
        } else if (isSuspicious) {
            schedule(AGAIN_MILLIS);
        }
    }

    private static void described(User user, Findings findings, Uuid id) {
        long now = System.nanoTime();
        if (findings.opened == null) {
            findings.opened = id;
        }
        if (id.equals(findings.opened)) {
            findings.clear();
            user.confirmed();
        } else if (!id.equals(findings.other)) {
            findings.isMissing = false;
            findings.other = id;
            findings.sinceNanos = now;
        } else if (now - findings.sinceNanos >= OTHER_NANOS) {
            user.ended(new TopicMismatchException(
                    "topic '" + user.topic() + "' was deleted and created again while it was in use: its id is "
                            + id
                            + " now, and was " + findings.opened + ". " + user.account()
                            + "What the deleted topic held, and was not handled, is lost. Stop all processes of the chain, delete the"
                            + " topic, in which former writers may have left frames, and handle all that the new one holds",
                    TopicMismatchException.Remedy.HANDLE_ALL));
        }
    }

    private static void unknown(User user, Findings findings) {
        long now = System.nanoTime();
        findings.other = null;
        if (findings.opened == null) {
            return; // it may be created yet
        }
        if (!findings.isMissing) {
            findings.isMissing = true;
            findings.sinceNanos = now;
        } else if (now - findings.sinceNanos
                >= Duration.ofMillis(MISSING_MILLIS).toNanos()) {
            user.ended(new TopicMismatchException(
                    "topic '" + user.topic()
                            + "' was deleted while it was in use: the brokers have not known it for "
                            + (now - findings.sinceNanos) / 1_000_000 + " ms. Its id was " + findings.opened + ". "
                            + user.account()
                            + "What it held, and was not handled, is lost. A start creates it anew; the service that reads it"
                            + " has to handle all that it holds then",
                    TopicMismatchException.Remedy.HANDLE_ALL));
        }
    }

    private void noAnswer(User user, Throwable cause) {
        Findings findings = users.get(user);
        if (findings == null || !user.isInDoubt()) {
            return; // a reader waits for brokers that are away
        }
        long now = System.nanoTime();
        if (!findings.isUnanswered) {
            findings.isUnanswered = true;
            findings.unansweredSinceNanos = now;
        } else if (now - findings.unansweredSinceNanos > patienceNanos) {
            user.unanswered(new TransportException(
                    "topic '" + user.topic() + "': no broker has described it for " + patienceNanos / 1_000_000
                            + " ms, so it is not known whether what was acknowledged is in this topic. "
                            + user.account(),
                    cause));
        }
    }
}
