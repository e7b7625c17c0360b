package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files are changed by the clock; frames do not notice. */
class RollTest {
    private static final ChronicleOptions FIVE_MINUTELY = Topic.SMALL.with(ChronicleOptions.ROLL, Roll.FIVE_MINUTELY);

    private static final long FIVE_MINUTES = TimeUnit.MINUTES.toMillis(5);

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void readersFollowTheWriterAcrossFiles() throws IOException {
        try (Topic topic = open()) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 4; i++) {
                Topic.write(writer, "first " + i, "second " + i);
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(7));
                assertThat(Topic.poll(reader, 10)).containsExactly("first " + i, "second " + i);
                assertThat(Topic.poll(reader, 10)).isEmpty();
                reader.acknowledge(writer.sequence());
            }
        }
        assertThat(directory.queueFiles()).hasSize(4);
    }

    @Test
    void aReaderThatIsBehindReadsAllFiles() {
        try (Topic topic = open()) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 4; i++) {
                Topic.write(writer, "frame " + i);
                clock.advanceMillis(TimeUnit.MINUTES.toMillis(30));
            }
            assertThat(Topic.poll(reader, 10)).containsExactly("frame 0", "frame 1", "frame 2", "frame 3");
        }
    }

    @Test
    void sequencesAndPositionsContinueAcrossFiles() {
        for (int i = 1; i <= 3; i++) {
            try (Topic topic = open()) {
                TopicReader reader = topic.reader();
                TopicWriter writer = topic.writer();
                assertThat(writer.sequence()).isEqualTo(i - 1);
                assertThat(writer.found().cause()).isEqualTo(i - 1);
                Topic.write(writer, "frame " + i);
                assertThat(Topic.poll(reader, 10)).containsExactly("frame " + i);
                reader.acknowledge(i);
            }
            clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
        }
    }

    @Test
    void filesWithoutFramesAreSkipped() {
        try (Topic topic = open()) {
            Topic.write(topic.writer(), "before");
        }
        clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
        try (SingleChronicleQueue queue = SingleChronicleQueueBuilder.binary(
                                directory.path().resolve(Topic.NAME))
                        .rollCycle(RollCycles.FIVE_MINUTELY)
                        .blockSize(FIVE_MINUTELY.get(ChronicleOptions.BLOCK_SIZE))
                        .timeProvider(clock)
                        .build();
                ExcerptAppender appender = queue.createAppender();
                DocumentContext document = appender.writingDocument()) {
            document.rollbackOnClose();
        }
        clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
        try (Topic topic = open()) {
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(1);
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 10)).containsExactly("before");
            Topic.write(writer, "after");
            assertThat(Topic.poll(reader, 10)).containsExactly("after");
        }
    }

    @Test
    void clocksSteppingBackOverARollHideNothing() throws IOException {
        try (Topic topic = open()) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            Topic.write(writer, "first");
            clock.advanceMillis(FIVE_MINUTES);
            Topic.write(writer, "second");
            assertThat(Topic.poll(reader, 10)).containsExactly("first", "second");
            for (int i = 0; i < 3; i++) { // into the file before, and before all files
                clock.advanceMillis(-FIVE_MINUTES);
                Topic.write(writer, "stepped back " + i);
                assertThat(Topic.poll(reader, 10)).containsExactly("stepped back " + i);
            }
            clock.advanceMillis(4 * FIVE_MINUTES);
            Topic.write(writer, "later");
            assertThat(Topic.poll(reader, 10)).containsExactly("later");
        }
        assertThat(directory.queueFiles()).hasSize(3);
    }

    @Test
    void excerptsAreAppendedWhereTheirSpaceWasTaken() throws IOException {
        AtomicBoolean isMidnight = new AtomicBoolean();
        TimeProvider stepping = () -> {
            long now = clock.currentTimeMillis();
            if (isMidnight.get()) {
                clock.advanceMillis(FIVE_MINUTES);
            }
            return now;
        };
        try (Topic topic = Topic.over(TestTransports.in(directory.path(), FIVE_MINUTELY, stepping))) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            Topic.write(writer, "before");
            isMidnight.set(true);
            Topic.write(writer, "at midnight");
            isMidnight.set(false);
            assertThat(directory.queueFiles()).hasSize(1);
            Topic.write(writer, "after");
            assertThat(directory.queueFiles()).hasSize(2);
            assertThat(Topic.poll(reader, 10)).containsExactly("before", "at midnight", "after");
        }
    }

    @Test
    void aClockSetBackRepeatsNoSequence() throws IOException {
        try (Topic topic = open()) {
            topic.reader();
            Topic.write(topic.writer(), "frame 1");
        }
        for (int i = 2; i <= 3; i++) {
            clock.advanceMillis(-2 * FIVE_MINUTES);
            try (Topic topic = open()) {
                TopicWriter writer = topic.writer();
                assertThat(writer.sequence()).isEqualTo(i - 1);
                Topic.write(writer, "frame " + i);
            }
        }
        assertThat(directory.queueFiles()).hasSize(1);
        try (Topic topic = open()) {
            assertThat(topic.writer().sequence()).isEqualTo(3);
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("frame 1", "frame 2", "frame 3");
        }
    }

    @Test
    void writersContinueInFilesOfAnotherClock() throws IOException {
        SetTimeProvider ahead = new SetTimeProvider(clock.currentTimeNanos());
        try (Topic behind = open()) {
            TopicReader reader = behind.reader();
            ahead.advanceMillis(FIVE_MINUTES);
            try (Topic before = Topic.over(TestTransports.in(directory.path(), FIVE_MINUTELY, ahead))) {
                Topic.write(before.writer(), "before");
            }
            TopicWriter writer = behind.writer();
            Topic.write(writer, "after");
            assertThat(Topic.poll(reader, 10)).containsExactly("before", "after");
        }
        assertThat(directory.queueFiles()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void fullIndexStopsWriterUntilTheNextFile(int spacing) {
        ChronicleOptions small =
                FIVE_MINUTELY.with(ChronicleOptions.INDEX_COUNT, 8).with(ChronicleOptions.INDEX_SPACING, spacing);
        int room = 8 * 8 * spacing;
        try (Topic topic = Topic.over(TestTransports.in(directory.path(), small, clock))) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 1; i <= room; i++) {
                Topic.write(writer, "frame " + i);
            }
            assertThatThrownBy(() -> Topic.write(writer, "one more"))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("index");
            assertThat(Topic.poll(reader, Integer.MAX_VALUE)).hasSize(room);
            reader.acknowledge(room);
        }
        try (Topic topic = Topic.over(TestTransports.in(directory.path(), small, clock))) {
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isEqualTo(room);
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(room);
            assertThatThrownBy(() -> Topic.write(writer, "again"))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("index");
        }
        clock.advanceMillis(FIVE_MINUTES);
        try (Topic topic = Topic.over(TestTransports.in(directory.path(), small, clock))) {
            TopicReader reader = topic.reader();
            Topic.write(topic.writer(), "in the next file");
            assertThat(Topic.poll(reader, 10)).containsExactly("in the next file");
        }
    }

    private Topic open() {
        return Topic.over(TestTransports.in(directory.path(), FIVE_MINUTELY, clock));
    }
}
