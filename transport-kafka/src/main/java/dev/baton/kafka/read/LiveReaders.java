package dev.baton.kafka.read;

import dev.baton.kafka.topics.ReaderClaim;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The consumers that have a live reader on some connection of this transport, so that there is one at a time. Readers
 * of other processes replace each other ({@link ReaderClaim}). Thread-safe.
 */
public final class LiveReaders {
    private record Key(TopicPartition partition, String consumer) {}

    private final Map<Key, KafkaReader.Owner> live = new HashMap<>();

    /**
     * Takes a consumer for a new reader, until {@link #free}.
     *
     * @throws OccupiedException when it has a live reader
     */
    public synchronized void reserve(TopicPartition partition, String consumer, KafkaReader.Owner connection) {
        requireNone(partition, consumer);
        live.put(new Key(partition, consumer), connection);
    }

    /**
     * Checks that a topic is not being read.
     *
     * @throws TransportException when a consumer of the topic has a live reader
     */
    public synchronized void requireNone(TopicPartition partition) {
        for (Key key : live.keySet()) {
            if (key.partition().equals(partition)) {
                throw new TransportException("topic '" + TopicNames.of(partition) + "' is in use: consumer '"
                        + key.consumer() + "' has a live reader in this process; close that one first");
            }
        }
    }

    /**
     * Checks that a consumer is not being read.
     *
     * @throws OccupiedException when a consumer has a live reader
     */
    public synchronized void requireNone(TopicPartition partition, String consumer) {
        if (live.containsKey(new Key(partition, consumer))) {
            throw occupied(partition, consumer, "has a live reader in this process; close that one first");
        }
    }

    /** Returns the exception for a consumer that is being read. */
    public static OccupiedException occupied(TopicPartition partition, String consumer, String why) {
        return new OccupiedException("topic '" + TopicNames.of(partition) + "': consumer '" + consumer + "' " + why);
    }

    public synchronized void free(TopicPartition partition, String consumer, KafkaReader.Owner connection) {
        live.remove(new Key(partition, consumer), connection);
    }

    /** Frees the consumers of all readers of a connection. */
    public synchronized void freeAllOf(KafkaReader.Owner connection) {
        live.values().removeIf(owner -> owner == connection);
    }
}
