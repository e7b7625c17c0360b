package dev.baton.chronicle.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/** The numbers that a queue's metadata file keeps by name, read from the file and not mapped. Stateless. */
public final class StoredMetadata {
    /** The oldest index left, in a queue's metadata; 0 or no entry: nothing was freed. */
    public static final String FREED_INDEX = "baton.freed.index";

    private static final String TYPE = "STStore";
    private static final int LONGEST_ENTRY = 1 << 10;
    private static final int LONGEST_HEADER = 4 << 10;

    private StoredMetadata() {}

    /**
     * {@return all numbers by name; empty while there is no file, or one that is not made yet}
     *
     * @param directory of a topic
     * @throws IOException when the file cannot be read
     * @throws Defect when it is damaged
     */
    public static Map<String, Long> of(Path directory) throws IOException, Defect {
        Path path = directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
        try (FileBytes file = new FileBytes(path, LONGEST_HEADER)) {
            if (file.size() > 0 && file.size() < Integer.BYTES) {
                throw new Defect("was cut to " + file.size() + " bytes");
            }
            return Document.isEnd(file.word(0)) ? Map.of() : read(file);
        } catch (NoSuchFileException nothingYet) {
            return Map.of();
        }
    }

    private static Map<String, Long> read(FileBytes file) throws Defect {
        Map<String, Long> numbers = new TreeMap<>();
        WireFields header = content(file, 0, LONGEST_HEADER);
        if (!Document.isMeta(file.word(0))
                || !header.first().equals("header")
                || !header.text("header").equals(TYPE)) {
            throw new Defect("it does not begin with the header of a queue's metadata");
        }
        if (header.number("length") < 1 || header.text("format").isEmpty()) {
            throw new Defect("its roll cycle is '" + header.text("format") + "' of " + header.number("length") + " ms");
        }
        long size = file.size();
        long at = Document.next(0, Document.length(file.word(0)));
        while (at < size && !Document.isEnd(file.word(at))) {
            WireFields entry = content(file, at, LONGEST_ENTRY);
            numbers.put(entry.first(), entry.number(entry.first()));
            at = Document.next(at, Document.length(file.word(at)));
        }
        return numbers;
    }

    private static WireFields content(FileBytes file, long at, int longest) throws Defect {
        int length = Document.length(file.word(at));
        if (length > longest) {
            throw new Defect("the entry at " + at + " is said to have " + length + " bytes, allowed are " + longest);
        }
        ByteBuffer content = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        if (!file.copy(at + Integer.BYTES, length, content)) {
            throw new Defect("it ends within the entry at " + at);
        }
        return WireFields.of(content, length);
    }
}
