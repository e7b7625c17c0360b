package dev.baton.measuring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Payload bytes that are computed from the message's number, so that any altered, cut or swapped payload is detected. Immutable,
 * thread-safe.
 */
public final class PayloadPattern {
    private static final long STEP = 0xD1342543DE82EF95L;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final ThreadLocal<byte[]> SCRATCH = ThreadLocal.withInitial(() -> new byte[0]);

    /** The memory of a payload, read once and completely, as a service does that decodes its message. */
    public interface Origin {
        /** Copies the payload's first {@code length} bytes to the start of the target. */
        void copyTo(byte[] target, int length);
    }

    private final int maxLength;
    private final int[] lengths; // of messages in order, repeated; null: all have the greatest
    private final int first; // place of the first message in the lengths
    private final long seed;

    /**
     * Creates a pattern of payloads of one length.
     *
     * @param seed differs between instances
     */
    public PayloadPattern(int length, long seed) {
        this(length, null, 0, seed);
    }

    /**
     * Creates a pattern.
     *
     * @param maxLength greatest length
     * @param lengths of messages in order, repeated; null if all have the greatest
     * @param first place of the first message in the lengths
     * @param seed differs between instances
     */
    public PayloadPattern(int maxLength, int[] lengths, int first, long seed) {
        this.maxLength = maxLength;
        this.lengths = lengths;
        this.first = first;
        this.seed = seed;
    }

    /** Bytes of the longest payload. */
    public int maxLength() {
        return maxLength;
    }

    /** Bytes of a message's payload. */
    public int length(long number) {
        return lengths == null ? maxLength : lengths[(int) ((number + first) % lengths.length)];
    }

    /**
     * The array in which the calling thread builds and checks payloads, of the greatest length or longer. All instances on its loop share it, so
     * that it stays in the cache. To be called once, not for each message.
     */
    public byte[] scratch() {
        byte[] scratch = SCRATCH.get();
        if (scratch.length < maxLength) {
            scratch = new byte[maxLength];
            SCRATCH.set(scratch);
        }
        return scratch;
    }

    /** Writes the payload of a message into an array, from {@code offset} on. */
    public void write(long number, byte[] target, int offset) {
        int length = length(number);
        long word = Mix.of(seed, number);
        int index = 0;
        for (; index <= length - Long.BYTES; index += Long.BYTES) {
            WORD.set(target, offset + index, word);
            word += STEP;
        }
        for (; index < length; index++) {
            target[offset + index] = (byte) word;
            word >>>= Byte.SIZE;
        }
    }

    /** {@return whether an array begins with the payload of a message} */
    public boolean matches(long number, byte[] payload) {
        int length = length(number);
        long word = Mix.of(seed, number);
        int index = 0;
        for (; index <= length - Long.BYTES; index += Long.BYTES) {
            if ((long) WORD.get(payload, index) != word) {
                return false;
            }
            word += STEP;
        }
        for (; index < length; index++) {
            if (payload[index] != (byte) word) {
                return false;
            }
            word >>>= Byte.SIZE;
        }
        return true;
    }
}
