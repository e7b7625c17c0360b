package dev.baton.spi;

/**
 * Which flags of a frame are known: none, {@link Frame#CHECKED}, {@link Frame#EXTENDED}, and both. Any two of them differ
 * in four bits or more, so one to three flipped bits never turn a frame with a checksum into one without: the flags are
 * unknown then. Stateless.
 */
final class FrameFlags {
    private FrameFlags() {}

    static boolean isKnown(int flags) {
        return flags == 0
                || flags == Frame.CHECKED
                || flags == Frame.EXTENDED
                || flags == (Frame.CHECKED | Frame.EXTENDED);
    }

    /** What is wrong with flags that are not known. */
    static String defect(int flags) {
        return "flags 0x" + Integer.toHexString(flags)
                + "; this reader knows none, 0xf, a checksum, 0xf0, an extension, and both (a newer writer, or damage)";
    }
}
