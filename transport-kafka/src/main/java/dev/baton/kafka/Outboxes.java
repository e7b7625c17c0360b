package dev.baton.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;

/**
 * The outboxes of a connection: one for all its writers, or with transactions one for each.
 *
 * <p>An outbox that has lost a frame is not used again: the next writer gets a new one, while writers of the old one may
 * still be open and stay failed. The old one is dropped when {@link #doWork} has thrown its failure. Confined to its loop.
 */
final class Outboxes {
    private final ClientSettings settings;
    private final KafkaOptions options;
    private final String clientId;
    private final LoopThread loop;
    private final Runnable wake;
    private final List<Outbox> all = new ArrayList<>();

    Outboxes(ClientSettings settings, KafkaOptions options, String clientId, LoopThread loop, Runnable wake) {
        this.settings = settings;
        this.options = options;
        this.clientId = clientId;
        this.loop = loop;
        this.wake = wake;
    }

    /**
     * The outbox that a new writer of the topic is to use. A transactional one has fenced any other writer of the topic. When
     * no writer is opened with it, or this throws, {@link #dropUnused} has to follow.
     */
    Outbox forWriter(String topic, Deadline deadline) {
        retire(deadline);
        Outbox outbox = options.write().transactions() ? null : running();
        if (outbox == null) {
            outbox = make(topic);
            all.add(outbox);
        }
        outbox.prepare(Topics.partitionOf(topic).topic(), deadline);
        return outbox;
    }

    /** Ends at once every producer that no writer uses. */
    void dropUnused() {
        boolean wasInterrupted = Thread.interrupted(); // the client would not wait for its thread to end
        try {
            Deadline now = Deadline.in(Duration.ZERO);
            end(outbox -> !outbox.isUsed(), now);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    int doWork() {
        int work = 0;
        for (int i = 0; i < all.size(); i++) {
            work += all.get(i).doWork();
        }
        return work;
    }

    /** Whether a turn has something to do for acknowledgements or a failure. */
    boolean hasNews() {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).hasNews()) {
                return true;
            }
        }
        return false;
    }

    void sendWaiting() {
        all.forEach(Outbox::sendWaiting);
    }

    List<Outbox> all() {
        return all;
    }

    /** Ends what has stopped, and transactional producers of writers that are closed and have stored everything. */
    private void retire(Deadline deadline) {
        end(outbox -> outbox.isStopped() || outbox.isTransactional() && !outbox.isUsed(), deadline);
    }

    /** A failure that no turn has thrown yet keeps its outbox. */
    private void end(Predicate<Outbox> isOver, Deadline deadline) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Outbox outbox = all.get(i);
            if (outbox.untoldFailure() == null && isOver.test(outbox)) {
                all.remove(i);
                outbox.close(deadline);
            }
        }
    }

    /** The outbox that has not stopped; null when there is none. */
    private Outbox running() {
        for (Outbox outbox : all) {
            if (!outbox.isStopped()) {
                return outbox;
            }
        }
        return null;
    }

    private Outbox make(String topic) {
        try {
            return options.write().transactions()
                    ? new TransactionalOutbox(settings, options, clientId + "-" + topic, topic, loop, wake)
                    : new Outbox(settings, options.write(), clientId, loop, wake);
        } catch (KafkaException failure) {
            throw Refused.client(failure, options);
        }
    }
}
