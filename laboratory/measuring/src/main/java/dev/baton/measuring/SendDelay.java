package dev.baton.measuring;

/**
 * The send delay of a message, encoded in the 32 bits of a frame's type, so that the receiver, who knows the slot, also knows the actual
 * send without a byte of payload. Exact up to 2.1 s, then in steps of 1,024 ns up to 36 minutes.
 */
public final class SendDelay {
    private static final int COARSE = 1 << 31;
    private static final int COARSE_SHIFT = 10;
    private static final long MOST = ((1L << 31) - 1) << COARSE_SHIFT;

    private SendDelay() {}

    /** Encodes a send delay; one below 0 becomes 0, one beyond the range its end. */
    public static int encode(long nanos) {
        if (nanos <= Integer.MAX_VALUE) {
            return (int) Math.max(0, nanos);
        }
        return COARSE | (int) (Math.min(nanos, MOST) >>> COARSE_SHIFT);
    }

    /** Decodes a send delay, in nanoseconds. */
    public static long decode(int code) {
        return code >= 0 ? code : (long) (code & ~COARSE) << COARSE_SHIFT;
    }
}
