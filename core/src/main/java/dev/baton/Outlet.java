package dev.baton;

import dev.baton.engine.message.Encoding;
import java.nio.ByteBuffer;

/**
 * The writing end of the output topic of a service or a source. Valid during a callback. Outputs become visible to the next
 * service when the callback's batch ends; if the callback throws, its outputs are discarded. Confined to the thread of the
 * callback.
 */
public interface Outlet {
    /**
     * {@return the number of messages that can be claimed now; in {@link Service#onMessage} at least {@link
     * Service#maxOutputs}}
     */
    int remainingCapacity();

    /**
     * {@return the sequence of the newest message committed to this topic, including earlier runs; 0 for none} A restarted
     * source continues after it.
     */
    long sequence();

    /**
     * {@return the key of the input that the service handles ({@link Message#key}); null if that has none, and in a tick or
     * a source} {@link #send(Object, Serde)} gives it to its message. An outlet that stands in front of another returns
     * that one's.
     */
    default ByteBuffer inputKey() {
        return null;
    }

    /**
     * Begins a message with the origin of the current input, and without a key: {@code out.claim(maxLength, out.inputKey())}
     * passes the input's key along. In a turn of a source its origin is the time of the turn's first claim.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @return the message to fill and commit; null if there is no room, which cannot happen within {@link Service#maxOutputs}
     * @throws IllegalArgumentException if {@code maxLength} exceeds the transport's limit
     * @throws IllegalStateException if a claim is open
     * @throws ConfigurationException if {@link Service#maxOutputs} is used up
     */
    Claim claim(int maxLength);

    /**
     * Begins a message with a key ({@link Message#key}), which takes 8 to 264 bytes of the frame. Otherwise as {@link
     * #claim(int)}.
     *
     * @param maxLength bytes of payload, to the transport's limit less what the key takes
     * @param key the bytes from position to limit, up to {@value dev.baton.spi.Extension#MAX_FIELD_BYTES}, which are copied;
     *     null for none
     * @return the message to fill and commit; null when there is no room
     */
    Claim claim(int maxLength, ByteBuffer key);

    /**
     * Begins a message with some fields, and without the key of the input. Otherwise as {@link #claim(int)}. If {@link
     * Deployment#traceContext} is set, a message without its own trace context has that of the current input.
     *
     * @param maxLength bytes of payload, to the transport's limit less what key and trace context take
     * @param fields type, origin, key and trace context, which are copied; {@link Message#UNKNOWN_TIME} for the origin of {@link
     *     #claim(int)}; {@link Claim#type} may set another type
     * @return the message to fill and commit; null when there is no room
     */
    Claim claim(int maxLength, MessageFields fields);

    /**
     * Sends a value with the type of its codec, and with the key of the current input, if there is one. {@code out.send(value,
     * codec, null)} sends it without a key.
     *
     * @param <T> type of the value
     * @param value encoded before this method returns, and not kept
     * @param codec codec that encodes it
     * @return true if it was sent; false if there is no room, which cannot happen within {@link Service#maxOutputs}
     */
    default <T> boolean send(T value, Serde<T> codec) {
        return send(value, codec, inputKey());
    }

    /**
     * Sends a value with a key and the type of its codec.
     *
     * @param <T> type of the value
     * @param value encoded before this method returns, and not kept
     * @param codec codec that encodes it
     * @param key as for {@link #claim(int, ByteBuffer)}; null for none
     * @return true if it was sent; false if there is no room
     */
    default <T> boolean send(T value, Serde<T> codec, ByteBuffer key) {
        int maxLength = Encoding.maxLength(codec, value);
        Claim claim = key == null ? claim(maxLength) : claim(maxLength, key);
        if (claim == null) {
            return false;
        }
        Encoding.send(claim, value, codec);
        return true;
    }

    /**
     * Sends the payload, the type and the key of a message unchanged.
     *
     * @param in valid message, such as the current input
     * @return true if it was sent; false if there is no room, which cannot happen within {@link Service#maxOutputs}
     */
    default boolean forward(Message in) {
        return forward(in, in.key());
    }

    /**
     * Sends the payload and type of a message unchanged, with another key. {@code out.forward(in, null)} drops its key.
     *
     * @param in valid message, such as the current input
     * @param key as for {@link #claim(int, ByteBuffer)}; null for none
     * @return true if it was sent; false if there is no room
     */
    default boolean forward(Message in, ByteBuffer key) {
        int length = in.length();
        Claim claim = claim(length, key);
        if (claim == null) {
            return false;
        }
        claim.type(in.type()).putPayload(in).commit(length);
        return true;
    }
}
