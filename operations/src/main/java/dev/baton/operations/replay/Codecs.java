package dev.baton.operations.replay;

import dev.baton.Serde;
import dev.baton.spi.Frame;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The codecs of a chain's messages, by the type of the messages. Confined to the replay's thread. */
final class Codecs {
    /** Decodes nothing. */
    static final Codecs NONE = new Codecs("", List.of());

    private final Map<Integer, Serde<?>> byType = new HashMap<>();
    private final String topic;

    /**
     * Creates a set of codecs.
     *
     * @param topic topic of the messages
     * @throws IllegalArgumentException if two of them have one type
     */
    Codecs(String topic, Collection<? extends Serde<?>> codecs) {
        this.topic = topic;
        for (Serde<?> codec : codecs) {
            if (byType.putIfAbsent(codec.type(), codec) != null) {
                throw new IllegalArgumentException("two codecs decode messages of type " + codec.type()
                        + "; give one codec for each type, and compare services with the same type one by one");
            }
        }
    }

    /** Returns the value of a message; null if no codec has its type, or its codec cannot decode it. */
    Object decode(Frame frame) {
        Serde<?> codec = byType.get(frame.type());
        try {
            return codec == null ? null : codec.decodeStored(topic, frame);
        } catch (RuntimeException undecodable) {
            return null; // the bytes are compared and shown
        }
    }
}
