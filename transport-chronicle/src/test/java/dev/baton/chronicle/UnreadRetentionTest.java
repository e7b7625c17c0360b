package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.ExcerptScan;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.StoreHeader;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What has been read makes room, and nobody misses it. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "a part of a file is freed by fallocate, which only Linux has")
class UnreadRetentionTest {
    /** Small index pages, so that freed space reaches over several of them. */
    private static final ChronicleOptions UNREAD = Topic.SMALL
            .with(ChronicleOptions.INDEX_COUNT, 64)
            .with(ChronicleOptions.INDEX_SPACING, 4)
            .with(ChronicleOptions.ROLL, Roll.FIVE_MINUTELY)
            .with(ChronicleOptions.RETENTION, Retention.UNREAD);

    private static final String TEXT = "x".repeat(1_000);
    private static final int PER_BATCH = 10;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void aTopicThatIsReadStaysSmall() throws IOException {
        try (Topic topic = open(UNREAD)) {
            TopicWriter writer = topic.writer();
            TopicReader reader = topic.reader();
            for (int part = 0; part < 10; part++) {
                writeAndRead(writer, reader, 200);
                System.gc(); // Chronicle holds pages of the index by weak references, and reads them again
            }
            assertThat(bytesOnDisk()).isLessThan(2 << 20);
        }
        assertThat(length()).isGreaterThan(20 << 20);
    }

    @Test
    void withoutTheOptionEverythingStays() throws IOException {
        try (Topic topic = open(UNREAD.with(ChronicleOptions.RETENTION, Retention.ALL))) {
            writeAndRead(topic.writer(), topic.reader(), 500);
            assertThat(bytesOnDisk()).isGreaterThan(5 << 20);
        }
    }

    @Test
    void unreadFramesOfTheSlowestConsumerStay() {
        try (Topic topic = open(UNREAD)) {
            TopicReader slow = topic.connection.openReader(Topic.NAME, "slow");
            TopicReader fast = topic.reader();
            TopicWriter writer = topic.writer();
            writeAndRead(writer, fast, 300);
            assertThat(Topic.poll(slow, 500)).hasSize(500).allMatch(TEXT::equals);
            slow.acknowledge(500);
            writeAndRead(writer, fast, 300);
            assertThat(Topic.poll(slow, 10_000)).hasSize(6_000 - 500).allMatch(TEXT::equals);
        }
    }

