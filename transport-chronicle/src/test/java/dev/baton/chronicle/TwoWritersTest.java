package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.format.StoredPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.DamagedTopicException;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The frames of a second writer, which repeat sequences of the first, stop readers and can be skipped. */
class TwoWritersTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void readersStopAtTheSecondWritersFrames() {
        writeByTwo(3);
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 2)).containsExactly("b4", "b5");
            reader.acknowledge(5);
            assertThatThrownBy(() -> Topic.poll(reader, 1))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll("two processes", "sequence 4 comes after 5");
            assertThatThrownBy(() -> Topic.poll(reader, 1)).isInstanceOf(DamagedTopicException.class);
        }
    }

    @Test
    void skippingDeliversTheFirstFramePerSequence() {
        writeByTwo(3);
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            List<String> read = new ArrayList<>();
            for (int skipped = 0; read.size() < 6; ) {
                try {
                    read.addAll(Topic.poll(reader, 1));
                } catch (DamagedTopicException repeated) {
                    assertThat(reader.skipUnreadable()).isTrue();
                    assertThat(++skipped).isLessThan(4);
                }
            }
            assertThat(read).containsExactly("b4", "b5", "a6", "b7", "b8", "b9");
        }
    }

    @Test
    void consumersBeyondTheEndAreRefused() {
        writeByTwo(9);
        try (Topic topic = Topic.in(directory.path())) {
            assertThatThrownBy(topic::reader)
                    .hasMessageContainingAll("ends at sequence 8", "has acknowledged 9", "delete the topic");
        }
    }

    /**
     * Has two writers go on behind sequence 3, each by its own count: b is ahead at the end, and the newest frame is one of
     * a's.
     *
     * @param acknowledged by the consumer
     */
    private void writeByTwo(long acknowledged) {
        try (Topic topic = Topic.in(directory.path(), Topic.SMALL)) {
            Topic.write(topic.writer(), "a1", "a2", "a3");
            TopicReader reader = topic.reader();
            Topic.poll(reader, 3);
            reader.acknowledge(3);
        }
        try (SingleChronicleQueue queue = RawQueue.of(directory.path(), Topic.SMALL);
                ExcerptAppender appender = queue.createAppender()) {
            RawQueue.append(appender, 4, "b4", "b5");
            RawQueue.append(appender, 4, "a4", "a5", "a6");
            RawQueue.append(appender, 6, "b6", "b7");
            RawQueue.append(appender, 7, "a7");
            RawQueue.append(appender, 8, "b8", "b9");
            RawQueue.append(appender, 8, "a8");
            try (StoredPosition position = StoredPosition.open(
                    (key, initial) -> queue.metaStore().acquireValueFor(key, initial), "baton.consumer.desk", 0)) {
                assertThat(position.read()).isTrue();
                position.set(acknowledged, position.index());
            }
        }
    }
}
