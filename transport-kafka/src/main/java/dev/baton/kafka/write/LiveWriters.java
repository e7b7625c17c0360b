package dev.baton.kafka.write;

import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;

/**
 * The last writer of each topic that this transport opened, so that there is one at a time, and the next one waits for
 * its frames in flight.
 *
 * <p>Writers of other processes are not registered here; the {@link dev.baton.kafka.fencing.FencingMonitor} detects
 * those. Thread-safe.
 */
public final class LiveWriters {
    /**
     * The state of the writer before a new one.
     *
     * @param writer null when there was none or its connection is closed
     * @param topicId of the topic that the connection's close has left, null when there is none
     * @param sequence that it has left
     */
    public record Predecessor(KafkaWriter writer, Uuid topicId, long sequence) {
        static final Predecessor NONE = new Predecessor(null, null, 0);

        /** Returns whether none of its frames is in flight any more. */
        public boolean isSettled() {
            return writer == null || writer.isSettled();
        }

        /** Returns the least sequence of the topic; 0 when it is another topic of the name, or not known. */
        public long sequenceIn(Uuid topic) {
            if (writer != null) {
                return writer.topicId().equals(topic) && !writer.hasFailed() ? writer.sequence() : 0;
            }
            return topic.equals(topicId) ? sequence : 0;
        }
    }

    private final Map<String, Predecessor> last = new HashMap<>();
    private final Set<String> opening = new HashSet<>();

    /**
     * Takes the topic for a new writer, which {@link #opened} or {@link #release} has to follow.
     *
     * @throws TransportException when the topic has a live writer
     */
    public synchronized Predecessor reserve(String topic) {
        Predecessor previous = last.getOrDefault(topic, Predecessor.NONE);
        boolean isLive = previous.writer() != null && !previous.writer().isClosed();
        if (isLive || !opening.add(topic)) {
            throw new TransportException(
                    "topic '" + topic + "' has a live writer in this process; close it before another is opened");
        }
        return previous;
    }

    public synchronized void opened(KafkaWriter writer) {
        opening.remove(writer.topic());
        last.put(writer.topic(), new Predecessor(writer, null, 0));
    }

    public synchronized void release(String topic) {
        opening.remove(topic);
    }

    /** Keeps the sequence of a writer whose connection is closed. */
    public synchronized void ended(KafkaWriter writer) {
        Predecessor known = last.get(writer.topic());
        if (known != null && known.writer() == writer) {
            last.put(writer.topic(), new Predecessor(null, writer.topicId(), known.sequenceIn(writer.topicId())));
        }
    }

    /**
     * Throws when one of the topics has a live writer.
     *
     * @throws TransportException when one of the topics has a live writer, or one that is being opened
     */
    public synchronized void requireNone(Collection<String> topics) {
        for (String topic : topics) {
            KafkaWriter writer = last.getOrDefault(topic, Predecessor.NONE).writer();
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
