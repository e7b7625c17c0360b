package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Old files that somebody has deleted past Baton: who is new starts behind them, who has not read them is told. */
class DeletedFilesTest {
    private static final ChronicleOptions KEEPS = Topic.SMALL.with(ChronicleOptions.ROLL, Roll.FIVE_MINUTELY);
    private static final long FIVE_MINUTES = TimeUnit.MINUTES.toMillis(5);

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void newConsumerStartsAtOldestFrameLeft() throws IOException {
        writeFiles(4);
        delete(0, 1);
        try (Topic topic = open()) {
            assertReadsFrom(topic, 5);
            assertThat(topic.writer().sequence()).isEqualTo(8);
        }
        try (Topic topic = open()) {
            assertReadsFrom(topic, 5);
        }
    }

    @Test
    void newConsumersStartThereBesideAnotherWriter() throws IOException {
        try (Topic other = open()) {
            TopicWriter writer = other.writer();
            write(writer, 4);
            try (Topic topic = open()) {
                topic.connection.openReader(Topic.NAME, "early").close();
                delete(0, 1);
                TopicReader reader = assertReadsFrom(topic, 5);
                Topic.write(writer, "last");
                assertThat(Topic.poll(reader, 10)).containsExactly("last");
                reader.acknowledge(9);
            }
            TopicReader sameTransport = other.connection.openReader(Topic.NAME, "beside");
            assertThat(sameTransport.found().acknowledged()).isEqualTo(4);
            assertThat(Topic.poll(sameTransport, 10)).hasSize(5);
        }
    }

    @Test
    void readerReportsTopicDeletedWhileItOpens() throws IOException {
        try (Topic topic = open()) {
            topic.writer();
            Path metadata = directory.path().resolve(Topic.NAME).resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
            Files.delete(metadata);
            assertThatThrownBy(topic::reader)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(
                            "topic " + Topic.NAME,
                            directory.path().toString(),
                            "metadata.cq4t is gone",
                            "open it again");
        }
    }

    @Test
    void consumersContinueAfterDeletedFramesTheyHaveRead() throws IOException {
        writeFiles(3);
        readAndAcknowledge(2);
        delete(0);
        try (Topic topic = open()) {
            assertReadsFrom(topic, 3);
        }
    }

    @Test
    void deletedUnreadFramesAreReportedUntilRestored() throws IOException {
        writeFiles(3);
        readAndAcknowledge(1);
        List<Path> files = directory.queueFiles();
        Path kept = directory.path().resolve("kept");
        Files.move(files.get(0), kept);
        try (Topic topic = open()) {
            for (int again = 0; again < 2; again++) {
                assertGone(topic::reader, 2, 2);
            }
        }
        Files.move(kept, files.get(0));
        try (Topic topic = open()) {
            assertReadsFrom(topic, 2);
        }
    }

    @Test
    void aConsumerWithoutAcknowledgementsReportsThemToo() throws IOException {
        try (Topic topic = open()) {
            topic.reader();
            write(topic.writer(), 3);
        }
        delete(0);
        try (Topic topic = open()) {
            assertGone(topic::reader, 1, 2);
        }
    }

    @Test
    void theyAreReportedBesideAnotherTransportsWriter() throws IOException {
        try (Topic other = open()) {
            write(other.writer(), 3);
            readAndAcknowledge(1);
            delete(0, 1);
            try (Topic topic = open()) {
                assertGone(topic::reader, 2, 4);
            }
        }
    }

