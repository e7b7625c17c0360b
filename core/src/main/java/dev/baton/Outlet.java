package dev.baton;

import java.nio.ByteBuffer;

/**
 * Where a service's or a source's messages go: the writing end of the next topic. Valid during a callback, confined to
 * its thread. Outputs become visible to the next service when the callback's batch ends, and not at all when the
 * callback throws.
 */
public interface Outlet {
    /** Messages that can be claimed now; in {@link Service#onMessage} at least what {@link Service#maxOutputs} asked. */
    int remainingCapacity();

    /**
     * Sequence of the newest message committed to this topic, also in an earlier run: a source that was restarted goes on
     * behind it. 0 for none.
     */
    long sequence();

    /**
     * Begins a message that inherits the origin of the input in hand; in a tick its origin is the time of the claim.
     *
     * @param maxLength bytes of payload, 0 to the transport's limit
     * @return null when there is no room, which cannot happen within {@link Service#maxOutputs}
     * @throws IllegalArgumentException beyond the transport's limit
     * @throws IllegalStateException when a claim is open or {@link Service#maxOutputs} is used up
     */
    Claim claim(int maxLength);

    /** Begins a message whose origin is given: the {@link System#nanoTime} at which it was meant to be sent. */
    Claim claim(int maxLength, long originNanos);

    /**
     * Begins a message with a key ({@link Message#key}): the bytes from position to limit, up to {@value
     * dev.baton.spi.Extension#MAX_FIELD_BYTES}, which are copied; null for none. It takes 8 to 264 bytes of the frame. Otherwise
     * as {@link #claim(int)}. A service passes the key of its input on by {@code out.claim(maxLength, in.key())}.
     */
    Claim claim(int maxLength, ByteBuffer key);

    /** Begins a message whose origin is given, and its key; null for none. */
    Claim claim(int maxLength, long originNanos, ByteBuffer key);

    /**
     * Begins a message with a key and a W3C trace context, each null for none of its own: {@value
     * dev.baton.spi.Extension#TRACE_BYTES} bytes from position to limit as of {@link Message#trace}, which are copied and take
     * 32 bytes of the frame. Where {@link Deployment#traceContext} is set, a message without one of its own has that of the
     * input in hand. Otherwise as {@link #claim(int)}.
     */
    default Claim claim(int maxLength, ByteBuffer key, ByteBuffer trace) {
        if (trace != null) {
            throw new UnsupportedOperationException("this outlet carries no trace context");
        }
        return claim(maxLength, key);
    }

    /** Begins a message whose origin is given, its key and its trace context, each null for none of its own. */
    default Claim claim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        if (trace != null) {
            throw new UnsupportedOperationException("this outlet carries no trace context");
        }
        return claim(maxLength, originNanos, key);
    }

    /**
     * Sends a value, with the type of its codec.
     *
     * @return false when there is no room, which cannot happen within {@link Service#maxOutputs}
     */
    default <T> boolean send(T value, Serde<T> codec) {
        return send(value, codec, null);
    }

    /** The same for a message with a key, or without one when that is null. */
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
     * @return false when there is no room, which cannot happen within {@link Service#maxOutputs}
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

    /** The same for a message with a key, or without one when that is null: {@code out.forward(in, in.key())}. */
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
