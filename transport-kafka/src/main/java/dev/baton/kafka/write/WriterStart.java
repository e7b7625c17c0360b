package dev.baton.kafka.write;

import dev.baton.kafka.log.NewestFrame;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.spi.Incarnation;

/**
 * Where a writer begins. Immutable but for what the newest frame says of itself.
 *
 * @param newest frame before its marker
 * @param incarnation of the writer, which says where its marker lies
 * @param predecessor that wrote the newest frame, null for none
 * @param isCauseComplete whether the newest frame is the last of a transaction
 */
public record WriterStart(
        NewestFrame newest, Incarnation incarnation, Incarnation predecessor, boolean isCauseComplete) {
    /** The offset behind its marker, and behind that of its marker's transaction. */
    long next(boolean isTransactional) {
        return WriterMarker.offsetOf(incarnation.id()) + (isTransactional ? 2 : 1);
    }
}
