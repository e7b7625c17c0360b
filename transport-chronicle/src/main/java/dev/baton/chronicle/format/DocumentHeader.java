package dev.baton.chronicle.format;

/**
 * The four bytes before each document of a Chronicle file: its length, and two bits. A document is whole when the first
 * bit is not set; zero means that nothing was written here yet. Stateless.
 */
public final class DocumentHeader {
    /** Of the longest header or index page that is believed: 32,768 entries of 8 bytes, and their names. */
    static final int LONGEST_META = (StoreHeader.MAX_INDEX_COUNT * Long.BYTES) + 256;

    /** What a writer leaves when it goes on in another file. */
    static final int END_OF_FILE = 0xC000_0000;

    private static final int UNFINISHED = 0x8000_0000;
    private static final int META = 0x4000_0000;
    private static final int LENGTH = 0x3FFF_FFFF;

    private DocumentHeader() {}

    /**
     * {@return whether nothing whole begins here}
     *
     * @param header the four bytes
     */
    public static boolean isEnd(int header) {
        return header <= 0;
    }

    /**
     * {@return whether a whole document is one of Chronicle's own, such as a header or an index page}
     *
     * @param header the four bytes
     */
    public static boolean isMeta(int header) {
        return (header & (META | UNFINISHED)) == META;
    }

    /**
     * {@return the bytes of the document, without the four before it}
     *
     * @param header the four bytes
     */
    public static int length(int header) {
        return header & LENGTH;
    }

    /**
     * {@return where the next document begins}
     *
     * @param at where the four bytes of this document are
     * @param length of this document, without them
     */
    public static long next(long at, int length) {
        return at + Integer.BYTES + length + 3 & -4;
    }

    /**
     * {@return what the four bytes mean where no whole document begins, as text for errors}
     *
     * @param header the four bytes
     */
    public static String text(int header) {
        return header == 0
                ? "no length"
                : header == END_OF_FILE ? "the mark of a file's end" : "an unfinished document";
    }
}
