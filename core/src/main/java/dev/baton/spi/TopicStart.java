package dev.baton.spi;

/**
 * The start of a consumer in a topic, as its reader found both when it was opened. Immutable, thread-safe.
 *
 * @param acknowledged sequence of the newest frame that the consumer had acknowledged, or of the frame before the {@link
 *     StartPosition} at which it was opened; 0 for none; {@link TopicReader#UNKNOWN} if the transport does not keep it. With it
 *     a chain detects new frames of a topic without polling
 * @param newest sequence of the newest frame that the topic held; {@link TopicReader#UNKNOWN} if it is expensive to find
 * @param identity identity of the topic, which changes if the topic is deleted and created again; 0 if the transport has none
 */
public record TopicStart(long acknowledged, long newest, long identity) {
    /** The start over a transport that knows nothing about it. */
    public static final TopicStart UNKNOWN = new TopicStart(TopicReader.UNKNOWN, TopicReader.UNKNOWN, 0);
}
