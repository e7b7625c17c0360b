package dev.baton.spi;

/**
 * The cause of a frame: the sequence of the input that led to it. What a tick sent has the complement of the last input
 * before the tick, and what a service sent from {@link dev.baton.Service#onClosing} the same without bit 62. Stateless.
 */
public final class Cause {
    private static final long LAST_WORD = 1L << 62;

    private Cause() {}

    /** Of what a tick sends after this input, 0 for none yet. */
    public static long ofTick(long lastInput) {
        return ~lastInput;
    }

    /** The cause of what a service sends from {@link dev.baton.Service#onClosing}, after this input, 0 for none. */
    public static long ofClosing(long lastInput) {
        return ~lastInput ^ LAST_WORD;
    }

    /** Whether the frame was sent from {@link dev.baton.Service#onClosing}. */
    public static boolean isOfClosing(long cause) {
        return cause < 0 && (cause & LAST_WORD) == 0;
    }

    /** Whether a tick or {@link dev.baton.Service#onClosing} sent the frame. */
    public static boolean isOfTick(long cause) {
        return cause < 0;
    }

    /** The input, or the last one before the tick. */
    public static long input(long cause) {
        return cause < 0 ? ~(cause | LAST_WORD) : cause;
    }
}
