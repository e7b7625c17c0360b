package dev.baton.kafka;

import dev.baton.spi.TopicReader;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;

/**
 * A consumer's position as its group keeps it: the offset as Kafka understands it, so that Kafka's own tools show the
 * lag, and in the metadata the topic's identity and the sequence: {@code topicId:sequence}.
 *
 * <p>The identity tells the position in a topic from that in an earlier topic of the same name. A position without
 * metadata, set by one of Kafka's tools, counts for any. Immutable, thread-safe.
 *
 * @param topicId the identity of the topic
 * @param nextOffset of the first frame not acknowledged
 * @param sequence of the last frame acknowledged, 0 when there was none, {@link TopicReader#UNKNOWN}
 */
record StoredPosition(Uuid topicId, long nextOffset, long sequence) {
    OffsetAndMetadata forKafka() {
        return new OffsetAndMetadata(nextOffset, topicId + ":" + sequence);
    }

    /** What was stored for this topic, null when nothing was, or for an earlier topic of its name. */
    static StoredPosition fromKafka(OffsetAndMetadata stored, Uuid topicId) {
        if (stored == null) {
            return null;
        }
        String metadata = stored.metadata();
        if (metadata.isEmpty()) {
            return new StoredPosition(topicId, stored.offset(), TopicReader.UNKNOWN);
        }
        String identity = topicId + ":";
        if (!metadata.startsWith(identity)) {
            return null;
        }
        long sequence = Long.parseLong(metadata.substring(identity.length()));
        return new StoredPosition(topicId, stored.offset(), sequence);
    }
}
