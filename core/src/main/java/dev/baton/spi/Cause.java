package dev.baton.spi;

/**
 * The encoding of a frame's cause, which is the sequence of the input that led to the frame. A frame that a tick sent has
 * the complement of the last input before the tick. A frame that a service sent from {@link dev.baton.Service#onClosing}
 * has this value with bit 62 cleared. Bit 61 is set if the input was set aside and handled after later ones. Stateless.
 */
public final class Cause {
    private static final long LAST_WORD = 1L << 62;
    private static final long LATE = 1L << 61;

    /** The highest input that a cause can name: 2<sup>61</sup> - 1. */
    public static final long MAX_INPUT = LATE - 1;

    private Cause() {}

    /**
     * {@return the cause of a frame that a tick sends}
     *
     * @param lastInput sequence of the last input before the tick; 0 for none yet
     */
    public static long ofTick(long lastInput) {
        return ~lastInput;
    }

    /**
     * {@return the cause of a frame that a service sends from {@link dev.baton.Service#onClosing}}
     *
     * @param lastInput sequence of the last input before that; 0 for none
     */
    public static long ofClosing(long lastInput) {
        return ~lastInput ^ LAST_WORD;
    }

    /**
     * {@return the cause of a frame that answers an input after later ones: {@link dev.baton.ErrorPolicy#perKey}}
     *
     * @param input sequence of the input
     */
    public static long late(long input) {
        return input | LATE;
    }

    /**
     * {@return whether the frame answers an input that was set aside, so that frames before it may answer later ones}
     *
     * @param cause cause of a frame
     */
    public static boolean isLate(long cause) {
        return cause > 0 && (cause & LATE) != 0;
    }

    /**
     * {@return whether the frame was sent from {@link dev.baton.Service#onClosing}}
     *
     * @param cause cause of a frame
     */
    public static boolean isOfClosing(long cause) {
        return cause < 0 && (cause & LAST_WORD) == 0;
    }

    /**
     * {@return whether a tick or {@link dev.baton.Service#onClosing} sent the frame}
     *
     * @param cause cause of a frame
     */
    public static boolean isOfTick(long cause) {
        return cause < 0;
    }

    /**
     * {@return the sequence of the input, or of the last one before the tick}
     *
     * @param cause cause of a frame
     */
    public static long input(long cause) {
        return cause < 0 ? ~(cause | LAST_WORD) : cause & ~LATE;
    }
}
