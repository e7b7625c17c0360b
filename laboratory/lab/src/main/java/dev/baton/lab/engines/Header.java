package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The 40 bytes before each payload, the same that Baton's frames have: five little-endian longs, the first with version,
 * hops and tag, then sequence, cause, origin and sent. Stateless, thread-safe.
 */
public final class Header {
    public static final int BYTES = 40;
    public static final int SEQUENCE = 8;
    public static final int CAUSE = 16;
    public static final int ORIGIN = 24;
    public static final int SENT = 32;

    /** Added to the first long by each service. */
    public static final long ONE_HOP = 1L << 16;

    private static final int VERSION = 1;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Header() {}

    /** The first long of a message that has passed no service. */
    public static long first(int tag) {
        return VERSION | (long) tag << 32;
    }

    /** {@return the bytes of a message that has passed no service, sent now} @param number of the message, for its payload */
    public static byte[] message(long sequence, long number, long originNanos, int tag, PayloadPattern pattern) {
        byte[] bytes = new byte[BYTES + pattern.length(number)];
        putLong(bytes, 0, first(tag));
        putLong(bytes, SEQUENCE, sequence);
        putLong(bytes, ORIGIN, originNanos);
        putLong(bytes, SENT, System.nanoTime());
        pattern.write(number, bytes, BYTES);
        return bytes;
    }

    public static int hops(long first) {
        return (int) (first >>> 16) & 0xFFFF;
    }

    public static int tag(long first) {
        return (int) (first >>> 32);
    }

    public static long getLong(byte[] bytes, int index) {
        return (long) LONG.get(bytes, index);
    }

    public static void putLong(byte[] bytes, int index, long value) {
        LONG.set(bytes, index, value);
    }
}
