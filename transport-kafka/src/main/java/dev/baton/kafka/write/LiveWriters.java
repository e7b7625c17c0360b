package dev.baton.kafka.write;

import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The last writer of each topic that this transport opened, so that there is one at a time, and the next one waits for
 * its frames in flight.
 *
 * <p>Writers of other processes are not registered here; the {@link FencingMonitor} detects
 * those. Thread-safe.
 */
public final class LiveWriters {
    private final Map<String, KafkaWriter> last = new HashMap<>();
    private final Set<String> opening = new HashSet<>();
    private final Set<String> unanswered = new HashSet<>(); // withdrawn, while their markers may be stored

    /**
     * Takes the topic for a new writer, which {@link #opened} or {@link #release} has to follow.
     *
     * @return the writer before it; null for none, or if its connection is closed
     * @throws OccupiedException when the topic has a live writer
     * @throws TransportException when the marker of a withdrawn one may still be stored
     */
    public synchronized KafkaWriter reserve(String topic) {
        if (unanswered.contains(topic)) {
            throw new TransportException("topic '" + topic + "': the marker of a writer that was not opened in time may"
                    + " still be stored, and would replace a writer opened now; open it again later");
        }
        KafkaWriter previous = last.get(topic);
        boolean isLive = previous != null && !previous.isClosed();
        if (isLive || !opening.add(topic)) {
            throw new OccupiedException(
                    "topic '" + topic + "' has a live writer in this process; close it before another is opened");
        }
        return previous;
    }

    public synchronized void opened(KafkaWriter writer) {
        opening.remove(writer.topic());
        last.put(writer.topic(), writer);
    }

    public synchronized void release(String topic) {
        opening.remove(topic);
        unanswered.remove(topic);
    }

    /**
     * Releases a topic as soon as the marker of its withdrawn writer is stored or never will be: stored later, it would
     * replace the next writer.
     */
    public void releaseAfter(String topic, CompletableFuture<Void> answered) {
        synchronized (this) {
            unanswered.add(topic);
        }
        answered.whenComplete((nothing, failure) -> release(topic));
    }

    /** Forgets a writer whose connection is closed. */
    public synchronized void ended(KafkaWriter writer) {
        last.remove(writer.topic(), writer);
    }

    /**
     * Checks that topics are not being written to.
     *
     * @throws TransportException when one of the topics has a live writer, or one that is being opened
     */
    public synchronized void requireNone(Collection<String> topics) {
        for (String topic : topics) {
            KafkaWriter writer = last.get(topic);
            if (opening.contains(topic) || writer != null && !writer.isClosed()) {
                throw new TransportException(
                        "topic '" + topic + "' is in use: it has a live writer in this process; close that one first");
            }
        }
    }

    public synchronized void forget(Collection<String> topics) {
        topics.forEach(last::remove);
    }
}
