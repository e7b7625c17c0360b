package dev.baton.spi;

/**
 * A consumer of a topic, and its distance from the topic's end. Immutable, thread-safe.
 *
 * @param consumer name of the consumer
 * @param frames number of flushed frames that it has not acknowledged
 */
public record ConsumerLag(String consumer, long frames) {}
