package dev.baton.spi;

/**
 * The cause of a frame: the sequence of the input that led to it. What a tick sent has the complement of the last input
 * before the tick, and what a service sent from {@link dev.baton.Service#onClosing} the same without bit 62. Bit 61 differs
 * from the sign where inputs before it were not answered yet. Stateless.
 */
public final class Cause {
    private static final long LAST_WORD = 1L << 62;
    private static final long AHEAD = 1L << 61;

    /** The highest input that a cause names: 2<sup>61</sup> - 1. */
    public static final long MAX_INPUT = AHEAD - 1;

    private Cause() {}

    /**
     * {@return the cause of what a tick sends}
     *
     * @param lastInput sequence of the last input before the tick; 0 for none yet
     */
    public static long ofTick(long lastInput) {
        return ~lastInput;
    }

    /**
     * {@return the cause of what a service sends from {@link dev.baton.Service#onClosing}}
     *
     * @param lastInput sequence of the last input before that; 0 for none
     */
    public static long ofClosing(long lastInput) {
        return ~lastInput ^ LAST_WORD;
    }

    /**
     * {@return the same cause, of a frame that was sent while an input before it waited for another delivery}
     *
     * @param cause of any kind
     */
    public static long ahead(long cause) {
        return cause < 0 ? cause & ~AHEAD : cause | AHEAD;
    }

    /**
     * {@return whether inputs up to {@link #input} may have no answer yet: {@link
     * dev.baton.ErrorPolicy#retryUnorderedAtLeastOnce}}
     *
     * @param cause as a frame has it
     */
    public static boolean isAhead(long cause) {
        return cause < 0 ? (cause & AHEAD) == 0 : (cause & AHEAD) != 0;
    }

    /**
     * {@return whether the frame was sent from {@link dev.baton.Service#onClosing}}
     *
     * @param cause as a frame has it
     */
    public static boolean isOfClosing(long cause) {
        return cause < 0 && (cause & LAST_WORD) == 0;
    }

    /**
     * {@return whether a tick or {@link dev.baton.Service#onClosing} sent the frame}
     *
     * @param cause as a frame has it
     */
    public static boolean isOfTick(long cause) {
        return cause < 0;
    }

    /**
     * {@return the sequence of the input, or of the last one before the tick}
     *
     * @param cause as a frame has it
     */
    public static long input(long cause) {
        return cause < 0 ? ~(cause | LAST_WORD | AHEAD) : cause & ~AHEAD;
    }
}
