package dev.baton.chronicle.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.baton.spi.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueStore;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares what the library on the class path writes with what this package reads, field by field. */
class QueueFormatTest {
    private static final int INDEX_COUNT = 64;
    private static final int INDEX_SPACING = 4;
    private static final int PAYLOAD = 13;

    @TempDir
    Path directory;

    private final SetTimeProvider clock = new SetTimeProvider(1_700_000_000_000_000_000L);

    @Test
    void theLibraryHasTheKnownVersion() {
        assertThat(QueueFormat.libraryVersion()).isEqualTo(QueueFormat.VERSION);
        assertThat(QueueFormat.ofLibrary().isKnown()).isTrue();
    }

    @Test
    void headersHaveTheLibrarysIndexAndLastExcerpt() throws IOException, FileDefect {
        try (SingleChronicleQueue queue = queue(RollCycles.FAST_DAILY)) {
            append(queue, 1, 30);

            SingleChronicleQueueStore store = store(queue, queue.lastCycle());
            Path file = QueueFiles.in(directory).get(0);
            StoreHeader header = StoreHeader.of(file);
            try (FileBytes bytes = new FileBytes(file)) {
                assertThat(header.indexCount()).isEqualTo(INDEX_COUNT);
                assertThat(header.indexSpacing()).isEqualTo(INDEX_SPACING);
                assertThat(header.last(bytes)).isEqualTo(store.writePosition());
                assertThat(DocumentHeader.isMeta(bytes.word(0))).isTrue();
                assertThat(header.bytes()).isGreaterThan(0);
                assertThat(header.indexOfIndexes()).isGreaterThanOrEqualTo(header.bytes());
            } finally {
                queue.closeStore(store);
            }
        }
    }

    @Test
    void scansFindEachExcerptWithItsNumber() throws IOException, FileDefect {
        try (SingleChronicleQueue queue = queue(RollCycles.FAST_DAILY)) {
            append(queue, 1, 30);
            try (ExcerptScan scan = new ExcerptScan(QueueFiles.in(directory).get(0))) {
                assertThat(scan.checkIndex(0)).isEqualTo(28); // of numbers 0 to 29, every fourth has an entry
                for (int number = 0; number < 30; number++) {
                    assertThat(scan.next()).isTrue();
                    assertThat(Excerpt.firstSequence(scan.excerpt(), 0)).isEqualTo(number + 1);
                    assertThat(payloadOf(scan.excerpt())).isEqualTo(payload(number + 1));
                    scan.checkNumber(number);
                }
                assertThat(scan.next()).isFalse();
                assertThat(scan.goToLast()).isTrue();
                assertThat(scan.next()).isTrue();
                assertThat(Excerpt.firstSequence(scan.excerpt(), 0)).isEqualTo(30);
                scan.goTo(24);
                assertThat(scan.next()).isTrue();
                assertThat(Excerpt.firstSequence(scan.excerpt(), 0)).isEqualTo(25);
            }
        }
    }

    @Test
    void theLastExcerptHasTheLibrarysNumber() throws IOException, FileDefect {
        try (SingleChronicleQueue queue = queue(RollCycles.FAST_DAILY)) {
            append(queue, 1, 7);
            Path file = QueueFiles.in(directory).get(0);
            try (FileBytes bytes = new FileBytes(file)) {
                StoreHeader header = StoreHeader.of(bytes);
                long noted = bytes.number(header.lastAt() + Long.BYTES);
                assertThat(noted >>> Integer.SIZE).isEqualTo(header.last(bytes));
                assertThat((int) noted).isEqualTo(6);
                assertThat(QueueFiles.number(file, queue.lastIndex())).isEqualTo(6);
            }
        }
    }

