package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left when a process ends without closing anything. */
@Tag("slow")
class CrashTest {
    /** Chronicle waits two seconds, and a fifth more by chance, for what a dead process has left half-made. */
    private static final Duration LONGEST_REOPEN = Duration.ofSeconds(5);

    private static final int HALTED = 7;

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void onlyFlushedFramesSurviveACrash() throws InterruptedException {
        halt(HaltBeforeFlush.class);

        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(2);
            assertThat(writer.found().cause()).isEqualTo(2);
            Topic.write(writer, "c");
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a", "b", "c");
        }
    }

    @Test
    void anAcknowledgedPositionSurvives() throws InterruptedException {
        halt(HaltAfterAcknowledge.class);

        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isEqualTo(2);
            assertThat(Topic.poll(reader, 10)).containsExactly("c");
        }
    }

    @Test
    void aTornExcerptIsOverwritten() throws InterruptedException {
        halt(HaltInsideExcerpt.class);

        long start = System.nanoTime();
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 10)).containsExactly("whole");
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(1);
            Topic.write(writer, "next");
            Topic.write(writer, "and one more");
            assertThat(Topic.poll(reader, 10)).containsExactly("next", "and one more");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST_REOPEN);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "a part of a file is freed by fallocate, which only Linux has")
    void aKillWhileFreeingLosesAndRepeatsNothing() throws InterruptedException {
        try (QueueProcess child =
                QueueProcess.start(FreesUntilKilled.class, directory.path().toString())) {
            assertThat(child.line()).isEqualTo(FreesUntilKilled.FREEING);
            child.kill();
        }

        try (Topic topic = Topic.in(directory.path(), FreesUntilKilled.OPTIONS)) {
            TopicReader reader = topic.reader();
            TopicReader late = topic.connection.openReader(Topic.NAME, "late");
            TopicWriter writer = topic.writer();
            assertThat(reader.found().acknowledged()).isBetween((long) FreesUntilKilled.FRAMES, writer.sequence());
            assertThat(late.found().acknowledged()).isBetween(1L, reader.found().acknowledged());
            for (TopicReader either : List.of(reader, late)) {
                long first = either.found().acknowledged() + 1;
                assertThat(Topic.poll(either, Integer.MAX_VALUE))
                        .containsExactlyElementsOf(LongStream.rangeClosed(first, writer.sequence())
                                .mapToObj(FreesUntilKilled::text)
                                .toList());
            }
        }
    }

    @Test
    void deadProcessesWithSamePidHoldNoLock() {
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "a");
        }
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                LongValue lock = queue.metaStore().acquireValueFor("chronicle.write.lock")) {
            lock.setVolatileValue(ProcessHandle.current().pid());
        }

        long start = System.nanoTime();
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "b");
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a", "b");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST_REOPEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00000000", "00000080"})
    void topicsWithHalfMadeFilesAreOpened(String hex) throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            leave("metadata.cq4t", hex);
            leave(today(), hex);

            Topic.write(topic.writer(), "a");
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00000000", "00000080"})
    void readersDoNotWaitForHalfMadeFiles(String hex) throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            leave(today(), hex);
            TopicReader reader = topic.reader();

            long start = System.nanoTime();
            assertThat(Topic.poll(reader, 10)).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));

            leave(today(), hex);
            Topic.write(topic.writer(), "a");
            assertThat(Topic.poll(reader, 10)).containsExactly("a");
        }
    }

    private void leave(String file, String hex) throws IOException {
        Files.write(
                directory.path().resolve(Topic.NAME).resolve(file),
                HexFormat.of().parseHex(hex));
    }

    private static String today() {
        return DateTimeFormatter.ofPattern("yyyyMMdd'F.cq4'").format(LocalDate.now(ZoneOffset.UTC));
    }

    private void halt(Class<?> main) throws InterruptedException {
        try (QueueProcess child = QueueProcess.start(main, directory.path().toString())) {
            assertThat(child.exitCode()).isEqualTo(HALTED);
        }
    }

    static final class HaltBeforeFlush {
        private HaltBeforeFlush() {}

        public static void main(String[] arguments) {
            TopicWriter writer = Topic.in(Path.of(arguments[0])).writer();
            Topic.write(writer, "a", "b");
            Topic.commit(writer, "lost");
            Runtime.getRuntime().halt(HALTED);
        }
    }

    static final class HaltAfterAcknowledge {
        private HaltAfterAcknowledge() {}

        public static void main(String[] arguments) {
            Topic topic = Topic.in(Path.of(arguments[0]));
            Topic.write(topic.writer(), "a", "b", "c");
            TopicReader reader = topic.reader();
            Topic.poll(reader, 3);
            reader.acknowledge(2);
            Runtime.getRuntime().halt(HALTED);
        }
    }

    static final class FreesUntilKilled {
        static final ChronicleOptions OPTIONS = Topic.SMALL
                .with(ChronicleOptions.INDEX_COUNT, 64)
                .with(ChronicleOptions.INDEX_SPACING, 4)
                .with(ChronicleOptions.RETENTION, ChronicleOptions.Retention.UNREAD);
        static final String FREEING = "freeing";
        static final int FRAMES = 5_000;

        private FreesUntilKilled() {}

        static String text(long number) {
            return number + " ".repeat(1_000);
        }

        public static void main(String[] arguments) {
            Topic topic = Topic.in(Path.of(arguments[0]), OPTIONS);
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            while (true) {
                long before = writer.sequence();
                Topic.write(writer, text(before + 1), text(before + 2), text(before + 3));
                Topic.poll(reader, 3);
                reader.acknowledge(before + 2);
                if (before < FRAMES && writer.sequence() > FRAMES) {
                    System.out.println(FREEING);
                }
            }
        }
    }

    static final class HaltInsideExcerpt {
        private HaltInsideExcerpt() {}

        public static void main(String[] arguments) {
            Path directory = Path.of(arguments[0]);
            try (Topic topic = Topic.in(directory)) {
                Topic.write(topic.writer(), "whole");
            }
            SingleChronicleQueue queue = RawQueue.of(directory);
            ExcerptAppender appender = queue.createAppender();
            DocumentContext document = appender.writingDocument();
            while (document.wire().bytes().writePosition() % 4096 < 4000) {
                document.wire().bytes().writeByte((byte) 0xAA);
            }
            Runtime.getRuntime().halt(HALTED);
        }
    }
}
