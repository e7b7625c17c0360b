package dev.baton.kafka.write;

import dev.baton.kafka.log.NewestFrame;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.spi.Incarnation;

/**
 * The state of a topic at the marker of a new writer.
 *
 * @param newest frame before its marker
 * @param incarnation of the writer, which contains the offset of its marker
 * @param predecessor that wrote the newest frame, null for none
 * @param isCauseComplete whether the newest frame is the last of a transaction
 */
public record WriterStart(
        NewestFrame newest, Incarnation incarnation, Incarnation predecessor, boolean isCauseComplete) {
    /** Returns the offset behind its marker and the control record of the marker's transaction. */
    long next(boolean isTransactional) {
        return WriterMarker.offsetOf(incarnation.id()) + (isTransactional ? 2 : 1);
    }
}
