package dev.baton.chronicle.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.platform.RuntimeRequirements;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.DamagedTopicException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that the library on the class path writes, and what this package reads of them. */
class QueueFormatTest {
    private static final int INDEX_COUNT = 64;
    private static final int INDEX_SPACING = 4;
    private static final int PAYLOAD = 13;

    @TempDir
    Path directory;

    private final SetTimeProvider clock = new SetTimeProvider(1_700_000_000_000_000_000L);

    /** Before Chronicle's classes load, for this class and those that share its JVM. */
    @BeforeAll
    static void keepQuiet() {
        RuntimeRequirements.keepQuiet();
    }

    @Test
    void theLibraryHasTheKnownVersion() {
        assertThat(QueueFormat.libraryVersion()).isEqualTo(QueueFormat.VERSION);
        assertThat(QueueFormat.ofLibrary().isKnown()).isTrue();
    }

    @Test
    void theLibraryWritesTheKnownFormat() throws IOException {
        Set<Path> before = probes();
        assertThat(FormatProbe.difference()).isEmpty();
        assertThat(probes()).isEqualTo(before);
    }

    @Test
    void anInterruptedThreadComparesAndRemainsInterrupted() {
        Thread.currentThread().interrupt();
        assertThat(FormatProbe.difference()).isEmpty();
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "cq4, SCQStore, SCQStorf, the header of a queue file",
        "cq4, indexSpacing, indexSpacinh, indexSpacing",
        "cq4, writePosition, writePositiom, writePosition",
        "cq4, index2index, index2indey, no index page",
        "cq4, EOF, EOG, the mark at the end of a queue file",
        "cq4t, chronicle.write.lock, chronicle.write.lick, the lock of appenders",
        "cq4t, baton.probe, baton.probf, a number in the metadata"
    })
    void otherNamesInFilesAreDifferences(String suffix, String name, String other, String difference) {
        assertThat(FormatProbe.difference(queue -> replace(queue, suffix, name, other)))
                .contains(difference);
    }

    @Test
    void otherNamesOfFilesAreDifferences() {
        assertThat(FormatProbe.difference(queue -> {
                    Path oldest = QueueFiles.in(queue).get(0);
                    Files.move(oldest, oldest.resolveSibling("1" + oldest.getFileName()));
                }))
                .contains("the name of a queue file");
    }

    private static Set<Path> probes() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("baton-chronicle-format-"))
                    .collect(Collectors.toSet());
        }
    }

    /** Replaces a text in all files with a suffix. */
    private static void replace(Path queue, String suffix, String text, String other) throws IOException {
        int replaced = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(queue, "*." + suffix)) {
            for (Path file : files) {
                int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).indexOf(text);
                if (at >= 0) {
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                        channel.write(ByteBuffer.wrap(other.getBytes(StandardCharsets.ISO_8859_1)), at);
                    }
                    replaced++;
                }
            }
        }
        assertThat(replaced).as(text).isPositive();
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

    @Test
    void excerptsFreedDuringTheCheckAreNoDamage() throws IOException, FileDefect {
        long first = fileFreedUpTo(48);
        QueueCheck.beforeOpening("t", directory, rising(first, 48));
        QueueCheck.beforeReading("t", directory, first + INDEX_SPACING, rising(first, 48));
    }

    @Test
    void zerosBehindTheFreedExcerptsAreDamage() throws IOException, FileDefect {
        long first = fileFreedUpTo(48);
        assertThatThrownBy(() -> QueueCheck.beforeOpening("t", directory, rising(first, 44)))
                .isInstanceOf(DamagedTopicException.class);
        assertThatThrownBy(() -> QueueCheck.beforeReading("t", directory, first, rising(first, 44)))
                .isInstanceOf(DamagedTopicException.class);
    }

    @Test
    void damageIsReportedWhileWriterKeepsFreeing() throws IOException, FileDefect {
        long first = fileFreedUpTo(48);
        int[] looks = {0};
        QueueCheck.Freed freeing =
                directory -> first + looks[0]++ % INDEX_SPACING; // moves at each look, and stays before the damage
        assertThatThrownBy(() -> QueueCheck.beforeOpening("t", directory, freeing))
                .isInstanceOf(DamagedTopicException.class);
    }

    @Test
    void aCheckOfManyFilesReadsMetadataOnce() throws IOException {
        try (SingleChronicleQueue queue = queue(RollCycles.FAST_DAILY)) {
            for (int file = 0; file < 3; file++) {
                append(queue, 1 + 10 * file, 10 + 10 * file);
                clock.advanceMillis(RollCycles.FAST_DAILY.lengthInMillis());
            }
        }
        int[] looks = {0};
        QueueCheck.Freed counted = directory -> {
            looks[0]++;
            return 0;
        };
        QueueCheck.beforeOpening("t", directory, counted);
        assertThat(looks[0]).isEqualTo(1);
        QueueCheck.beforeReading("t", directory, 0, counted);
        assertThat(looks[0]).isEqualTo(2);
    }

    /** Makes a file of 60 excerpts and clears those from the first indexed one on; returns the index of its first. */
    private long fileFreedUpTo(int number) throws IOException, FileDefect {
        long first;
        try (SingleChronicleQueue queue = queue(RollCycles.FAST_DAILY)) {
            append(queue, 1, 60);
            first = queue.firstIndex();
        }
        Path file = QueueFiles.in(directory).get(0);
        try (ExcerptScan scan = new ExcerptScan(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            scan.goTo(INDEX_SPACING);
            long from = scan.position();
            scan.goTo(number);
            channel.write(ByteBuffer.allocate((int) (scan.position() - from)), from);
        }
        return first;
    }

    /** The mark of a writer that frees up to a further indexed excerpt before each look, up to the last one. */
    private static QueueCheck.Freed rising(long first, int last) {
        int[] number = {0};
        return directory -> first + (number[0] = Math.min(number[0] + INDEX_SPACING, last));
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
}
