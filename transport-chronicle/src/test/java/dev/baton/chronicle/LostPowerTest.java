package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.chronicle.format.ExcerptScan;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.platform.Boot;
import dev.baton.chronicle.platform.Device;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a power failure leaves with {@code durability=host}, at every sync, with any part of what was not synced. */
@Tag("slow")
class LostPowerTest {
    private static final ChronicleOptions OPTIONS = Topic.SMALL
            .with(ChronicleOptions.INDEX_COUNT, 64)
            .with(ChronicleOptions.INDEX_SPACING, 4)
            .with(ChronicleOptions.ROLL, Roll.FIVE_MINUTELY)
            .with(ChronicleOptions.BATCH, 1_000)
            .with(ChronicleOptions.DURABILITY, Durability.HOST);
    private static final int FLUSHES = 25;
    private static final int[] SIZES = {10, 300, 3_000, 20_000};

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));
    private final List<Loss> losses = new ArrayList<>();
    private long confirmed;
    private long written;

    /** A power failure: what was confirmed and written before, and a directory with what is left. */
    private record Loss(long confirmed, long written, Path image) {}

    @AfterEach
    void remove() {
        directory.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void confirmedFramesSurviveEveryLoss(long seed) throws IOException {
        run(seed);
    }

    static LongStream manySeeds() {
        return LongStream.range(100, 200);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void confirmedFramesSurviveManyLosses(long seed) throws IOException {
        run(seed);
    }

    private void run(long seed) throws IOException {
        Random random = new Random(seed);
        Path root = Files.createDirectory(directory.path().resolve("root"));
        Path topics = root.resolve("topics");
        LosableDevice device = new LosableDevice(root);
        device.beforeSync(() -> {
            if (random.nextInt(6) > 0) {
                return;
            }
            Path image = directory.path().resolve("image-" + losses.size());
            device.lose(image, random);
            losses.add(new Loss(confirmed, written, image.resolve("topics")));
        });
        for (int lives = 0; lives < 3; lives++) {
            try (Topic topic = Topic.over(TestTransports.in(topics, OPTIONS, clock, device))) {
                TopicReader reader = topic.reader();
                TopicWriter writer = topic.writer();
                for (int i = 0; i < FLUSHES; i++) {
                    write(writer, 1 + random.nextInt(random.nextInt(60) + 1));
                    reader.acknowledge(confirmed - Topic.poll(reader, 1_000).size() % 3);
                    if (random.nextInt(8) == 0) {
                        clock.advanceMillis(TimeUnit.MINUTES.toMillis(6));
                    } else {
                        clock.advanceMillis(random.nextInt(400));
                    }
                }
            }
        }
        device.beforeSync(() -> {});
        for (Loss loss : losses) {
            if (Files.exists(loss.image)) {
                requireConfirmed(loss);
            }
        }
    }

    private void write(TopicWriter writer, int frames) {
        written = writer.sequence() + frames;
        Topic.write(
                writer,
                LongStream.rangeClosed(writer.sequence() + 1, written)
                        .mapToObj(LostPowerTest::text)
                        .toArray(String[]::new));
        confirmed = writer.storedSequence();
    }

    private static String text(long number) {
        String text = number + ":";
        return text + "x".repeat(SIZES[(int) (number * 31 % 97 % SIZES.length)] - text.length());
    }

    private void requireConfirmed(Loss loss) throws IOException {
        String name = loss.toString();
        assertThat(Files.exists(loss.image.resolve(Topic.NAME)) || loss.confirmed == 0)
                .as(name)
                .isTrue();
        try (Topic topic = Topic.in(loss.image, OPTIONS)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            long left = writer.sequence();
            assertThat(left).as(name).isBetween(loss.confirmed, loss.written);
            long before = reader.found().acknowledged();
            List<String> texts = Topic.poll(reader, Integer.MAX_VALUE);
            assertThat(before + texts.size()).as(name).isEqualTo(left);
            for (int i = 0; i < texts.size(); i++) {
                if (!texts.get(i).equals(text(before + i + 1))) {
                    throw new AssertionError(name + ": frame " + (before + i + 1) + " is altered");
                }
            }
            Topic.write(writer, IntStream.range(0, 300).mapToObj(i -> "next").toArray(String[]::new));
            assertThat(Topic.poll(reader, Integer.MAX_VALUE))
                    .as(name)
                    .hasSize(300)
                    .containsOnly("next");
            assertThat(inspected(topic)).as(name).isEqualTo(left + 300);
        } catch (TransportException e) {
            throw new AssertionError(name, e);
        }
    }

    private static long inspected(Topic topic) {
        long frames = 0;
        try (TopicInspector inspector = topic.transport.inspect(Topic.NAME)) {
            for (int read = 1; read > 0; frames += read) {
                read = inspector.read((frame, position) -> Verdict.DONE, 1_000);
            }
        }
        return frames;
    }

    @Test
    void wholeFramesOfNewFileSurviveFailedSync() {
        LosableDevice device = new LosableDevice(directory.path());
        Path topics = directory.path().resolve("topics");
        try (Topic topic = Topic.over(TestTransports.in(topics, OPTIONS, clock, device))) {
            TopicWriter writer = topic.writer();
            write(writer, 1);
            clock.advanceMillis(TimeUnit.MINUTES.toMillis(6));
            device.fail(true);
            assertThatThrownBy(() -> write(writer, 1)).isInstanceOf(TransportException.class);
            device.fail(false);
        }
        try (Topic topic = Topic.over(TestTransports.in(topics, OPTIONS, clock, device))) {
            assertThat(topic.writer().storedSequence()).isEqualTo(2);
        }
    }

    @Test
    void damageBeforeTheConfirmedEndRemovesNothing() throws Exception {
        Path topics = directory.path();
        try (Topic topic = Topic.over(TestTransports.in(topics, OPTIONS, clock, Device.REAL))) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "first");
            Topic.write(writer, "second");
            clock.advanceMillis(TimeUnit.MINUTES.toMillis(6));
            Topic.write(writer, "third");
        }
        try (SingleChronicleQueue queue = RawQueue.of(topics);
                StoredPosition end = RawQueue.position(queue, StoredMetadata.END)) {
            end.set(2, Boot.SYNCED); // as of a writer that lives no more
        }
        List<Path> files = directory.queueFiles();
        assertThat(files).hasSize(2);
        long second;
        try (ExcerptScan scan = new ExcerptScan(files.get(0))) {
            assertThat(scan.next() && scan.next()).isTrue();
            second = scan.begin();
        }
        try (FileChannel file = FileChannel.open(files.get(0), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(Integer.BYTES), second);
        }
        List<byte[]> before = List.of(Files.readAllBytes(files.get(0)), Files.readAllBytes(files.get(1)));
        try (Topic topic = Topic.in(topics, OPTIONS)) {
            assertThatThrownBy(() -> Topic.poll(topic.reader(), 10)).isInstanceOf(DamagedTopicException.class);
        }
        assertThat(Files.readAllBytes(files.get(0))).isEqualTo(before.get(0));
        assertThat(Files.readAllBytes(files.get(1))).isEqualTo(before.get(1));
    }

    @Test
    void readersNeedNoWriterAfterItsClose() throws IOException {
        Path root = Files.createDirectory(directory.path().resolve("root"));
        Path topics = root.resolve("topics");
        LosableDevice device = new LosableDevice(root);
        try (Topic topic = Topic.over(TestTransports.in(topics, OPTIONS, clock, device))) {
            topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 10; i++) {
                Topic.write(writer, "frame");
            }
        }
        Path image = directory.path().resolve("image");
        device.lose(image, new Random(1));
        try (Topic topic = Topic.in(image.resolve("topics"), OPTIONS)) {
            assertThat(Topic.poll(topic.reader(), 100)).hasSize(10);
        }
    }

    @Test
    void otherProcessesReadOnlySyncedFrames() {
        LosableDevice device = new LosableDevice(directory.path());
        List<List<String>> received = new ArrayList<>();
        try (Topic writing = Topic.over(TestTransports.in(directory.path(), OPTIONS, clock, device));
                Topic reading = Topic.over(TestTransports.in(directory.path(), OPTIONS, clock, device))) {
            TopicWriter writer = writing.writer();
            TopicReader reader = reading.reader();
            device.beforeSync(() -> received.add(Topic.poll(reader, 10)));
            Topic.write(writer, "a");
            device.beforeSync(() -> {});
            received.add(Topic.poll(reader, 10));
            assertThat(received.get(0)).isEmpty();
            assertThat(received.stream().flatMap(List::stream)).containsExactly("a");
        }
    }

    @Test
    void consumersStartBeforeFramesNotSynced() throws IOException {
        Path root = Files.createDirectory(directory.path().resolve("root"));
        Path topics = root.resolve("topics");
        LosableDevice device = new LosableDevice(root);
        Path image = directory.path().resolve("image");
        try (Topic writing = Topic.over(TestTransports.in(topics, OPTIONS, clock, device));
                Topic reading = Topic.over(TestTransports.in(topics, OPTIONS, clock, device))) {
            TopicWriter writer = writing.writer();
            Topic.write(writer, "a");
            device.beforeSync(() -> {
                device.beforeSync(() -> {});
                reading.connection
                        .openReader(Topic.NAME, "late", StartPosition.latest())
                        .close();
                device.lose(image, new KeptOnlyWhatIsSynced()); // before "not synced" is
            });
            Topic.write(writer, "not synced");
        }
        try (Topic topic = Topic.in(image.resolve("topics"), OPTIONS)) {
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(1);
            Topic.write(writer, "b");
            TopicReader late = topic.connection.openReader(Topic.NAME, "late");
            assertThat(Topic.poll(late, 10)).containsExactly("b");
        }
    }

    /** The chance by which a loss of power leaves nothing that is not synced. */
    private static final class KeptOnlyWhatIsSynced extends Random {
        private static final long serialVersionUID = 1;

        @Override
        public int nextInt(int bound) {
            return 0;
        }

        @Override
        public boolean nextBoolean() {
            return false;
        }
    }

    @Test
    void nothingIsConfirmedAfterAFailedSync() {
        LosableDevice device = new LosableDevice(directory.path());
        Path topics = directory.path().resolve("topics");
        try (Topic topic = Topic.over(TestTransports.in(topics, OPTIONS, clock, device))) {
            TopicWriter writer = topic.writer();
            write(writer, 5);
            device.fail(true);
            assertThatThrownBy(() -> write(writer, 3))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(
                            "topic " + Topic.NAME,
                            "sequences 6 to 8",
                            "Input/output error; check the storage device, then open it again");
            device.fail(false);
            assertThatThrownBy(() -> write(writer, 1)).isInstanceOf(TransportException.class);
            assertThat(writer.storedSequence()).isEqualTo(5);
            assertThat(writer.failure()).hasMessageContaining("sequences 6 to 8");
        }
        try (Topic topic = Topic.over(TestTransports.in(topics, OPTIONS, clock, device))) {
            assertThat(topic.writer().storedSequence()).isEqualTo(8);
            assertThat(Topic.poll(topic.reader(), 100)).hasSize(8);
        }
    }
}