    @Test
    void finishedFilesEndWithTheLibrarysMark() throws IOException, FileDefect {
        try (SingleChronicleQueue queue = queue(RollCycles.FIVE_MINUTELY)) {
            append(queue, 1, 2);
            clock.advanceMillis(600_000);
            append(queue, 3, 3);

            List<Path> files = QueueFiles.in(directory);
            assertThat(files).hasSize(2);
            try (ExcerptScan scan = new ExcerptScan(files.get(0));
                    FileBytes bytes = new FileBytes(files.get(0))) {
                assertThat(scan.next() && scan.next()).isTrue();
                assertThat(scan.next()).isFalse();
                assertThat(bytes.word(scan.position())).isEqualTo(DocumentHeader.END_OF_FILE);
                assertThat(bytes.number(scan.position())).isEqualTo(DocumentHeader.END_OF_FILE_AND_NAME);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = RollCycles.class,
            names = {"FIVE_MINUTELY", "FAST_HOURLY", "FAST_DAILY"})
    void indexesAreInTheFileOfTheLibrary(RollCycles cycle) throws IOException {
        assertThat(QueueFiles.ROLL_CYCLES).contains(cycle);
        try (SingleChronicleQueue queue = queue(cycle)) {
            append(queue, 1, 5);
            SingleChronicleQueueStore store = store(queue, queue.lastCycle());
            try {
                Path file = QueueFiles.of(directory, queue.lastIndex());
                assertThat(file).isEqualTo(store.file().toPath());
                assertThat(QueueFiles.isNamed(file)).isTrue();
                assertThat(QueueFiles.number(file, queue.lastIndex())).isEqualTo(4);
            } finally {
                queue.closeStore(store);
            }
        }
    }

    @Test
    void metadataHaveTheStoredNumbers() throws IOException, FileDefect {
        try (SingleChronicleQueue queue = queue(RollCycles.FAST_DAILY)) {
            append(queue, 1, 1);
            try (LongValue first = queue.metaStore().acquireValueFor("baton.first", 5);
                    LongValue second = queue.metaStore().acquireValueFor("baton.second", Long.MIN_VALUE)) {
                first.setVolatileValue(Long.MAX_VALUE);
                assertThat(second.getVolatileValue()).isEqualTo(Long.MIN_VALUE);
            }
            assertThat(StoredMetadata.of(directory))
                    .contains(entry("baton.first", Long.MAX_VALUE), entry("baton.second", Long.MIN_VALUE))
                    .containsKey(QueueFormat.APPENDER_LOCK);
        }
    }

    @Test
    void topicsOfTheLibraryPassAllChecks() throws IOException {
        QueueFormat format = QueueFormat.ofLibrary();
        try (SingleChronicleQueue queue = queue(RollCycles.FIVE_MINUTELY)) {
            append(queue, 1, 20);
            clock.advanceMillis(600_000);
            append(queue, 21, 40);
            format.checkBeforeOpening("t", directory);
            format.checkBeforeReading("t", directory, queue.firstIndex());
            assertThat(format.deleteHalfMade(directory)).isFalse();
            assertThat(format.hasFileOf(directory, queue.firstIndex())).isTrue();
        }
    }

    /** As a process leaves it that is killed between an excerpt and its entry, when another one goes on. */
    @Test
    void missingIndexEntriesLeadToTheEntryBefore() throws IOException, FileDefect {
        Path file = fileWithoutEntryOf(12);
        try (ExcerptScan scan = new ExcerptScan(file)) {
            assertThat(scan.checkIndex(0)).isEqualTo(28);
            assertThat(scan.goTo(12)).isEqualTo(8);
            assertThat(scan.next()).isTrue();
            assertThat(Excerpt.firstSequence(scan.excerpt(), 0)).isEqualTo(9);
            assertThat(scan.goTo(16)).isEqualTo(16);
        }
        passesTheChecks(13);
    }

    @Test
    void theLastIndexEntryMayBeMissing() throws IOException, FileDefect {
        Path file = fileWithoutEntryOf(28);
        try (ExcerptScan scan = new ExcerptScan(file)) {
            assertThat(scan.checkIndex(0)).isEqualTo(24);
            assertThat(scan.goTo(28)).isEqualTo(24);
        }
        passesTheChecks(29);
    }

    @Test
    void scansWithoutIndexBeginAtTheFirstExcerpt() throws IOException, FileDefect {
        Path file = fileWithoutEntryOf(0);
        try (ExcerptScan scan = new ExcerptScan(file)) {
            assertThat(scan.checkIndex(0)).isEqualTo(28);
            assertThat(scan.goTo(0)).isZero();
            assertThat(scan.next()).isTrue();
            assertThat(Excerpt.firstSequence(scan.excerpt(), 0)).isEqualTo(1);
        }
        passesTheChecks(2);
    }

    /** The topic passes, and the library finds an excerpt as well. */
    private void passesTheChecks(int number) throws IOException {
        QueueFormat format = QueueFormat.ofLibrary();
        try (SingleChronicleQueue queue = queue(RollCycles.FAST_DAILY);
                ExcerptTailer tailer = queue.createTailer()) {
            long index = queue.firstIndex() + number;
            format.checkBeforeOpening("t", directory);
            format.checkBeforeReading("t", directory, index);
            assertThat(tailer.moveToIndex(index)).isTrue();
            append(queue, 31, 40);
            format.checkBeforeOpening("t", directory);
            for (long sequence = number + 1; sequence <= 40; sequence++) {
                try (DocumentContext document = tailer.readingDocument()) {
                    assertThat(document.isPresent()).isTrue();
                }
            }
        }
    }

    /** A file of 30 excerpts whose index does not have the place of one. */
    private Path fileWithoutEntryOf(int number) throws IOException, FileDefect {
        try (SingleChronicleQueue queue = queue(RollCycles.FAST_DAILY)) {
            append(queue, 1, 30);
        }
        Path file = QueueFiles.in(directory).get(0);
        long place;
        try (ExcerptScan scan = new ExcerptScan(file)) {
            scan.isMade();
            scan.goTo(number);
            place = scan.position();
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> found = new ArrayList<>();
        for (int at = 0; at + Long.BYTES <= bytes.limit(); at += Integer.BYTES) {
            if (bytes.getLong(at) == place) {
                found.add(at);
            }
        }
        assertThat(found).hasSize(1);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(Long.BYTES), found.get(0));
        }
        return file;
    }

    private SingleChronicleQueue queue(RollCycle cycle) {
        return SingleChronicleQueueBuilder.binary(directory)
                .rollCycle(cycle)
                .blockSize(64 << 10)
                .indexCount(INDEX_COUNT)
                .indexSpacing(INDEX_SPACING)
                .timeProvider(clock)
                .build();
    }

    private static SingleChronicleQueueStore store(SingleChronicleQueue queue, int cycle) {
        return queue.storeForCycle(cycle, 0, false, null);
    }

    private static void append(SingleChronicleQueue queue, long first, long last) {
        try (ExcerptAppender appender = queue.createAppender()) {
            for (long sequence = first; sequence <= last; sequence++) {
                try (DocumentContext document = appender.writingDocument()) {
                    document.wire().bytes().write(excerpt(sequence));
                }
            }
        }
    }

    private static byte[] excerpt(long sequence) {
        int bytes = Excerpt.end(Excerpt.FIRST_FRAME, PAYLOAD);
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Excerpt.begin(buffer, 0, sequence, false);
        Excerpt.length(buffer, Excerpt.FIRST_FRAME, PAYLOAD);
        Excerpt.size(buffer, 0, 1, bytes);
        buffer.put(Excerpt.FIRST_FRAME + Frame.HEADER_BYTES, payload(sequence));
        return buffer.array();
    }

    private static byte[] payload(long sequence) {
        return String.format(Locale.ROOT, "payload %05d", sequence).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] payloadOf(ByteBuffer excerpt) {
        byte[] payload = new byte[PAYLOAD];
        excerpt.get(Excerpt.FIRST_FRAME + Frame.HEADER_BYTES, payload);
        return payload;
    }
}
