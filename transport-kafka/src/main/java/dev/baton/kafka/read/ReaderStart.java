package dev.baton.kafka.read;

import dev.baton.kafka.topics.CommittedPosition;
import dev.baton.spi.Incarnation;

/**
 * The place in a topic at which a reader starts.
 *
 * @param position position before the first frame that it reads
 * @param owner newest writer that began before the place; null when it is not known
 */
public record ReaderStart(CommittedPosition position, Incarnation owner) {}
