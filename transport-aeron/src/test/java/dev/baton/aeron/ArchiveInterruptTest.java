package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread that was interrupted, as one that closes a chain while its executor shuts down, uses an Archive like any other. */
class ArchiveInterruptTest {
    @AfterEach
    void endTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void interruptedThreadsUseTopics() {
        Thread.currentThread().interrupt();
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "interrupted")) {
            TopicWriter writer = topic.writer();
            TopicReader reader = topic.reader();
            topic.store(writer, 10, 100);
            assertThat(topic.read(reader, 10)).hasSize(10);
            reader.acknowledge(10);
            reader.close();
            writer.close();
            assertThat(topic.reader().found().acknowledged()).isEqualTo(10);
        }
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void interruptedThreadsForgetAndDelete() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "interrupted-deletion")) {
            topic.reader().close();
            Thread.currentThread().interrupt();
            assertThat(topic.transport.forgetConsumer(topic.name, ArchiveTopic.CONSUMER))
                    .isTrue();
            topic.transport.deleteTopics(List.of(topic.name));
            assertThat(topic.transport.topics()).doesNotContain(topic.name);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
    }
}
