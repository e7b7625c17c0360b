package dev.baton.benchmark.measure;

/**
 * Payload bytes that follow from the message's number, so that any that was altered, cut or swapped is seen. Immutable,
 * thread-safe.
 */
public final class PayloadPattern {
    private static final long STEP = 0xD1342543DE82EF95L;

    /** Where a payload is written. */
    public interface Target {
        void putLong(int index, long value);

        void putByte(int index, byte value);
    }

    /** Where a payload is read. */
    public interface Origin {
        long getLong(int index);

        byte getByte(int index);
    }

    private final int length;
    private final long seed;

    /** @param seed differs between instances */
    public PayloadPattern(int length, long seed) {
        this.length = length;
        this.seed = seed;
    }

    /** Bytes of every payload. */
    public int length() {
        return length;
    }

    /** Fills the payload of a message. */
    public void write(long number, Target target) {
        long word = Mix.of(seed, number);
        int index = 0;
        for (; index <= length - Long.BYTES; index += Long.BYTES) {
            target.putLong(index, word);
            word += STEP;
        }
        for (; index < length; index++) {
            target.putByte(index, (byte) word);
            word >>>= Byte.SIZE;
        }
    }

    /** Whether this is the payload of that message; its length was compared before. */
    public boolean matches(long number, Origin origin) {
        long word = Mix.of(seed, number);
        int index = 0;
        for (; index <= length - Long.BYTES; index += Long.BYTES) {
            if (origin.getLong(index) != word) {
                return false;
            }
            word += STEP;
        }
        for (; index < length; index++) {
            if (origin.getByte(index) != (byte) word) {
                return false;
            }
            word >>>= Byte.SIZE;
        }
        return true;
    }
}
