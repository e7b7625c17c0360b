package dev.baton.kafka;

import dev.baton.spi.TransportException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The last writer of each topic that this transport opened, so that there is one at a time.
 *
 * <p>Kafka itself lets anybody write: a writer in another process is not noticed here. Readers notice, by the sequence.
 * Thread-safe.
 */
final class LiveWriters {
    private final Map<String, KafkaWriter> last = new HashMap<>();
    private final Set<String> opening = new HashSet<>();

    /**
     * Takes the topic for a new writer, which {@link #opened} or {@link #gaveUp} has to follow.
     *
     * @return the closed writer before it, null if there was none
     * @throws TransportException when the topic has a live writer
     */
    synchronized KafkaWriter reserve(String topic) {
        KafkaWriter previous = last.get(topic);
        if ((previous != null && !previous.isClosed()) || !opening.add(topic)) {
            throw new TransportException(
                    "topic '" + topic + "' has a live writer in this process; close it before another is opened");
        }
        return previous;
    }

    synchronized void opened(KafkaWriter writer) {
        opening.remove(writer.topic());
        last.put(writer.topic(), writer);
    }

    synchronized void gaveUp(String topic) {
        opening.remove(topic);
    }

    synchronized void forget(Collection<String> topics) {
        topics.forEach(last::remove);
    }
}
