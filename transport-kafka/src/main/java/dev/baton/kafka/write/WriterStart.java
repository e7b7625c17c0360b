package dev.baton.kafka.write;

import dev.baton.kafka.log.WriterMarker;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicEnd;
import org.apache.kafka.common.Uuid;

/**
 * The state of a topic at the marker of a new writer.
 *
 * @param topic name of the topic
 * @param topicId identity of the topic
 * @param sequence of the newest frame before its marker
 * @param found newest frame before its marker
 * @param incarnation of the writer, which contains the offset of its marker
 */
public record WriterStart(String topic, Uuid topicId, long sequence, TopicEnd found, Incarnation incarnation) {
    /** Returns the offset behind its marker and the control record of the marker's transaction. */
    public long next(boolean isTransactional) {
        return WriterMarker.offsetOf(incarnation.id()) + (isTransactional ? 2 : 1);
    }
}
