package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.options.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread that was interrupted, as one that sends while its executor shuts down, uses topics like any other. */
class InterruptedThreadTest {
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
}
