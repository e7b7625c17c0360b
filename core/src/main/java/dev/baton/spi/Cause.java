package dev.baton.spi;

/**
 * The cause of a frame: the sequence of the input that led to it, or for what a tick sent, the complement of the last
 * input before the tick. Stateless.
 */
public final class Cause {
    private Cause() {}

    /** Of what a tick sends after this input, 0 for none yet. */
    public static long ofTick(long lastInput) {
        return ~lastInput;
    }

    /** Whether a tick sent the frame. */
    public static boolean isOfTick(long cause) {
        return cause < 0;
    }

    /** The input, or the last one before the tick. */
    public static long input(long cause) {
        return cause < 0 ? ~cause : cause;
    }
}
