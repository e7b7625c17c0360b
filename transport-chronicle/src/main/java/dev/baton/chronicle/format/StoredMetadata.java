package dev.baton.chronicle.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/** The named numbers of a queue's metadata file, read from the file without a mapping. Stateless. */
public final class StoredMetadata {
    /** The position of what was freed: the newest sequence of it, and the oldest index left, 0 for nothing. */
    public static final String FREED = "baton.freed";

    /**
     * The record of the newest sequence that a writer has stored, with the {@code Boot} whose end it may not survive in
     * place of an index. Within a boot it lags by what was stored in the second before the writer's process was killed,
     * with {@code durability=host} by nothing; after a power failure by what was stored since its last sync, which comes
     * with the first flush a second after the one before.
     */
    public static final String END = "baton.end";

    /** The process that writes the topic. */
    public static final String WRITER_PROCESS = "baton.writer.process";

    private static final String TYPE = "STStore";
    private static final int LONGEST_ENTRY = 1 << 10;
    private static final int LONGEST_HEADER = 4 << 10;

    private StoredMetadata() {}

    /**
     * {@return all numbers by name; empty while there is no file, or an incomplete one}
     *
     * @throws FileDefect when the file is damaged
     */
    public static Map<String, Long> of(Path directory) throws IOException, FileDefect {
        Path path = directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
        try (FileBytes file = new FileBytes(path, LONGEST_HEADER)) {
            if (file.size() > 0 && file.size() < Integer.BYTES) {
                throw new FileDefect("was cut to " + file.size() + " bytes");
            }
            return DocumentHeader.isEnd(file.word(0)) ? Map.of() : read(file);
        } catch (NoSuchFileException nothingYet) {
            return Map.of();
        }
    }

    /**
     * {@return the oldest index left; 0 if nothing was freed}
     *
     * @throws FileDefect when the file is damaged
     */
    public static long freedIndex(Path directory) throws IOException, FileDefect {
        StoredPosition.Value freed = StoredPosition.in(of(directory), FREED);
        return freed == null ? 0 : freed.index();
    }

    /**
     * {@return the positions whose names begin with a prefix, by name}
     *
     * @throws FileDefect when the file or a position is damaged
     */
    public static Map<String, StoredPosition.Value> positions(Path directory, String prefix)
            throws IOException, FileDefect {
        Map<String, Long> numbers = of(directory);
        Map<String, StoredPosition.Value> positions = new TreeMap<>();
        for (String name : StoredPosition.names(numbers.keySet(), prefix)) {
            positions.put(name, StoredPosition.in(numbers, name));
        }
        return positions;
    }

    /**
     * {@return where a number is in the metadata file, in bytes from its start; -1 for none}
     *
     * @throws FileDefect when the file is damaged
     */
    static long placeOf(Path directory, String name) throws IOException, FileDefect {
        Path path = directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
        try (FileBytes file = new FileBytes(path, LONGEST_HEADER)) {
            long at = DocumentHeader.next(0, DocumentHeader.length(file.word(0)));
            while (at < file.size() && !DocumentHeader.isEnd(file.word(at))) {
                WireFields entry = content(file, at, LONGEST_ENTRY);
                if (entry.first().equals(name)) {
                    return at + Integer.BYTES + entry.place(name);
                }
                at = DocumentHeader.next(at, DocumentHeader.length(file.word(at)));
            }
            return -1;
        }
    }

    private static void requireHeader(FileBytes file) throws FileDefect {
        WireFields header = content(file, 0, LONGEST_HEADER);
        if (!DocumentHeader.isMeta(file.word(0))
                || !header.first().equals("header")
                || !header.text("header").equals(TYPE)) {
            throw new FileDefect("it does not begin with the header of a queue's metadata");
        }
        String format = header.text("format");
        long length = header.number("length");
        if (QueueFiles.ROLL_CYCLES.stream()
                .noneMatch(cycle -> cycle.format().equals(format) && cycle.lengthInMillis() == length)) {
            throw new FileDefect("its roll cycle '" + format + "' of " + length + " ms is not one of Baton's");
        }
        if (header.number("sourceId") != 0) {
            throw new FileDefect("its source id " + header.number("sourceId") + " is not 0, as in Baton's queues");
        }
    }

    private static Map<String, Long> read(FileBytes file) throws FileDefect {
        try {
            requireHeader(file);
        } catch (FileDefect damaged) {
            throw new FileDefect("at 0: " + damaged.getMessage());
        }
        Map<String, Long> numbers = new TreeMap<>();
        long size = file.size();
        long at = DocumentHeader.next(0, DocumentHeader.length(file.word(0)));
        while (at < size && !DocumentHeader.isEnd(file.word(at))) {
            WireFields entry = content(file, at, LONGEST_ENTRY);
            try {
                numbers.put(entry.first(), entry.number(entry.first()));
            } catch (FileDefect damaged) {
                throw new FileDefect("the entry at " + at + " is damaged: " + damaged.getMessage());
            }
            at = DocumentHeader.next(at, DocumentHeader.length(file.word(at)));
        }
        if (at < size && DocumentHeader.length(file.word(at)) > 0) { // one that is being written has none
            throw new FileDefect("the entry at " + at + " is marked as incomplete, but has a length");
        }
        return numbers;
    }

    private static WireFields content(FileBytes file, long at, int longest) throws FileDefect {
        int length = DocumentHeader.length(file.word(at));
        if (length > longest) {
            throw new FileDefect(
                    "the entry at " + at + " has " + length + " bytes, at most " + longest + " are allowed");
        }
        ByteBuffer content = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        if (!file.copy(at + Integer.BYTES, length, content)) {
            throw new FileDefect("it ends within the entry at " + at);
        }
        try {
            return WireFields.of(content, length);
        } catch (FileDefect damaged) {
            throw new FileDefect("the entry at " + at + " is damaged: " + damaged.getMessage());
        }
    }
}