    @Test
    void gapsAmongFilesAreReported() throws IOException {
        writeFiles(4);
        delete(1, 2);
        try (Topic topic = open()) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 2)).containsExactly("frame 1", "frame 2");
            for (int again = 0; again < 2; again++) {
                assertGone(() -> Topic.poll(reader, 10), 3, 6);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLaggingReaderReportsDeletedFiles(boolean isBesideTheWriter) throws IOException {
        try (Topic other = open();
                Topic topic = open()) {
            TopicReader reader = (isBesideTheWriter ? other : topic).reader();
            write(other.writer(), 4);
            assertThat(Topic.poll(reader, 2)).containsExactly("frame 1", "frame 2");
            delete(0, 1, 2);
            assertGone(() -> Topic.poll(reader, 10), 3, 6);
        }
    }

    @Test
    void consumersKilledBeforeTheirPositionAreNew() throws IOException {
        writeFiles(3);
        try (SingleChronicleQueue queue = RawQueue.of(directory.path(), KEEPS);
                StoredPosition position = RawQueue.position(queue, "baton.consumer.desk");
                LongValue consumers = queue.metaStore().acquireValueFor("baton.consumers", 0)) {
            TailerPosition.add(consumers, position);
        }
        delete(0);
        try (Topic topic = open()) {
            assertReadsFrom(topic, 3);
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "a part of a file is freed by fallocate, which only Linux has")
    void thePartlyFreedFileMayBeDeleted() throws IOException {
        ChronicleOptions frees = KEEPS.with(ChronicleOptions.INDEX_COUNT, 64)
                .with(ChronicleOptions.INDEX_SPACING, 4)
                .with(ChronicleOptions.RETENTION, Retention.UNREAD);
        String text = "x".repeat(10_000);
        try (Topic topic = open(frees)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 200; i++) {
                Topic.write(writer, text);
                Topic.poll(reader, 10);
                reader.acknowledge(writer.sequence());
            }
            clock.advanceMillis(FIVE_MINUTES);
            Topic.write(writer, "frame 201");
        }
        try (Topic topic = open(frees)) {
            assertThat(topic.connection.openReader(Topic.NAME, "late").found().acknowledged())
                    .isPositive();
        }
        delete(0);
        try (Topic topic = open(frees)) {
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("frame 201");
            assertThat(topic.writer().sequence()).isEqualTo(201);
            TopicReader later = topic.connection.openReader(Topic.NAME, "later");
            assertThat(later.found().acknowledged()).isEqualTo(200);
            assertThat(Topic.poll(later, 10)).containsExactly("frame 201");
            assertThatThrownBy(() -> topic.connection.openReader(Topic.NAME, "late"))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("consumer late", "to 200");
        }
    }

    /** Opens the consumer where two frames are in each file. */
    @Test
    void startRefusedForLostFilesMovesNoConsumer() throws IOException {
        writeFiles(4);
        readAndAcknowledge(3);
        Path newest = directory.queueFiles().get(3);
        Path aside = Files.move(newest, directory.path().resolve("aside"));
        for (StartPosition from :
                List.of(StartPosition.latest(), StartPosition.earliest(), StartPosition.sequence(2))) {
            try (Topic topic = open()) {
                assertThatThrownBy(
                                () -> topic.connection.openReader(Topic.NAME, Topic.CONSUMER, from),
                                "a start at %s of a topic that has lost its newest file",
                                from)
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("ends at sequence 6");
            }
        }
        Files.move(aside, newest);
        try (Topic topic = open()) {
            assertReadsFrom(topic, 4);
        }
    }

    private static TopicReader assertReadsFrom(Topic topic, int first) {
        TopicReader reader = topic.reader();
        assertThat(reader.found().acknowledged())
                .as("sequence before the oldest frame left")
                .isEqualTo(first - 1);
        List<String> texts = Topic.poll(reader, 100);
        assertThat(texts).first().isEqualTo("frame " + first);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            expected.add("frame " + (first + i));
        }
        assertThat(texts).isEqualTo(expected);
        return reader;
    }

    private static void assertGone(ThrowingCallable use, long first, long last) {
        assertThatThrownBy(use, "the loss of sequences " + first + " to " + last)
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(
                        "topic " + Topic.NAME, "sequences " + first + " to " + last, "consumer " + Topic.CONSUMER);
    }

    private void writeFiles(int files) {
        try (Topic topic = open()) {
            write(topic.writer(), files);
        }
    }

    /** Two frames in each file. */
    private void write(TopicWriter writer, int files) {
        for (int i = 0; i < files; i++) {
            if (i > 0) {
                clock.advanceMillis(FIVE_MINUTES);
            }
            Topic.write(writer, "frame " + (writer.sequence() + 1));
            Topic.write(writer, "frame " + (writer.sequence() + 1));
        }
    }

    private void readAndAcknowledge(int frames) {
        try (Topic topic = open()) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, frames)).hasSize(frames);
            reader.acknowledge(frames);
        }
    }

    private void delete(int... numbers) throws IOException {
        List<Path> files = directory.queueFiles();
        for (int number : numbers) {
            Files.delete(files.get(number));
        }
    }

    private Topic open() {
        return open(KEEPS);
    }

    private Topic open(ChronicleOptions options) {
        return Topic.over(TestTransports.in(directory.path(), options, clock));
    }
}
