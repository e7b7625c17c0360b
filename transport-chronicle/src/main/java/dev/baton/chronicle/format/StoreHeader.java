package dev.baton.chronicle.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * The first document of a queue file: where its index lies, and where its last excerpt.
 *
 * @param bytes of the document with the four before it
 * @param indexCount entries of an index page
 * @param indexSpacing excerpts from one entry to the next
 * @param indexOfIndexes where the first index page is, 0: none yet
 * @param indexOfIndexesAt where that number is kept, in bytes from the file's start
 * @param lastAt where the number of the last excerpt's place is kept, in bytes from the file's start
 */
public record StoreHeader(
        long bytes, int indexCount, int indexSpacing, long indexOfIndexes, long indexOfIndexesAt, long lastAt) {
    /** The most entries of an index page. */
    public static final int MAX_INDEX_COUNT = 32 << 10;

    /** The most excerpts from one index entry to the next. */
    public static final int MAX_INDEX_SPACING = 64 << 10;

    private static final String TYPE = "SCQStore";
    private static final int LONGEST = 1 << 10;

    /**
     * {@return the header of a file, read and checked} An interrupted thread reads it, too, and stays interrupted.
     *
     * @throws FileDefect when it has no such header
     */
    public static StoreHeader of(Path path) throws IOException, FileDefect {
        boolean wasInterrupted = Thread.interrupted(); // an interrupt would close the file
        try (FileBytes file = new FileBytes(path, LONGEST)) {
            return of(file);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * {@return the header of an open file, read and checked; the file's first four bytes mark it as complete}
     *
     * @throws FileDefect when it has no such header
     */
    public static StoreHeader of(FileBytes file) throws FileDefect {
        int header = file.word(0);
        int length = DocumentHeader.length(header);
        if (!DocumentHeader.isMeta(header) || length > LONGEST) {
            throw new FileDefect("it does not begin with the header of a queue file");
        }
        ByteBuffer content = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        if (!file.copy(Integer.BYTES, length, content)) {
            throw new FileDefect("it ends within its header");
        }
        WireFields fields = WireFields.of(content, length);
        if (!fields.first().equals("header") || !fields.text("header").equals(TYPE)) {
            throw new FileDefect("it does not begin with the header of a queue file");
        }
        int count = powerOfTwo(fields, "indexCount", MAX_INDEX_COUNT);
        int spacing = powerOfTwo(fields, "indexSpacing", MAX_INDEX_SPACING);
        fields.number("lastIndex");
        return new StoreHeader(
                DocumentHeader.next(0, length),
                count,
                spacing,
                fields.number("index2Index"),
                Integer.BYTES + fields.place("index2Index"),
                Integer.BYTES + fields.array("writePosition", 2));
    }

    private static int powerOfTwo(WireFields fields, String name, int most) throws FileDefect {
        long value = fields.number(name);
        if (value < 1 || value > most || Long.bitCount(value) != 1) {
            throw new FileDefect("its " + name + " is " + value + ", a power of two to " + most + " is allowed");
        }
        return (int) value;
    }

    /** {@return where the last excerpt begins as far as the writer has noted it in the file; 0: none yet} */
    public long last(FileBytes file) {
        return file.number(lastAt);
    }
}
