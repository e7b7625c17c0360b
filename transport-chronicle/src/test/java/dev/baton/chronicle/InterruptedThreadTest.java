package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.InputRef;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.options.Durability;
import dev.baton.tck.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread that was interrupted, as one that sends while its executor shuts down, uses topics like any other. */
class InterruptedThreadTest {
    private static final int LONG = 1_100; // more lines than a history keeps without need

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        Thread.interrupted();
        directory.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "HOST"})
    void interruptedThreadsWriteAndRead(Durability durability) {
        ChronicleOptions options = Topic.SMALL.with(ChronicleOptions.DURABILITY, durability);
        try (Topic topic = Topic.in(directory.path(), options)) {
            TopicWriter writer = topic.writer();
            TopicReader reader = topic.reader();
            Thread.currentThread().interrupt();
            Topic.write(writer, "first of a file");
            writer.answers(new InputRef(1, 2));
            Topic.write(writer, "answer");
            assertThat(writer.failure()).isNull();
            assertThat(Topic.poll(reader, 2)).containsExactly("first of a file", "answer");
            reader.acknowledge(2);
            writer.close();
            reader.close();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            Thread.interrupted();
            assertThat(topic.writer().found().input()).isEqualTo(new InputRef(1, 2));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "HOST"})
    void interruptedThreadsOpenTopics(Durability durability) {
        ChronicleOptions options = Topic.SMALL.with(ChronicleOptions.DURABILITY, durability);
        Thread.currentThread().interrupt();
        try (Topic topic = Topic.in(directory.path(), options)) {
            Topic.write(topic.writer(), "first");
            assertThat(Topic.poll(topic.reader(), 2)).containsExactly("first");
        }
        try (Topic again = Topic.in(directory.path(), options)) {
            TopicReader reader = again.reader();
            Topic.write(again.writer(), "second");
            assertThat(Topic.poll(reader, 3)).containsExactly("first", "second");
            assertThat(again.transport.forgetConsumer(Topic.NAME, "other")).isFalse();
        }
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "HOST"})
    void interruptedThreadsDeleteTopics(Durability durability) {
        ChronicleOptions options = Topic.SMALL.with(ChronicleOptions.DURABILITY, durability);
        try (Topic topic = Topic.in(directory.path(), options)) {
            topic.writer().close();
            Thread.currentThread().interrupt();
            topic.transport.deleteTopics(List.of(Topic.NAME));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(topic.transport.topics()).isEmpty();
        }
    }

    @Test
    void interruptedThreadsInspectTopics() {
        try (Topic topic = Topic.in(directory.path(), Topic.SMALL)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            Topic.write(writer, "first");
            Topic.write(writer, "second");
            Topic.poll(reader, 2);
            reader.acknowledge(1);
            Thread.currentThread().interrupt();
            Recorder recorder = new Recorder();
            try (TopicInspector inspector = topic.transport.inspect(Topic.NAME)) {
                assertThat(inspector.read(recorder, 3)).isEqualTo(2);
                assertThat(inspector.newestSequence()).isEqualTo(2);
                assertThat(inspector.acknowledged()).containsValue(1L);
            }
            assertThat(recorder.texts()).containsExactly("first", "second");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "HOST"})
    void interruptedThreadsReplaceLongHistories(Durability durability) throws IOException {
        ChronicleOptions options = Topic.SMALL.with(ChronicleOptions.DURABILITY, durability);
        try (Topic topic = Topic.in(directory.path(), options)) {
            topic.writer().close();
            Path history = directory.path().resolve(Topic.NAME).resolve("baton.topic");
            List<String> lines = Files.readAllLines(history);
            Files.write(history, Collections.nCopies(LONG, lines.get(1)), StandardOpenOption.APPEND);
            Thread.currentThread().interrupt();
            topic.writer().close();
            assertThat(history).content().hasLineCount(2);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
    }
}