    @Test
    void forgottenConsumersHoldNoFrames() throws IOException {
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            topic.connection.openReader(Topic.NAME, "gone").close();
            writeAndRead(writer, reader, 500);
            assertThat(bytesOnDisk()).isGreaterThan(5 << 20);
            assertThat(topic.transport.forgetConsumer(Topic.NAME, "gone")).isTrue();
            writeAndRead(writer, reader, 500);
            assertThat(bytesOnDisk()).isLessThan(2 << 20);

            TopicReader back = topic.connection.openReader(Topic.NAME, "gone");
            long oldest = back.found().acknowledged();
            assertThat(oldest).isBetween(9_000L, 9_999L);
            writeAndRead(writer, reader, 500);
            assertThat(Topic.poll(back, Integer.MAX_VALUE))
                    .hasSize((int) (writer.sequence() - oldest))
                    .allMatch(TEXT::equals);
        }
    }

    @Test
    void writerAndConsumersGoOnAfterARestart() {
        for (int i = 1; i <= 5; i++) {
            try (Topic topic = open(UNREAD)) {
                TopicReader reader = topic.reader();
                TopicWriter writer = topic.writer();
                assertThat(writer.sequence()).isEqualTo((i - 1) * 4_001L);
                Topic.write(writer, "first of " + i);
                assertThat(Topic.poll(reader, 2)).containsExactly("first of " + i);
                reader.acknowledge(writer.sequence());
                writeAndRead(writer, reader, 400);
            }
        }
    }

    @Test
    void staleEndsOfAnotherBootRemoveNoFrames() throws IOException {
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            writeAndRead(writer, reader, 300);
            for (int i = 0; i < 100; i++) {
                Topic.write(writer, TEXT);
            }
        }
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                StoredPosition end = RawQueue.position(queue, StoredMetadata.END)) {
            end.set(3, 1234); // as a writer left it that was killed within a second, before the machine restarted
        }
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            assertThat(topic.writer().sequence()).isEqualTo(reader.found().acknowledged() + 100);
            assertThat(Topic.poll(reader, Integer.MAX_VALUE)).hasSize(100).allMatch(TEXT::equals);
        }
    }

    @Test
    void laterConsumersStartAtTheOldestFrameLeft() {
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            writeAndRead(writer, reader, 1_000);
            TopicReader late = topic.connection.openReader(Topic.NAME, "late");
            long oldest = late.found().acknowledged();
            assertThat(oldest).isBetween(9_000L, 9_999L);
            long[] expected = {oldest};
            late.poll(
                    (frame, position) -> {
                        assertThat(frame.sequence()).isEqualTo(++expected[0]);
                        assertThat(Topic.text(frame)).isEqualTo(TEXT);
                        return Verdict.DONE;
                    },
                    10_000);
            assertThat(expected[0]).isEqualTo(writer.sequence());
        }
    }

    @Test
    void acknowledgedFilesAreDeleted() throws IOException {
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 4; i++) {
                writeAndRead(writer, reader, 100);
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
            }
            assertThat(directory.queueFiles()).hasSizeLessThanOrEqualTo(2);
            TopicReader late = topic.connection.openReader(Topic.NAME, "late");
            long left = writer.sequence() - late.found().acknowledged();
            assertThat(Topic.poll(late, 10_000)).hasSize((int) left);
        }
        try (Topic topic = open(UNREAD)) {
            assertThat(topic.writer().sequence()).isEqualTo(4_000);
            assertThat(Topic.poll(topic.reader(), 10)).isEmpty();
        }
    }

    @Test
    void acknowledgedFilesWithinOneBlockAreDeleted() throws IOException {
        try (Topic topic = open(UNREAD)) {
            TopicReader slow = topic.connection.openReader(Topic.NAME, "slow");
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 12; i++) {
                Topic.write(writer, TEXT);
                readAll(reader, writer.sequence());
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
            }
            assertThat(directory.queueFiles()).as("unread").hasSize(12);
            readAll(slow, writer.sequence());
            for (int i = 0; i < 2; i++) {
                Topic.write(writer, TEXT);
                readAll(slow, writer.sequence());
                readAll(reader, writer.sequence());
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
            }
            assertThat(directory.queueFiles()).hasSizeLessThanOrEqualTo(3);
        }
        try (Topic topic = open(UNREAD)) {
            assertThat(topic.writer().sequence()).isEqualTo(14);
            assertThat(Topic.poll(topic.reader(), 10)).isEmpty();
        }
    }

    @Test
    void spaceIsBoundedOverManyFiles() throws IOException {
        int perFile = 40;
        try (Topic topic = open(UNREAD)) {
            TopicReader slow = topic.connection.openReader(Topic.NAME, "slow");
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            long most = 0;
            for (int cycle = 0; cycle < 30; cycle++) {
                writeAndRead(writer, reader, perFile);
                readAll(slow, writer.sequence());
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
                most = cycle < 5 ? Math.max(most, bytesOnDisk()) : most;
                assertThat(bytesOnDisk()).as("file %d", cycle).isLessThanOrEqualTo(most + (256 << 10));
                assertThat(directory.queueFiles()).hasSizeLessThanOrEqualTo(2);
            }
            long readBySlow = writer.sequence();
            for (int cycle = 0; cycle < 10; cycle++) {
                writeAndRead(writer, reader, perFile);
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
            }
            assertThat(directory.queueFiles()).hasSizeGreaterThanOrEqualTo(10);
            assertThat(Topic.poll(slow, Integer.MAX_VALUE))
                    .hasSize((int) (writer.sequence() - readBySlow))
                    .allMatch(TEXT::equals);
            slow.acknowledge(writer.sequence());
            for (int cycle = 0; cycle < 12; cycle++) {
                writeAndRead(writer, reader, perFile);
                readAll(slow, writer.sequence());
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
            }
            assertThat(directory.queueFiles()).hasSizeLessThanOrEqualTo(2);
            assertThat(bytesOnDisk()).isLessThanOrEqualTo(most + (256 << 10));
        }
    }

    private static void readAll(TopicReader reader, long sequence) {
        assertThat(Topic.poll(reader, Integer.MAX_VALUE)).allMatch(TEXT::equals);
        reader.acknowledge(sequence);
    }

    @Test
    void filesAreFreedByTheirOwnSparserIndex() throws IOException {
        freeAFileThatWasMadeWith(
                UNREAD.with(ChronicleOptions.INDEX_COUNT, 128).with(ChronicleOptions.INDEX_SPACING, 256), UNREAD);
    }

    @Test
    void filesAreFreedByTheirOwnDenserIndex() throws IOException {
        freeAFileThatWasMadeWith(
                UNREAD, UNREAD.with(ChronicleOptions.INDEX_COUNT, 128).with(ChronicleOptions.INDEX_SPACING, 256));
    }

    private void freeAFileThatWasMadeWith(ChronicleOptions first, ChronicleOptions now) throws IOException {
        try (Topic topic = open(first)) {
            writeAndRead(topic.writer(), topic.reader(), 100);
        }
        try (Topic topic = open(now)) {
            writeAndRead(topic.writer(), topic.reader(), 1_000);
        }
        assertThat(directory.queueFiles()).hasSize(1);
        assertThat(bytesOnDisk()).isLessThan(5 << 20);
        try (Topic topic = open(now)) {
            assertThat(topic.writer().sequence()).isEqualTo(11_000);
            TopicReader late = topic.connection.openReader(Topic.NAME, "late");
            int left = (int) (11_000 - late.found().acknowledged());
            assertThat(Topic.poll(late, Integer.MAX_VALUE)).hasSize(left).allMatch(TEXT::equals);
        }
    }

    @Test
    void indexPagesBehindExcerptsOfOtherProgramsStay() throws IOException {
        ChronicleOptions dense = UNREAD.with(ChronicleOptions.INDEX_SPACING, 1);
        int perPage = 64;
        try (Topic topic = open(dense);
                SingleChronicleQueue queue = SingleChronicleQueueBuilder.binary(
                                directory.path().resolve(Topic.NAME))
                        .rollCycle(RollCycles.FIVE_MINUTELY)
                        .blockSize(64 << 10)
                        .timeProvider(clock)
                        .build();
                ExcerptAppender other = queue.createAppender()) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int page = 0; page < 10; page++) {
                writeAndRead(writer, reader, page == 0 ? perPage : perPage - 2);
                other.writeText("takes the first entry of the next page");
                assertThat(other.lastIndexAppended() & 0xFFFF_FFFFL).isEqualTo((page + 1L) * perPage);
                Topic.write(writer, TEXT);
                assertThatThrownBy(() -> Topic.poll(reader, 1)).isInstanceOf(DamagedTopicException.class);
                assertThat(reader.skipUnreadable()).isTrue();
                readAll(reader, writer.sequence());
            }
            Topic.write(writer, "unread");
            assertThat(bytesOnDisk()).isLessThan(3 << 20);
        }
        try (Topic topic = open(dense)) {
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("unread");
            TopicReader late = topic.connection.openReader(Topic.NAME, "late", StartPosition.latest());
            Topic.write(topic.writer(), "new");
            assertThat(Topic.poll(late, 10)).containsExactly("new");
        }
    }

    @Test
    void indexPagesLeftOutByKilledWriterStay() throws IOException, FileDefect {
        assertContinuesAtAPageBoundary(true);
    }

    @Test
    void excerptsPublishedWithoutPositionAreFoundAtAPageBoundary() throws IOException, FileDefect {
        assertContinuesAtAPageBoundary(false);
    }

    private void assertContinuesAtAPageBoundary(boolean hasPosition) throws IOException, FileDefect {
        int perPage = 64 * 4;
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            writeAndRead(writer, reader, perPage - 1);
            Topic.write(writer, TEXT);
            readAll(reader, writer.sequence());
        }
        appendWithoutIndexEntry(perPage, hasPosition);
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                LongValue writer = queue.metaStore().acquireValueFor(StoredMetadata.WRITER_PROCESS)) {
            writer.setVolatileValue(1L << 62 | 4711L << 29); // of no process that lives
        }
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo((perPage - 1) * PER_BATCH + 2);
            readAll(reader, writer.sequence());
            writeAndRead(writer, reader, perPage - 20);
            Topic.write(writer, "unread");
        }
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 10)).containsExactly("unread");
            reader.acknowledge(reader.found().acknowledged() + 1);
            writeAndRead(topic.writer(), reader, 100);
        }
    }

    /** Appends an excerpt as a writer that is killed before its index entry, and maybe before the header's position. */
    private void appendWithoutIndexEntry(int number, boolean hasPosition) throws IOException, FileDefect {
        Path file = directory.queueFiles().get(0);
        try (ExcerptScan scan = new ExcerptScan(file)) {
            assertThat(scan.goToLast()).isTrue();
            assertThat(scan.next()).isTrue();
            int bytes = Excerpt.bytes(scan.excerpt(), 0);
            ByteBuffer content = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            content.put(0, scan.excerpt(), 0, bytes);
            long sequence = Excerpt.firstSequence(content, 0) + 1;
            Excerpt.begin(content, 0, sequence, false);
            new Frame()
                    .wrap(content, Excerpt.FIRST_FRAME, Excerpt.length(content, Excerpt.FIRST_FRAME))
                    .sequence(sequence);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(content, scan.position() + Integer.BYTES);
                channel.write(
                        ByteBuffer.allocate(Integer.BYTES)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(0, bytes),
                        scan.position());
                if (hasPosition) {
                    channel.write(
                            ByteBuffer.allocate(2 * Long.BYTES)
                                    .order(ByteOrder.LITTLE_ENDIAN)
                                    .putLong(0, scan.position())
                                    .putLong(Long.BYTES, scan.position() << Integer.SIZE | number),
                            StoreHeader.of(file).lastAt());
                }
            }
        }
    }

    @Test
    void filesOfEarlierRunsAreDeleted() throws IOException {
        for (int i = 0; i < 4; i++) {
            try (Topic topic = open(UNREAD)) {
                writeAndRead(topic.writer(), topic.reader(), 100);
            }
            clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
        }
        assertThat(directory.queueFiles()).hasSize(1);
    }

    @Test
    void lateDeletionsDoNotMoveTheStartBack() throws IOException {
        ChronicleOptions sparse = UNREAD.with(ChronicleOptions.INDEX_COUNT, 64)
                .with(ChronicleOptions.INDEX_SPACING, 64); // no mark between the two deletions
        long written;
        try (Topic topic = open(sparse)) {
            TopicReader slow = topic.connection.openReader(Topic.NAME, "slow");
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int batches : new int[] {20, 20, 300}) {
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
                writeAndRead(writer, reader, batches);
            }
            for (int i = 0; directory.queueFiles().size() > 1; i++) {
                assertThat(i).as("batches until only the newest file is left").isLessThan(20);
                readAll(slow, writer.sequence());
                writeAndRead(writer, reader, 1);
            }
            written = writer.sequence();
        }
        try (Topic topic = open(sparse)) {
            TopicReader late = topic.connection.openReader(Topic.NAME, "late");
            int left = (int) (written - late.found().acknowledged());
            assertThat(Topic.poll(late, Integer.MAX_VALUE)).hasSize(left).allMatch(TEXT::equals);
        }
    }

    @Test
    void consumersWithoutIndexStartAtTheOldestFrame() {
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            writeAndRead(writer, reader, 1_000);
            topic.connection.openReader(Topic.NAME, "late");
        }
        try (SingleChronicleQueue queue = RawQueue.of(directory.path(), UNREAD);
                var position = RawQueue.position(queue, "baton.consumer.late")) {
            position.set(position.sequence(), 0);
        }
        try (Topic topic = open(UNREAD)) {
            TopicReader late = topic.connection.openReader(Topic.NAME, "late");
            long left = 10_000 - late.found().acknowledged();
            assertThat(Topic.poll(late, 20_000)).hasSize((int) left).allMatch(TEXT::equals);
        }
    }

    @Test
    void consumersKilledBeforeTheirPositionKeepUnreadFrames() throws IOException {
        try (Topic topic = open(UNREAD)) {
            writeAndRead(topic.writer(), topic.reader(), 1);
        }
        RawQueue.killAConsumerThatEnters(directory.path(), UNREAD);
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            writeAndRead(writer, reader, 500);
            TopicReader killed = topic.connection.openReader(Topic.NAME, RawQueue.KILLED);
            assertThat(Topic.poll(killed, Integer.MAX_VALUE)).hasSize(5_010).allMatch(TEXT::equals);
            killed.acknowledge(writer.sequence());
            for (int i = 0; i < 50; i++) {
                writeAndRead(writer, reader, 10);
                readAll(killed, writer.sequence());
            }
            assertThat(bytesOnDisk()).isLessThan(4 << 20);
        }
    }

    @Test
    void consumersThatAreBeingOpenedLeaveRoom() {
        ChronicleOptions options = UNREAD.with(ChronicleOptions.BACKLOG, 3_000);
        try (Topic topic = open(options)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            writeAndRead(writer, reader, 1_000);
            RawQueue.killAConsumerThatEnters(directory.path(), options);
            writeAndRead(writer, reader, 110); // within which it is noticed
            assertThat(writer.remainingCapacity()).isPositive();

            long lag = writer.slowestConsumer().frames();
            TopicReader opened = topic.connection.openReader(Topic.NAME, RawQueue.KILLED);
            assertThat(writer.sequence() - opened.found().acknowledged())
                    .isEqualTo(lag)
                    .isLessThan(3_000);
        }
    }

    @Test
    void damagedPositionStillHasItsFrames() throws IOException {
        int repeated = 0;
        try (Topic topic = open(UNREAD)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            String[] excerpt = new String[3 * PER_BATCH]; // larger than what an index may lag behind
            Arrays.fill(excerpt, TEXT);
            for (int i = 0; i < 60; i++) {
                long acknowledged = writer.sequence();
                for (int j = 0; j <= i / 20; j++) { // one, later two: the indexed ones fall on either copy
                    Topic.write(writer, excerpt); // frees what the position allows
                }
                repeated += acknowledged > startAfterDamage(writer.sequence()) ? 1 : 0;
                readAll(reader, writer.sequence());
            }
            assertThat(bytesOnDisk()).as("something is freed").isLessThan(120 * excerpt.length * TEXT.length() / 2);
        }
        assertThat(repeated).as("starts that needed the older copy").isPositive();
    }

    /**
     * Opens a copy of the directory, as a kill would leave it, with a damaged newest copy of the consumer's position, and
     * polls all that follows.
     *
     * @return the sequence from which the consumer continues
     */
    private long startAfterDamage(long newest) throws IOException {
        try (TemporaryDirectory killed = new TemporaryDirectory()) {
            Path copy = Files.createDirectory(killed.path().resolve(Topic.NAME));
            try (Stream<Path> files = Files.list(directory.path().resolve(Topic.NAME))) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
            try (SingleChronicleQueue queue = RawQueue.of(killed.path(), UNREAD);
                    LongValue one = queue.metaStore().acquireValueFor("baton.consumer.desk.sequence", 0);
                    LongValue other = queue.metaStore().acquireValueFor("baton.consumer.desk.sequence.copy", 0);
                    LongValue process = queue.metaStore().acquireValueFor("baton.consumer.desk.reader", 0)) {
                process.setValue(0); // this one lives
                (one.getValue() > other.getValue() ? one : other).addValue(1 << 20);
            }
            try (Topic topic = Topic.over(TestTransports.in(killed.path(), UNREAD, clock))) {
                TopicReader reader = topic.reader();
                long start = reader.found().acknowledged();
                assertThat(Topic.poll(reader, Integer.MAX_VALUE))
                        .hasSize((int) (newest - start))
                        .allMatch(TEXT::equals);
                return start;
            }
        }
    }

    private void writeAndRead(TopicWriter writer, TopicReader reader, int batches) {
        String[] texts = new String[PER_BATCH];
        Arrays.fill(texts, TEXT);
        for (int i = 0; i < batches; i++) {
            Topic.write(writer, texts);
            assertThat(Topic.poll(reader, PER_BATCH + 1)).containsExactly(texts);
            reader.acknowledge(writer.sequence());
        }
    }

    private Topic open(ChronicleOptions options) {
        return Topic.over(TestTransports.in(directory.path(), options, clock));
    }

    private long length() throws IOException {
        return Files.size(directory.queueFiles().get(0));
    }

    /** What the files take, holes not counted. */
    private long bytesOnDisk() throws IOException {
        long blocks = 0;
        for (Path file : directory.queueFiles()) {
            blocks += HoleCount.bytesOf(file);
        }
        return blocks;
    }
}
