package dev.baton.operations.replay;

import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.util.Arrays;

/**
 * The compared parts of a message: payload, type, key and cause, with its position. Immutable, thread-safe.
 *
 * @param sequence sequence of the frame; for a replayed output its number within the replay
 * @param cause input that led to it, or the last one before the tick
 * @param isOfTick whether a tick sent it
 * @param type type of the message
 * @param key key of the message; null for none
 * @param payload payload of the message
 * @param value decoded payload; null if no codec is known for the type, or it cannot decode the payload
 */
public record MessageCopy(
        long sequence, long cause, boolean isOfTick, int type, byte[] key, byte[] payload, Object value) {
    static MessageCopy of(Frame frame) {
        return of(frame, Codecs.NONE);
    }

    static MessageCopy of(Frame frame, Codecs codecs) {
        byte[] payload = new byte[frame.length()];
        frame.getBytes(0, payload, 0, payload.length);
        return new MessageCopy(
                frame.sequence(),
                Cause.input(frame.cause()),
                Cause.isOfTick(frame.cause()),
                frame.type(),
                Extension.copy(frame, Extension.KEY),
                payload,
                codecs.decode(frame));
    }

    /** Compares the calls that led to two messages: that of the older input, or of the input itself before its ticks, is less. */
    int compareCause(MessageCopy other) {
        int inputs = Long.compare(cause, other.cause);
        return inputs != 0 ? inputs : Boolean.compare(isOfTick, other.isOfTick);
    }

    /** {@return whether two messages are equal except for their sequences} */
    boolean isSame(MessageCopy other) {
        return other != null
                && cause == other.cause
                && isOfTick == other.isOfTick
                && type == other.type
                && Arrays.equals(key, other.key)
                && Arrays.equals(payload, other.payload);
    }

    /** {@return whether two frames are equal in all compared parts} Allocates nothing unless one of them has a key. */
    static boolean isSame(Frame one, Frame other) {
        return one.length() == other.length()
                && one.type() == other.type()
                && Cause.input(one.cause()) == Cause.input(other.cause())
                && Cause.isOfTick(one.cause()) == Cause.isOfTick(other.cause())
                && isSamePayload(one, other)
                && (one.isPlain() && other.isPlain() || isSameKey(one, other));
    }

    private static boolean isSamePayload(Frame one, Frame other) {
        int length = one.length();
        int index = 0;
        for (; index <= length - Long.BYTES; index += Long.BYTES) {
            if (one.getLong(index) != other.getLong(index)) {
                return false;
            }
        }
        for (; index < length; index++) {
            if (one.getByte(index) != other.getByte(index)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSameKey(Frame one, Frame other) {
        int first = one.field(Extension.KEY);
        int second = other.field(Extension.KEY);
        if (first == Extension.NONE || second == Extension.NONE) {
            return first == second;
        }
        return Arrays.equals(Extension.copy(one, Extension.KEY), Extension.copy(other, Extension.KEY));
    }
}
