package dev.baton.spi;

import dev.baton.spi.TopicReader.TopicStart;

/**
 * The input to which the causes of a topic's frames refer. A sequence alone is ambiguous once a topic was deleted and created
 * again, or restored from a copy and then written again. Immutable, thread-safe.
 *
 * @param topic identity of the input topic ({@link TopicStart#identity}); 0 when it is not known
 * @param incarnation id of the {@link Incarnation} that wrote the input with the newest cause; 0 when it is not known
 */
public record InputRef(long topic, long incarnation) {
    /** The reference to an unknown input. */
    public static final InputRef UNKNOWN = new InputRef(0, 0);
}
