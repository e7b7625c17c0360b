package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A file system without space: a writer says so before anything is half written, and goes on when there is some. */
@EnabledOnOs(
        value = OS.LINUX,
        disabledReason = "tmpfs is mounted, and space reserved by fallocate: only Linux has both")
class FullDiskTest {
    /** Nothing is left free on purpose: what refuses is the file system itself. */
    private static final ChronicleOptions TO_THE_LAST_PAGE = Topic.SMALL
            .with(ChronicleOptions.INDEX_COUNT, 64)
            .with(ChronicleOptions.INDEX_SPACING, 4)
            .with(ChronicleOptions.ROLL, Roll.FIVE_MINUTELY)
            .with(ChronicleOptions.MIN_FREE, 0);

    private static final int MEGABYTES = 4;

    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));
    private SmallFileSystem small;

    @BeforeEach
    void mount() {
        small = SmallFileSystem.ofMegabytes(MEGABYTES);
    }

    @AfterEach
    void unmount() {
        if (small != null) {
            small.close();
        }
    }

    @Test
    void fullFileSystemsStopTheWriterBetweenExcerpts() throws IOException {
        long stored;
        try (Topic topic = open()) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            Topic.write(writer, text(1));
            small.fill(0);
            TransportException full = writeUntilFull(writer);
            stored = writer.storedSequence();
            assertThat(full)
                    .hasMessageContaining(Topic.NAME)
                    .hasMessageContaining(small.path().toString())
                    .hasMessageMatching(".*0\\.0[0-9] MB free, 0\\.[0-9]{2} MB needed.*");
            assertThat(writer.sequence()).isGreaterThan(stored);
            assertThatThrownBy(() -> writer.claim(1)).isInstanceOf(TransportException.class);
            assertThat(writer.failure()).hasMessage(full.getMessage());
            assertThat(reader.failure()).isNull();
            assertThat(Topic.poll(reader, Integer.MAX_VALUE)).containsExactlyElementsOf(texts(1, stored));
            reader.acknowledge(stored);
        }
        try (Topic topic = open()) {
            assertThat(topic.reader().found().acknowledged()).isEqualTo(stored);
            assertThat(topic.writer().sequence()).isEqualTo(stored);
        }
    }

    @Test
    void theWriterContinuesWhenThereIsSpaceAgain() throws IOException {
        long next = 1;
        for (int i = 0; i < 5; i++) {
            try (Topic topic = open()) {
                TopicReader reader = topic.reader();
                TopicWriter writer = topic.writer();
                assertThat(writer.sequence()).isEqualTo(next - 1);
                small.fill(i * (100 << 10));
                writeUntilFull(writer);
                assertThat(Topic.poll(reader, Integer.MAX_VALUE))
                        .containsExactlyElementsOf(texts(next, writer.storedSequence()));
                next = writer.storedSequence() + 1;
                reader.acknowledge(next - 1);
            }
            small.empty();
        }
        try (Topic topic = open()) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, text(next));
            assertThat(Topic.poll(topic.reader(), 2)).containsExactly(text(next));
        }
    }

    /** Without space taken beforehand the JVM of this child sees a fault in mapped memory, now and then a fatal one. */
    @Test
    void aProcessSurvivesRepeatedlyFullFileSystems() throws InterruptedException {
        try (QueueProcess child =
                QueueProcess.start(FillsAndGoesOn.class, small.path().toString())) {
            List<String> lines = new ArrayList<>();
            for (String line = child.line(); line != null; line = child.line()) {
                lines.add(line);
            }
            assertThat(child.exitCode()).isZero();
            assertThat(lines).hasSize(FillsAndGoesOn.ROUNDS).allMatch(FillsAndGoesOn.REFUSED::equals);
        }
    }

    @Test
    void noFileBeginsOnAFullFileSystem() throws IOException {
        try (Topic topic = open()) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, text(1));
            small.fill(0);
            clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
            assertThat(writeUntilFull(writer)).hasMessageContaining("full");
        }
        assertThat(queueFiles()).isEqualTo(1);
        small.empty();
        try (Topic topic = open()) {
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(1);
            Topic.write(writer, text(2));
            assertThat(Topic.poll(topic.reader(), 3)).containsExactly(text(1), text(2));
        }
        assertThat(queueFiles()).isEqualTo(2);
    }

    @Test
    void newTopicsAreRefusedWithTheDirectory() throws IOException {
        try (ChronicleTransport transport = ChronicleTransport.in(small.path(), TO_THE_LAST_PAGE)) {
            transport.createTopics(List.of(Topic.NAME));
            small.fill(0);
            try (Connection connection = transport.connect()) {
                assertThatThrownBy(() -> connection.openWriter(Topic.NAME))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining(small.path().toString())
                        .hasMessageContaining("full");
                small.empty();
                Topic.write(connection.openWriter(Topic.NAME), text(1));
            }
        }
    }

    @Test
    void unreadRetentionOpensOnAFullFileSystem() throws IOException {
        ChronicleOptions unread = TO_THE_LAST_PAGE.with(ChronicleOptions.RETENTION, Retention.UNREAD);
        try (Topic topic = Topic.over(TestTransports.in(small.path(), unread, clock))) {
            topic.reader();
            writeUntilFull(topic.writer());
        }
        small.fill(0);
        long last;
        try (Topic topic = Topic.over(TestTransports.in(small.path(), unread, clock))) {
            last = topic.connection.openWriter(Topic.NAME).sequence();
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, Integer.MAX_VALUE)).hasSize((int) last);
            reader.acknowledge(last);
        }
    }

    private Topic open() {
        return Topic.over(TestTransports.in(small.path(), TO_THE_LAST_PAGE, clock));
    }

    private long queueFiles() throws IOException {
        try (var files = Files.list(small.path().resolve(Topic.NAME))) {
            return files.filter(file -> file.toString().endsWith(".cq4")).count();
        }
    }

    static TransportException writeUntilFull(TopicWriter writer) {
        return catchThrowableOfType(TransportException.class, () -> {
            for (int i = 0; i < MEGABYTES << 10; i++) {
                Topic.write(writer, text(writer.sequence() + 1));
            }
        });
    }

    private static String text(long number) {
        return number + " ".repeat(1_000 + (int) (number % 100));
    }

    private static List<String> texts(long from, long to) {
        return LongStream.rangeClosed(from, to).mapToObj(FullDiskTest::text).toList();
    }

    /** Several topics, as many as fit, until the file system is full; then it makes room and begins again. */
    static final class FillsAndGoesOn {
        static final int ROUNDS = 3;
        static final String REFUSED = "refused";
        private static final int TOPICS = 7;

        private FillsAndGoesOn() {}

        public static void main(String[] arguments) {
            Path directory = Path.of(arguments[0]);
            for (int round = 0; round < ROUNDS; round++) {
                try (ChronicleTransport transport = ChronicleTransport.in(directory, TO_THE_LAST_PAGE);
                        Connection connection = transport.connect()) {
                    fill(transport, connection);
                } catch (TransportException full) {
                    System.out.println(full.getMessage().contains("make room there") ? REFUSED : full.getMessage());
                }
                try (ChronicleTransport transport = ChronicleTransport.in(directory, TO_THE_LAST_PAGE)) {
                    transport.deleteTopics(transport.topics());
                }
            }
        }

        private static void fill(ChronicleTransport transport, Connection connection) {
            List<TopicWriter> writers = new ArrayList<>();
            List<TopicReader> readers = new ArrayList<>();
            for (int i = 0; i < TOPICS; i++) {
                transport.createTopics(List.of("topic-" + i));
                writers.add(connection.openWriter("topic-" + i));
                readers.add(connection.openReader("topic-" + i, Topic.CONSUMER));
            }
            while (true) {
                for (int i = 0; i < TOPICS; i++) {
                    String text = text(writers.get(i).sequence() + 1);
                    Topic.write(writers.get(i), text);
                    if (!Topic.poll(readers.get(i), 2).equals(List.of(text))) {
                        System.out.println("not what was written");
                    }
                    readers.get(i).acknowledge(writers.get(i).sequence());
                }
            }
        }
    }
}
