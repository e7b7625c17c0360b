package dev.baton;

import dev.baton.engine.message.Encoding;
import java.nio.ByteBuffer;

/**
 * A sender of messages into a chain's first topic: an {@link Inlet} or one of its batches.
 *
 * <p>The first call of any method opens the topic: it may block, and throws {@link dev.baton.spi.errors.TransportException} if that
 * fails. Later calls throw the same exception if the transport cannot take a message any more. Confined to the thread of its
 * inlet.
 */
public interface Sender {
    /**
     * Begins a message whose origin is the current time.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @return the message to fill and commit; null when there is no room now
     * @throws IllegalArgumentException when {@code maxLength} is beyond the transport's limit
     * @throws ChainFailedException when the chain has stopped
     * @throws IllegalStateException when a claim is open, from another thread, or after close
     */
    Claim tryClaim(int maxLength);

    /**
     * Begins a message with a given origin. Otherwise as {@link #tryClaim(int)}.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @param originNanos the {@link System#nanoTime} at which it was intended to be sent
     * @return the message to fill and commit; null when there is no room now
     */
    Claim tryClaim(int maxLength, long originNanos);

    /**
     * Begins a message with a key ({@link Message#key}), which takes 8 to 264 bytes of the frame. Otherwise as {@link
     * #tryClaim(int, long)}.
     *
     * @param maxLength bytes of payload, to the transport's limit less what the key takes
     * @param originNanos as for {@link #tryClaim(int, long)}
     * @param key the bytes from position to limit, up to {@value dev.baton.spi.Extension#MAX_FIELD_BYTES}, which are copied;
     *     null for none
     * @return the message to fill and commit; null when there is no room now
     * @throws IllegalArgumentException when the key, or the payload with it, is too long
     */
    Claim tryClaim(int maxLength, long originNanos, ByteBuffer key);

    /**
     * Begins a message with a key and a W3C trace context, which takes 32 bytes of the frame. Otherwise as {@link
     * #tryClaim(int, long, ByteBuffer)}.
     *
     * @param maxLength bytes of payload, to the transport's limit less what key and context take
     * @param originNanos as for {@link #tryClaim(int, long)}
     * @param key as for {@link #tryClaim(int, long, ByteBuffer)}; null for none
     * @param trace the {@value dev.baton.spi.Extension#TRACE_BYTES} bytes from position to limit as of {@link Message#trace},
     *     which are copied; null for none
     * @return the message to fill and commit; null when there is no room now
     */
    default Claim tryClaim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        if (trace != null) {
            throw new UnsupportedOperationException("this sender carries no trace context");
        }
        return tryClaim(maxLength, originNanos, key);
    }

    /**
     * Sends a value if there is room now.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec codec that encodes it
     * @return whether it was sent
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    default <T> boolean offer(T value, Serde<T> codec) {
        Claim claim = tryClaim(Encoding.maxLength(codec, value));
        if (claim == null) {
            return false;
        }
        Encoding.send(claim, value, codec);
        return true;
    }

    /**
     * Sends a value. Waits for room for at most {@link Deployment#sendWithin}. A callback on a loop of the chain uses {@link
     * #offer} or {@link #tryClaim(int)}, because only that loop can free the room.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec codec that encodes it
     * @throws BackPressureException when there was no room in that time; the value is not sent
     * @throws IllegalStateException when called on a loop of the chain
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    <T> void send(T value, Serde<T> codec);

    /**
     * Sends a value with a key as {@link #send(Object, Serde)} does.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec codec that encodes it
     * @param key as for {@link #tryClaim(int, long, ByteBuffer)}; null for none
     */
    <T> void send(T value, Serde<T> codec, ByteBuffer key);

    /**
     * Sends a value with a key and a trace context as {@link #send(Object, Serde)} does.
     *
     * @param <T> the values
     * @param value encoded before this returns, and not kept
     * @param codec codec that encodes it
     * @param key as for {@link #tryClaim(int, long, ByteBuffer)}; null for none
     * @param trace as for {@link #tryClaim(int, long, ByteBuffer, ByteBuffer)}; null for none
     */
    default <T> void send(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        if (trace != null) {
            throw new UnsupportedOperationException("this sender carries no trace context");
        }
        send(value, codec, key);
    }

    /**
     * Sends bytes as {@link #send(Object, Serde)} does, as a message of type 0.
     *
     * @param payload all of its bytes, which are copied
     */
    void send(byte[] payload);

    /**
     * Sends some bytes of an array as {@link #send(Object, Serde)} does.
     *
     * @param payload array of which the bytes are copied
     * @param offset offset of the first byte sent
     * @param length length in bytes, 0 to the transport's limit
     * @param type any number; {@link Message#type} returns it
     * @throws IndexOutOfBoundsException when they do not lie within the array; nothing is sent
     */
    void send(byte[] payload, int offset, int length, int type);

    /**
     * Sends the bytes from position to limit as {@link #send(Object, Serde)} does.
     *
     * @param payload whose position and limit do not move, and which is the caller's again when this returns
     * @param type any number; {@link Message#type} returns it
     */
    void send(ByteBuffer payload, int type);

    /**
     * {@return a view of this sender for the values of a codec}
     *
     * @param <T> the values
     * @param codec codec that encodes them
     */
    default <T> TypedSender<T> typed(Serde<T> codec) {
        return new TypedSender<>(this, codec);
    }
}
