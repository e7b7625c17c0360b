package dev.baton.spi;

/**
 * The valid combinations of a frame's flags: none, {@link Frame#CHECKED}, {@link Frame#EXTENDED}, and both. Any two of them
 * differ in four bits or more, so one to three flipped bits never turn a frame with a checksum into one without: the result
 * is an invalid combination. Stateless.
 */
final class FrameFlags {
    private FrameFlags() {}

    static boolean isKnown(int flags) {
        return flags == 0
                || flags == Frame.CHECKED
                || flags == Frame.EXTENDED
                || flags == (Frame.CHECKED | Frame.EXTENDED);
    }

    /** Returns a description of invalid flags. */
    static String defect(int flags) {
        return "flags 0x" + Integer.toHexString(flags)
                + "; this reader knows none, 0xf, a checksum, 0xf0, an extension, and both (a newer writer, or damage)";
    }
}
