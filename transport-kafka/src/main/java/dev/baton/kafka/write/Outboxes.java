package dev.baton.kafka.write;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.Refused;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.ThreadConfinement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/**
 * The outboxes of a connection: one for all its writers, or with transactions one for each.
 *
 * <p>An outbox that has lost a frame is not used again: the next writer gets a new one, while writers of the old one may
 * still be open and stay failed. The old one is dropped when a writer has reported its failure.
 *
 * <p>Confined to its loop, but for {@link #forWriter} and {@link #giveUp}, which any thread that opens a writer calls, one
 * at a time as far as they make and end producers.
 */
public final class Outboxes {
    private final ClientSettings settings;
    private final KafkaOptions options;
    private final String clientId;
    private final ThreadConfinement loop;
    private final Runnable wake;
    private volatile Outbox[] all = {}; // replaced under the lock of this
    private boolean isClosed; // guarded by this

    public Outboxes(
            ClientSettings settings, KafkaOptions options, String clientId, ThreadConfinement loop, Runnable wake) {
        this.settings = settings;
        this.options = options;
        this.clientId = clientId;
        this.loop = loop;
        this.wake = wake;
    }

    /**
     * The outbox that a new writer of the topic is to use, which is kept in use for it. A transactional one has fenced
     * every other writer of the topic. When no writer is opened with it, {@link #giveUp} has to follow. May block.
     */
    public Outbox forWriter(String topic, Deadline deadline) {
        Outbox outbox = reserve(topic, deadline);
        try {
            outbox.prepare(TopicNames.partitionOf(topic).topic(), deadline);
            return outbox;
        } catch (RuntimeException failure) {
            giveUp(outbox);
            throw failure;
        }
    }

    private synchronized Outbox reserve(String topic, Deadline deadline) {
        if (isClosed) {
            throw new IllegalStateException("the connection is closed");
        }
        retire(deadline);
        Outbox outbox = options.write().transactions() ? null : running();
        if (outbox == null) {
            outbox = make(topic);
            all = Stream.concat(Stream.of(all), Stream.of(outbox)).toArray(Outbox[]::new);
        }
        outbox.reserve();
        return outbox;
    }

    /** No writer is opened with the outbox; ends at once every producer that none uses. May block. */
    public synchronized void giveUp(Outbox reserved) {
        reserved.release();
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

    public int doWork() {
        int work = 0;
        for (Outbox outbox : all) {
            work += outbox.doWork();
        }
        return work;
    }

    /** Whether a turn has something to do for acknowledgements or a failure. */
    public boolean hasNews() {
        for (Outbox outbox : all) {
            if (outbox.hasNews()) {
                return true;
            }
        }
        return false;
    }

    public void sendWaiting() {
        for (Outbox outbox : all) {
            outbox.sendWaiting();
        }
    }

    /** Makes no more of them; those that there are. */
    public synchronized List<Outbox> close() {
        isClosed = true;
        return List.of(all);
    }

    /** Ends what has stopped, and transactional producers of writers that are closed and have stored everything. */
    private void retire(Deadline deadline) {
        end(outbox -> outbox.isStopped() || outbox.isTransactional() && !outbox.isUsed(), deadline);
    }

    /** A failure that no writer has reported yet keeps its outbox: the close of the connection throws it. */
    private void end(Predicate<Outbox> isOver, Deadline deadline) {
        for (Outbox outbox : all) {
            if (outbox.untoldFailure() == null && isOver.test(outbox)) {
                all = Arrays.stream(all).filter(each -> each != outbox).toArray(Outbox[]::new);
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
