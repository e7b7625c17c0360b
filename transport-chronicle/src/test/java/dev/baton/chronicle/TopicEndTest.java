package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.format.ExcerptScan;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.QueueFiles;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.platform.Boot;
import dev.baton.chronicle.platform.Device;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.core.time.SystemTimeProvider;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics that end before or behind what their writers confirmed. */
class TopicEndTest {
    private static final ChronicleOptions HOST = Topic.SMALL.with(ChronicleOptions.DURABILITY, Durability.HOST);
    private static final long ANOTHER_BOOT = 7;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final Logger logger = Logger.getLogger("dev.baton");
    private final List<String> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord each) {
            logged.add(new SimpleFormatter().formatMessage(each));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void remove() {
        logger.removeHandler(handler);
        directory.close();
    }

    @Test
    void olderFilesAreRefusedWithBothNumbers() throws IOException {
        write(Topic.SMALL, 3);
        byte[] older = Files.readAllBytes(directory.queueFiles().get(0));
        write(Topic.SMALL, 2);
        Files.write(directory.queueFiles().get(0), older);
        try (Topic topic = Topic.in(directory.path())) {
            for (Runnable opening : List.<Runnable>of(topic::writer, topic::reader)) {
                assertThatThrownBy(opening::run)
                        .isInstanceOf(DamagedTopicException.class)
                        .hasMessageContainingAll("topic " + Topic.NAME, "ends at sequence 3", "stored 5", "restore");
            }
        }
    }

    @Test
    void refusedReadersAddNoConsumer() throws IOException {
        write(Topic.SMALL, 3);
        Path file = directory.queueFiles().get(0);
        byte[] older = Files.readAllBytes(file);
        write(Topic.SMALL, 2);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, older);
        try (Topic topic = Topic.in(directory.path())) {
            assertThatThrownBy(topic::reader).hasMessageContaining("restore");
        }
        Files.write(file, whole);
        try (Topic topic = Topic.in(directory.path());
                TopicInspector inspector = topic.transport.inspect(Topic.NAME)) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "after the files were restored");
            assertThat(writer.slowestConsumer()).isNull();
            assertThat(inspector.acknowledged()).isEmpty();
            assertThat(Topic.poll(topic.reader(), 10)).hasSize(6);
            assertThat(inspector.acknowledged()).containsOnlyKeys(Topic.CONSUMER);
        }
    }

    @Test
    void inspectorsKnowTheEndOfCutTopics() throws IOException {
        write(Topic.SMALL, 3);
        byte[] older = Files.readAllBytes(directory.queueFiles().get(0));
        write(Topic.SMALL, 2);
        Files.write(directory.queueFiles().get(0), older);
        try (Topic topic = Topic.in(directory.path())) {
            assertThatThrownBy(topic::writer).hasMessageContainingAll("ends at sequence 3", "stored 5");
            try (TopicInspector inspector = topic.transport.inspect(Topic.NAME)) {
                assertThat(inspector.read((frame, position) -> Verdict.DONE, 10))
                        .isEqualTo(3);
                assertThat(inspector.newestSequence()).isEqualTo(5);
            }
        }
    }

    @Test
    void powerFailureLossesAreReportedWithProcessDurability() throws IOException {
        write(Topic.SMALL, 5);
        storeEnd(5, ANOTHER_BOOT);
        Files.delete(directory.queueFiles().get(0));
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(topic.writer().sequence()).isZero();
        }
        assertThat(logged).hasSize(1);
        assertThat(logged.get(0)).contains("topic " + Topic.NAME, "ends at sequence 0", "5 was stored");
        write(Topic.SMALL, 1);
        assertThat(logged).hasSize(1);
    }

    @Test
    void tornTailsAreRemovedAndReported() throws IOException {
        Path image = tornImage();
        damage(image, "2222", (byte) 0);
        assertThat(inspected(image)).isEqualTo(1);
        try (Topic topic = Topic.in(image, HOST)) {
            assertThat(topic.writer().sequence()).isEqualTo(1);
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("1111");
        }
        assertThat(logged).hasSize(1);
        assertThat(logged.get(0)).contains("topic " + Topic.NAME, "removed", "behind sequence 1", "not confirmed");
        assertThat(inspected(image)).isEqualTo(1);
    }

    @Test
    void wholeFramesAreKeptThoughNotConfirmed() throws IOException {
        try (Topic topic = Topic.in(tornImage(), HOST)) {
            assertThat(topic.writer().sequence()).isEqualTo(2);
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("1111", "2222");
        }
        assertThat(logged).isEmpty();
    }

    @Test
    void damagedConfirmedFramesAreReportedAndKept() throws IOException {
        Path image = tornImage();
        Topic.in(image, HOST).close();
        damage(image, "1111", (byte) '7');
        byte[] damaged = Files.readAllBytes(queueFile(image));
        try (Topic topic = Topic.in(image, HOST)) {
            TopicReader reader = topic.reader();
            assertThatThrownBy(() -> {
                        topic.writer();
                        Topic.poll(reader, 10);
                    })
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll("topic " + Topic.NAME, "index 0x", "sequence 1", "checksum");
        }
        assertThat(Files.readAllBytes(queueFile(image))).isEqualTo(damaged);
        assertThat(logged).isEmpty();
    }

    @Test
    void consumersContinueBehindAnnouncedLoss() throws IOException {
        loseAllThatWasRead();
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isZero();
            Topic.write(topic.writer(), "next");
            assertThat(Topic.poll(reader, 10)).containsExactly("next");
        }
        assertThat(logged.get(0)).contains("topic " + Topic.NAME, "consumer " + Topic.CONSUMER + " had acknowledged 5");
    }

    @Test
    void sequencesUsedAgainAreNotSkipped() throws IOException {
        loseAllThatWasRead();
        write(Topic.SMALL, 7);
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.reader(), 10)).hasSize(7);
        }
    }

    private void loseAllThatWasRead() throws IOException {
        write(Topic.SMALL, 5);
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 10)).hasSize(5);
            reader.acknowledge(5);
        }
        storeEnd(5, ANOTHER_BOOT);
        Files.delete(directory.queueFiles().get(0));
    }

    @Test
    void lostTailsAreAnnouncedAfterARestart() throws IOException {
        write(Topic.SMALL, 3);
        storeEnd(3, ANOTHER_BOOT);
        zeroExcerpt(3);
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(topic.writer().sequence()).isEqualTo(2);
            assertThat(Topic.poll(topic.reader(), 10)).hasSize(2);
        }
        assertThat(logged.get(0)).contains("removed", "behind sequence 2", "not synced");
        assertThat(logged.get(1)).contains("ends at sequence 2", "3 was stored");
    }

    @Test
    void lostTailsAreRefusedWithoutARestart() throws IOException {
        write(Topic.SMALL, 3);
        zeroExcerpt(3);
        assertDamaged();
    }

    @Test
    void holesAreRefusedAfterARestart() throws IOException {
        write(Topic.SMALL, 3);
        storeEnd(3, ANOTHER_BOOT);
        zeroExcerpt(2);
        assertDamaged();
    }

    @ParameterizedTest
    @ValueSource(longs = {ANOTHER_BOOT, Boot.SYNCED})
    void foreignExcerptsThatBeginWithZerosAreKept(long boot) throws IOException {
        write(Topic.SMALL, 1);
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                ExcerptAppender appender = queue.createAppender()) {
            appender.writeBytes(Bytes.wrapForRead(Arrays.copyOf(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 7}, 64)));
        }
        storeEnd(1, boot);
        assertDamaged();
    }

    /** Asserts that a topic is refused, and that nothing was removed from it. */
    private void assertDamaged() throws IOException {
        Path file = directory.queueFiles().get(0);
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> {
                    try (Topic topic = Topic.in(directory.path())) {
                        TopicReader reader = topic.reader();
                        Topic.poll(reader, 10);
                        Topic.poll(reader, 10);
                        topic.writer();
                    }
                })
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContaining("topic " + Topic.NAME);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(logged).isEmpty();
    }

    /** Writes zeros in place of an excerpt and its length, counted from 1. */
    private void zeroExcerpt(int number) throws IOException {
        Path file = directory.queueFiles().get(0);
        long begin;
        long end;
        try (ExcerptScan scan = new ExcerptScan(file)) {
            for (int i = 0; i < number; i++) {
                assertThat(scan.next()).isTrue();
            }
            begin = scan.begin();
            end = scan.position();
        } catch (FileDefect whole) {
            throw new AssertionError(whole);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate((int) (end - begin)), begin);
        }
    }

    @Test
    void lockedMetadataDoNotEndTheWriter() throws IOException {
        SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));
        try (Topic topic = Topic.over(TestTransports.in(directory.path(), HOST, clock, Device.REAL))) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "frame");
            Path metadata = directoryOf(directory.path()).resolve(Mutation.METADATA);
            try (FileChannel other = FileChannel.open(metadata, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    FileLock held = other.lock()) {
                assertThat(held.isValid()).isTrue();
                clock.advanceMillis(2_000);
                Topic.write(writer, "frame");
            }
            assertThat(writer.failure()).isNull();
            assertThat(writer.storedSequence()).isEqualTo(2);
        }
    }

    /** Returns a copy of a topic whose writer lived and had frame 1 confirmed and frame 2 not. */
    private Path tornImage() throws IOException {
        Path topics = directory.path().resolve("topics");
        Path image = directory.path().resolve("image");
        LosableDevice device = new LosableDevice(topics);
        try (Topic topic = Topic.over(TestTransports.in(topics, HOST, SystemTimeProvider.INSTANCE, device))) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "1111");
            device.fail(true);
            assertThatThrownBy(() -> Topic.write(writer, "2222")).isInstanceOf(TransportException.class);
            Files.createDirectories(image.resolve(Topic.NAME));
            for (Path file : List.of(
                    directoryOf(topics).resolve(Mutation.METADATA),
                    directoryOf(topics).resolve("baton.topic"),
                    queueFile(topics))) {
                Files.copy(file, image.resolve(Topic.NAME).resolve(file.getFileName()));
            }
        }
        return image;
    }

    private static Path directoryOf(Path topics) {
        return topics.resolve(Topic.NAME);
    }

    private static Path queueFile(Path topics) throws IOException {
        return QueueFiles.in(directoryOf(topics)).get(0);
    }

    private static void damage(Path topics, String text, byte by) throws IOException {
        Path file = queueFile(topics);
        int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).indexOf(text);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {by, by}), at + 2);
        }
    }

    private static long inspected(Path topics) {
        try (ChronicleTransport transport = ChronicleTransport.in(topics, HOST);
                TopicInspector inspector = transport.inspect(Topic.NAME)) {
            long frames = 0;
            for (int read = 1; read > 0; frames += read) {
                read = inspector.read((frame, position) -> Verdict.DONE, 10);
            }
            assertThat(inspector.newestSequence()).isEqualTo(frames);
            return frames;
        }
    }

    private void write(ChronicleOptions options, int frames) {
        try (Topic topic = Topic.in(directory.path(), options)) {
            TopicWriter writer = topic.writer();
            for (int i = 0; i < frames; i++) {
                Topic.write(writer, "frame");
            }
        }
    }

    private void storeEnd(long sequence, long boot) {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                StoredPosition end = RawQueue.position(queue, StoredMetadata.END)) {
            end.set(sequence, boot);
        }
    }
}
