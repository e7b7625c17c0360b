package dev.baton;

import java.nio.ByteBuffer;

/**
 * Where a service's or a source's messages go: the writing end of the next topic. Valid during a callback, confined to
 * its thread. Outputs become visible to the next service when the callback's batch ends, and not at all when the
 * callback throws.
 */
public interface Outlet {
    /**
     * {@return the number of messages that can be claimed now; in {@link Service#onMessage} at least what {@link
     * Service#maxOutputs} asked}
     */
    int remainingCapacity();

    /**
     * {@return the sequence of the newest message committed to this topic, also in an earlier run; 0 for none} A source that
     * was restarted goes on behind it.
     */
    long sequence();

    /**
     * Begins a message that inherits the origin of the input in hand; in a tick its origin is the time of the claim.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @return the message to fill and commit; null when there is no room, which cannot happen within {@link
     *     Service#maxOutputs}
     * @throws IllegalArgumentException beyond the transport's limit
     * @throws IllegalStateException when a claim is open or {@link Service#maxOutputs} is used up
     */
    Claim claim(int maxLength);

    /**
     * Begins a message whose origin is given. Otherwise as {@link #claim(int)}.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @param originNanos the {@link System#nanoTime} at which it was meant to be sent
     * @return the message to fill and commit; null when there is no room
     */
    Claim claim(int maxLength, long originNanos);

    /**
     * Begins a message with a key ({@link Message#key}), which takes 8 to 264 bytes of the frame. Otherwise as {@link
     * #claim(int)}. A service passes the key of its input on by {@code out.claim(maxLength, in.key())}.
     *
     * @param maxLength bytes of payload, to the transport's limit less what the key takes
     * @param key the bytes from position to limit, up to {@value dev.baton.spi.Extension#MAX_FIELD_BYTES}, which are copied;
     *     null for none
     * @return the message to fill and commit; null when there is no room
     */
    Claim claim(int maxLength, ByteBuffer key);

    /**
     * Begins a message whose origin is given, and its key. Otherwise as {@link #claim(int)}.
     *
     * @param maxLength bytes of payload, to the transport's limit less what the key takes
     * @param originNanos as for {@link #claim(int, long)}
     * @param key as for {@link #claim(int, ByteBuffer)}; null for none
     * @return the message to fill and commit; null when there is no room
     */
    Claim claim(int maxLength, long originNanos, ByteBuffer key);

    /**
     * Begins a message with a key and a W3C trace context, which takes 32 bytes of the frame. Where {@link
     * Deployment#traceContext} is set, a message without one of its own has that of the input in hand. Otherwise as {@link
     * #claim(int)}.
     *
     * @param maxLength bytes of payload, to the transport's limit less what key and context take
     * @param key as for {@link #claim(int, ByteBuffer)}; null for none
     * @param trace the {@value dev.baton.spi.Extension#TRACE_BYTES} bytes from position to limit as of {@link Message#trace},
     *     which are copied; null for none of its own
     * @return the message to fill and commit; null when there is no room
     */
    default Claim claim(int maxLength, ByteBuffer key, ByteBuffer trace) {
        if (trace != null) {
            throw new UnsupportedOperationException("this outlet carries no trace context");
        }
        return claim(maxLength, key);
    }

    /**
     * Begins a message whose origin is given, its key and its trace context. Otherwise as {@link #claim(int)}.
     *
     * @param maxLength bytes of payload, to the transport's limit less what key and context take
     * @param originNanos as for {@link #claim(int, long)}
     * @param key as for {@link #claim(int, ByteBuffer)}; null for none
     * @param trace as for {@link #claim(int, ByteBuffer, ByteBuffer)}; null for none of its own
     * @return the message to fill and commit; null when there is no room
     */
    default Claim claim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        if (trace != null) {
            throw new UnsupportedOperationException("this outlet carries no trace context");
        }
        return claim(maxLength, originNanos, key);
    }

    /**
     * Sends a value, with the type of its codec.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec that encodes it
     * @return whether it was sent; false when there is no room, which cannot happen within {@link Service#maxOutputs}
     */
    default <T> boolean send(T value, Serde<T> codec) {
        return send(value, codec, null);
    }

    /**
     * Sends a value with a key, with the type of its codec.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec that encodes it
     * @param key as for {@link #claim(int, ByteBuffer)}; null for none
     * @return whether it was sent; false when there is no room
     */
    default <T> boolean send(T value, Serde<T> codec, ByteBuffer key) {
        int maxLength = Encoding.maxLength(codec, value);
        Claim claim = key == null ? claim(maxLength) : claim(maxLength, key);
        if (claim == null) {
            return false;
        }
        claim.type(codec.type()).commit(Encoding.encode(codec, value, claim));
        return true;
    }

    /**
     * Sends a message's payload and type on unchanged; not its key.
     *
     * @param in valid message, such as the input in hand
     * @return whether it was sent; false when there is no room, which cannot happen within {@link Service#maxOutputs}
     */
    default boolean forward(Message in) {
        int length = in.length();
        Claim claim = claim(length);
        if (claim == null) {
            return false;
        }
        claim.type(in.type()).putPayload(in).commit(length);
        return true;
    }

    /**
     * Sends a message's payload and type on unchanged, with a key: {@code out.forward(in, in.key())} keeps its own.
     *
     * @param in valid message, such as the input in hand
     * @param key as for {@link #claim(int, ByteBuffer)}; null for none
     * @return whether it was sent; false when there is no room
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
