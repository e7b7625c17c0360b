package dev.baton.chronicle.format;

import dev.baton.spi.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueStore;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The comparison of what the library on the class path writes with what this package reads, repairs and frees. For each roll cycle it writes
 * a queue of two files into a temporary directory, with more excerpts than one index page covers and one that is not finished, and
 * compares names, marks, headers, index pages, excerpts and metadata with the library's own figures. Takes some 100 ms. Confined to one
 * thread.
 */
final class FormatProbe {
    private static final int INDEX_COUNT = 8;
    private static final int INDEX_SPACING = 4;
    private static final int FIRST = 18; // excerpts of the first file
    private static final int LAST = 60; // those of the second file take more than one index page
    private static final long BEGIN_NANOS = 1_700_000_000_000_000_000L;
    private static final String NUMBER = "baton.probe";

    private final RollCycle cycle;
    private final Path directory;
    private final SetTimeProvider clock = new SetTimeProvider(BEGIN_NANOS);

    /** A change to the files of a queue before they are compared. */
    interface Change {
        void to(Path directory) throws IOException;
    }

    private FormatProbe(RollCycle cycle, Path directory) {
        this.cycle = cycle;
        this.directory = directory;
    }

    /** Returns the first difference, as a text in one line; empty if there is none. */
    static String difference() {
        return difference(directory -> {});
    }

    /** Compares what the library has written after a change to the files of each queue. */
    static String difference(Change change) {
        boolean wasInterrupted = Thread.interrupted(); // in which no file can be mapped
        Path root = null;
        try {
            root = Files.createTempDirectory("baton-chronicle-format-");
            for (RollCycle cycle : QueueFiles.ROLL_CYCLES) {
                new FormatProbe(cycle, root.resolve(cycle.format().replaceAll("\\W", ""))).compare(change);
            }
            return "";
        } catch (FileDefect | IOException | RuntimeException | LinkageError | AssertionError different) {
            return String.valueOf(different.getMessage()).lines().findFirst().orElse("");
        } finally {
            delete(root);
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void compare(Change change) throws IOException, FileDefect {
        try (SingleChronicleQueue queue = SingleChronicleQueueBuilder.binary(directory)
                        .rollCycle(cycle)
                        .blockSize(64 << 10)
                        .indexCount(INDEX_COUNT)
                        .indexSpacing(INDEX_SPACING)
                        .timeProvider(clock)
                        .build();
                ExcerptAppender appender = queue.createAppender();
                LongValue number = queue.metaStore().acquireValueFor(NUMBER, Long.MIN_VALUE)) {
            append(appender, 1, FIRST);
            long first = queue.lastIndex();
            clock.advanceMillis(2L * cycle.lengthInMillis());
            append(appender, FIRST + 1, LAST);
            number.setVolatileValue(Long.MAX_VALUE - 1);
            SingleChronicleQueueStore store = queue.storeForCycle(queue.lastCycle(), 0, false, null);
            try (DocumentContext unfinished = appender.writingDocument()) {
                unfinished.rollbackOnClose();
                unfinished.wire().bytes().write(excerpt(LAST + 1));
                change.to(directory);
                compareFirst(first);
                compareNewest(queue.lastIndex(), store);
                compareMetadata();
                QueueCheck.beforeOpening("probe", directory);
                QueueCheck.beforeReading("probe", directory, 0);
            } finally {
                queue.closeStore(store);
            }
        }
    }

    private void compareFirst(long last) throws IOException, FileDefect {
        Path file = QueueFiles.of(directory, last);
        require(file != null, "the name of a queue file");
        try (ExcerptScan scan = new ExcerptScan(file);
                FileBytes bytes = new FileBytes(file)) {
            compareExcerpts(scan, 1, FIRST);
            require(
                    bytes.number(scan.position()) == DocumentHeader.END_OF_FILE_AND_NAME,
                    "the mark at the end of a queue file");
        }
    }

    private void compareNewest(long last, SingleChronicleQueueStore store) throws IOException, FileDefect {
        Path file = QueueFiles.of(directory, last);
        require(store.file().toPath().equals(file) && QueueFiles.isNamed(file), "the name of a queue file");
        require(QueueFiles.number(file, last) == LAST - FIRST - 1, "the number of an excerpt in its index");
        try (ExcerptScan scan = new ExcerptScan(file);
                FileBytes bytes = new FileBytes(file)) {
            StoreHeader header = StoreHeader.of(bytes);
            require(header.indexCount() == INDEX_COUNT && header.indexSpacing() == INDEX_SPACING, "the index's size");
            require(header.last(bytes) == store.writePosition(), "the place of the last excerpt");
            long noted = bytes.number(header.lastAt() + Long.BYTES);
            require(
                    noted >>> Integer.SIZE == header.last(bytes) && (int) noted == LAST - FIRST - 1,
                    "the number of the last excerpt");
            compareExcerpts(scan, FIRST + 1, LAST);
        }
    }

    /** Compares all excerpts of a file, and those to which its index leads. */
    private static void compareExcerpts(ExcerptScan scan, int first, int last) throws FileDefect {
        int count = last - first + 1;
        int indexed = (count - 1) / INDEX_SPACING * INDEX_SPACING;
        require(scan.checkIndex(0) == indexed, "the index of excerpts");
        require(scan.goTo(indexed) == indexed, "the index of excerpts");
        require(scan.next() && Excerpt.firstSequence(scan.excerpt(), 0) == first + indexed, "an entry of the index");
        require(scan.goTo(0) == 0, "the index of excerpts");
        for (int number = 0; number < count; number++) {
            require(scan.next(), "the number of excerpts");
            ByteBuffer expected = ByteBuffer.wrap(excerpt(first + number));
            require(scan.excerpt().slice(0, expected.capacity()).equals(expected), "the content of an excerpt");
            scan.checkNumber(number);
        }
        require(!scan.next(), "the end of a queue file");
    }

    private void compareMetadata() throws IOException, FileDefect {
        try (FileBytes bytes = new FileBytes(directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE))) {
            require(DocumentHeader.isMeta(bytes.word(0)), "the mark of the metadata");
        }
        Map<String, Long> numbers = StoredMetadata.of(directory);
        require(numbers.containsKey(QueueFormat.APPENDER_LOCK), "the lock of appenders in the metadata");
        require(Long.valueOf(Long.MAX_VALUE - 1).equals(numbers.get(NUMBER)), "a number in the metadata");
    }

    private static void require(boolean isAlike, String what) throws FileDefect {
        if (!isAlike) {
            throw new FileDefect(what + " is not where it is expected");
        }
    }

    private static void append(ExcerptAppender appender, int first, int last) {
        for (int sequence = first; sequence <= last; sequence++) {
            try (DocumentContext document = appender.writingDocument()) {
                document.wire().bytes().write(excerpt(sequence));
            }
        }
    }

    /** Returns an excerpt with one frame of another length than those before and after it. */
    private static byte[] excerpt(int sequence) {
        int payload = 1 + sequence % 13;
        int bytes = Excerpt.end(Excerpt.FIRST_FRAME, payload);
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Excerpt.begin(buffer, 0, sequence, false);
        Excerpt.length(buffer, Excerpt.FIRST_FRAME, payload);
        Excerpt.size(buffer, 0, 1, bytes);
        for (int i = 0; i < payload; i++) {
            buffer.put(Excerpt.FIRST_FRAME + Frame.HEADER_BYTES + i, (byte) (sequence + i));
        }
        return buffer.array();
    }

    private static void delete(Path root) {
        if (root != null) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException left) {
                // in the directory for temporary files
            }
        }
    }
}
