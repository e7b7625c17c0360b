package dev.baton.chronicle.format;

/**
 * The four bytes before each document of a Chronicle file: its length, and two bits. A document is complete when the
 * first bit is not set; zero means that nothing was written here yet. Stateless.
 */
public final class DocumentHeader {
    /** The longest header or index page that is accepted: 32,768 entries of 8 bytes, and their names. */
    static final int LONGEST_META = (StoreHeader.MAX_INDEX_COUNT * Long.BYTES) + 256;

    /** The mark at the end of a file, which a writer leaves when it continues in another one. */
    static final int END_OF_FILE = 0xC000_0000;

    /** Mark of the end with the four bytes that the library writes behind it: the name "EOF". */
    static final long END_OF_FILE_AND_NAME = 0x464F_45C3L << Integer.SIZE | END_OF_FILE & 0xFFFF_FFFFL;

    private static final int UNFINISHED = 0x8000_0000;
    private static final int META = 0x4000_0000;
    private static final int LENGTH = 0x3FFF_FFFF;

    private DocumentHeader() {}

    /** {@return whether no complete document begins here} */
    public static boolean isEnd(int header) {
        return header <= 0;
    }

    /** {@return whether a complete document is one of Chronicle's own, such as a header or an index page} */
    static boolean isMeta(int header) {
        return (header & (META | UNFINISHED)) == META;
    }

    /** {@return the bytes of the document, without the four before it} */
    public static int length(int header) {
        return header & LENGTH;
    }

    /** {@return where the next document begins} */
    public static long next(long at, int length) {
        return at + Integer.BYTES + length + 3 & -4;
    }

    /** {@return the meaning of a header where no complete document begins, for error messages} */
    public static String text(int header) {
        return header == 0
                ? "no length"
                : header == END_OF_FILE ? "the mark of a file's end" : "an unfinished document";
    }
}
