package dev.baton.spi;

/**
 * The cause of a frame: the sequence of the input that led to it. What a tick sent has the complement of the last input
 * before the tick, and what a service sent as its last word at an orderly close the same without bit 62. Stateless.
 */
public final class Cause {
    private static final long LAST_WORD = 1L << 62;

    private Cause() {}

    /** Of what a tick sends after this input, 0 for none yet. */
    public static long ofTick(long lastInput) {
        return ~lastInput;
    }

    /** Of what a service sends as its last word, after this input, 0 for none. */
    public static long ofClosing(long lastInput) {
        return ~lastInput ^ LAST_WORD;
    }

    /** Whether it was the service's last word. */
    public static boolean isOfClosing(long cause) {
        return cause < 0 && (cause & LAST_WORD) == 0;
    }

    /** Whether a tick sent the frame, or it is a last word. */
    public static boolean isOfTick(long cause) {
        return cause < 0;
    }

    /** The input, or the last one before the tick. */
    public static long input(long cause) {
        return cause < 0 ? ~(cause | LAST_WORD) : cause;
    }
}
