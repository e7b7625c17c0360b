package dev.baton.kafka.write;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.support.ThreadConfinement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/**
 * The producers of a connection: one for all its writers, or with transactions one for each.
 *
 * <p>A producer that has lost a frame is not used again: the next writer gets a new one, while writers of the old one
 * may still be open and stay failed. The old one is dropped when a writer has reported its failure.
 *
 * <p>Confined to its loop, but for {@link #forWriter} and {@link #release}, which any thread that opens a writer calls,
 * one at a time as far as they make and end producers.
 */
public final class FrameProducers {
    private final ClientSettings settings;
    private final KafkaOptions options;
    private final String clientId;
    private final ThreadConfinement loop;
    private final Runnable wake;
    private volatile FrameProducer[] all = {}; // replaced under the lock of this
    private boolean isClosed; // guarded by this

    public FrameProducers(
            ClientSettings settings, KafkaOptions options, String clientId, ThreadConfinement loop, Runnable wake) {
        this.settings = settings;
        this.options = options;
        this.clientId = clientId;
        this.loop = loop;
        this.wake = wake;
    }

    /**
     * Returns the producer for a new writer of the topic, which is reserved for it. A transactional one has
     * fenced every other writer of the topic. When no writer is opened with it, {@link #release} has to follow. May
     * block.
     */
    public FrameProducer forWriter(String topic, Deadline deadline) {
        FrameProducer producer = reserve(topic, deadline);
        try {
            producer.prepare(TopicNames.partitionOf(topic).topic(), deadline);
            return producer;
        } catch (RuntimeException failure) {
            release(producer);
            throw failure;
        }
    }

    private synchronized FrameProducer reserve(String topic, Deadline deadline) {
        if (isClosed) {
            throw new IllegalStateException("the connection is closed");
        }
        retire(deadline);
        FrameProducer producer = options.get(KafkaOptions.TRANSACTIONS) ? null : running();
        if (producer == null) {
            producer = make(topic);
            all = Stream.concat(Stream.of(all), Stream.of(producer)).toArray(FrameProducer[]::new);
        }
        producer.reserve();
        return producer;
    }

    /** Releases a producer, as no writer is opened with it, and closes every producer that none uses. May block. */
    public synchronized void release(FrameProducer reserved) {
        reserved.release();
        boolean wasInterrupted = Thread.interrupted(); // the client would not wait for its thread to end
        try {
            end(producer -> !producer.isUsed(), Deadline.in(Duration.ZERO));
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the id under which a writer of a topic that stores in transactions fences the one before it. */
    public String transactionalId(String topic) {
        return TransactionalFrameProducer.transactionalId(options, topic);
    }

    public int doWork() {
        int work = 0;
        for (FrameProducer producer : all) {
            work += producer.doWork();
        }
        return work;
    }

    /** Returns whether acknowledgements or a failure came since the last turn. */
    public boolean hasNews() {
        for (FrameProducer producer : all) {
            if (producer.hasNews()) {
                return true;
            }
        }
        return false;
    }

    public void sendWaiting() {
        for (FrameProducer producer : all) {
            producer.sendWaiting();
        }
    }

    /** Creates no more producers; returns those that there are. */
    public synchronized List<FrameProducer> close() {
        isClosed = true;
        return List.of(all);
    }

    /**
     * Closes producers that have stopped, and transactional ones of writers that are closed and have stored everything.
     */
    private void retire(Deadline deadline) {
        end(producer -> producer.isStopped() || producer.isTransactional() && !producer.isUsed(), deadline);
    }

    /** Closes producers, but for those with an unreported failure, which the close of the connection throws. */
    private void end(Predicate<FrameProducer> isOver, Deadline deadline) {
        for (FrameProducer producer : all) {
            if (producer.unreportedFailure() == null && isOver.test(producer)) {
                all = Arrays.stream(all).filter(each -> each != producer).toArray(FrameProducer[]::new);
                producer.close(deadline);
            }
        }
    }

    /** The producer that has not stopped; null when there is none. */
    private FrameProducer running() {
        return Stream.of(all)
                .filter(producer -> !producer.isStopped())
                .findFirst()
                .orElse(null);
    }

    private FrameProducer make(String topic) {
        try {
            return options.get(KafkaOptions.TRANSACTIONS)
                    ? new TransactionalFrameProducer(settings, options, clientId + "-" + topic, topic, loop, wake)
                    : new FrameProducer(settings.producer(clientId), options, loop, wake);
        } catch (KafkaException failure) {
            throw KafkaFailures.client(failure, options);
        }
    }
}
