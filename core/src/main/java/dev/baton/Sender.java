package dev.baton;

import java.nio.ByteBuffer;

/**
 * Sends messages into a chain's first topic: an {@link Inlet}, or a batch of one. Confined to the thread of its inlet.
 *
 * <p>The first call of any method opens the topic: it may block, and throws {@link dev.baton.spi.TransportException} when
 * that fails. So does a later one when the transport cannot take a message any more.
 */
public interface Sender {
    /**
     * Begins a message whose origin is now.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @return null when there is no room now
     * @throws IllegalArgumentException when {@code maxLength} is beyond the transport's limit
     * @throws ChainFailedException when the chain has stopped
     * @throws IllegalStateException when a claim is open, from another thread, or after close
     */
    Claim tryClaim(int maxLength);

    /**
     * Begins a message whose origin is given: the {@link System#nanoTime} at which it was meant to be sent. Otherwise as
     * {@link #tryClaim(int)}.
     */
    Claim tryClaim(int maxLength, long originNanos);

    /**
     * Begins a message with a key ({@link Message#key}): the bytes from position to limit, up to {@value
     * dev.baton.spi.Extension#MAX_FIELD_BYTES}, which are copied; null for none. It takes 8 to 264 bytes of the frame. Otherwise
     * as {@link #tryClaim(int, long)}.
     *
     * @throws IllegalArgumentException when the key, or the payload with it, is too long
     */
    Claim tryClaim(int maxLength, long originNanos, ByteBuffer key);

    /**
     * Begins a message with a key and a W3C trace context, each null for none: {@value
     * dev.baton.spi.Extension#TRACE_BYTES} bytes from position to limit as of {@link Message#trace}, which are copied and take
     * 32 bytes of the frame. Otherwise as {@link #tryClaim(int, long, ByteBuffer)}.
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
     * Sends a value, waiting for room as long as {@link Deployment#sendWithin} allows.
     *
     * @throws BackPressureException when there was no room in that time; the value is not sent
     * @throws IllegalArgumentException when it is longer than the transport carries
     * @throws ChainFailedException when the chain has stopped
     */
    <T> void send(T value, Serde<T> codec);

    /** The same for a message with a key, as of {@link #tryClaim(int, long, ByteBuffer)}. */
    <T> void send(T value, Serde<T> codec, ByteBuffer key);

    /** The same for a message with a trace context as well, as of {@link #tryClaim(int, long, ByteBuffer, ByteBuffer)}. */
    default <T> void send(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        if (trace != null) {
            throw new UnsupportedOperationException("this sender carries no trace context");
        }
        send(value, codec, key);
    }

    /** Sends bytes, waiting like the other {@code send}. */
    void send(byte[] payload);

    /**
     * Sends {@code length} bytes from {@code offset} on as a message of this type, waiting like the other {@code send}.
     *
     * @throws IndexOutOfBoundsException when they do not lie within the array; nothing is sent
     */
    void send(byte[] payload, int offset, int length, int type);

    /**
     * Sends the bytes from position to limit as a message of this type, waiting like the other {@code send}. Neither position
     * nor limit moves, and the buffer is the caller's again when this returns.
     */
    void send(ByteBuffer payload, int type);

    /** Returns a view of this sender that has the codec already. */
    default <T> TypedSender<T> typed(Serde<T> codec) {
        return new TypedSender<>(this, codec);
    }
}
