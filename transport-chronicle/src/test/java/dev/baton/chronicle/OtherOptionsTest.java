package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files outlive the options that they were made with. */
class OtherOptionsTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void smallBlocksReadLongFramesOfLargeBlocks() {
        String longText = "x".repeat(200_000);
        try (Topic topic = Topic.in(directory.path(), Topic.SMALL.with(ChronicleOptions.BLOCK_SIZE, 1 << 20))) {
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 30; i++) {
                Topic.write(writer, longText + i);
            }
        }
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            for (int i = 0; i < 30; i++) {
                assertThat(Topic.poll(reader, 1)).containsExactly(longText + i);
                reader.acknowledge(i + 1L);
            }
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("block-size");
        }
        try (Topic topic = Topic.in(directory.path(), Topic.SMALL.with(ChronicleOptions.BLOCK_SIZE, 4 << 20))) {
            Topic.write(topic.writer(), "short");
            assertThat(Topic.poll(topic.reader(), 2)).containsExactly("short");
        }
    }

    @Test
    void topicsKeepTheirRollAndIndex() {
        try (Topic topic = Topic.in(
                directory.path(),
                Topic.SMALL
                        .with(ChronicleOptions.ROLL, Roll.HOURLY)
                        .with(ChronicleOptions.INDEX_COUNT, 64)
                        .with(ChronicleOptions.INDEX_SPACING, 8))) {
            Topic.write(topic.writer(), "a", "b");
        }
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(2);
            Topic.write(writer, "c");
            assertThat(Topic.poll(reader, 10)).containsExactly("a", "b", "c");
        }
    }

    @Test
    void everyFlushMayWaitForTheDisk() {
        try (Topic topic = Topic.in(directory.path(), Topic.SMALL.with(ChronicleOptions.DURABILITY, Durability.HOST))) {
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 20; i++) {
                Topic.write(writer, "x".repeat(10_000));
                assertThat(writer.storedSequence()).isEqualTo(i + 1L);
            }
            assertThat(Topic.poll(topic.reader(), 100)).hasSize(20);
            assertThat(topic.transport.properties().get("durability")).startsWith("host");
        }
    }
}
