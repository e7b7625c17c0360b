package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.format.KillableNumbers;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.List;
import java.util.stream.IntStream;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a consumer goes on. */
class TailerPositionTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void restartsContinueInTheMiddleOfAnExcerpt() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            Topic.write(topic.writer(), "a", "b", "c", "d");
            assertThat(Topic.poll(reader, 3)).containsExactly("a", "b", "c");
            reader.acknowledge(2);
        }
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isEqualTo(2);
            assertThat(Topic.poll(reader, 1)).containsExactly("c");
            reader.acknowledge(3);
        }
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("d");
        }
    }

    @Test
    void anIndexBeforeTheSequenceRepeatsNothing() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            TopicReader reader = topic.reader();
            for (String text : new String[] {"a", "b", "c", "d"}) {
                Topic.write(writer, text);
            }
            Topic.poll(reader, 1);
            reader.acknowledge(1);
        }
        set(3, index());
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("d");
        }
    }

    @Test
    void theIndexAdvancesWithLaggingAcknowledgements() {
        int frames = 100;
        int lag = 10;
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            TopicReader reader = topic.reader();
            for (int i = 1; i <= frames; i++) {
                Topic.write(writer, "frame " + i);
                Topic.poll(reader, 1);
                if (i > lag) {
                    reader.acknowledge(i - lag);
                }
            }
        }
        assertThat(index() & 0xFFFF_FFFFL)
                .as("excerpt to go on with")
                .isBetween(frames - 3L * lag, (long) frames - lag);
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.reader(), frames))
                    .containsExactlyElementsOf(IntStream.rangeClosed(frames - lag + 1, frames)
                            .mapToObj(i -> "frame " + i)
                            .toList());
        }
    }

    @Test
    void consumersWhoseNamesDifferByCaseAreTwo() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader lower = topic.connection.openReader(Topic.NAME, "desk");
            TopicReader upper = topic.connection.openReader(Topic.NAME, "Desk");
            Topic.write(topic.writer(), "a");
            assertThat(Topic.poll(lower, 1)).containsExactly("a");
            lower.acknowledge(1);
            assertThat(Topic.poll(upper, 1)).containsExactly("a");
        }
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.connection.openReader(Topic.NAME, "Desk"), 1))
                    .containsExactly("a");
        }
    }

    @Test
    void invalidConsumerNamesAreRefused() {
        try (Topic topic = Topic.in(directory.path())) {
            assertThatThrownBy(() -> topic.connection.openReader(Topic.NAME, "a/b"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'a/b'");
        }
    }

    @Test
    void anIndexWithoutFileMeansTheOldestFrame() {
        try (Topic topic = Topic.in(directory.path())) {
            topic.reader();
            Topic.write(topic.writer(), "a", "b");
        }
        set(0, 5L << 32);
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a", "b");
        }
    }

    @Test
    void aKilledForgetIsCompletedByAnother() {
        long indexBefore;
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            Topic.write(writer, "b");
            Topic.poll(reader, 2);
            reader.acknowledge(2);
            indexBefore = index();
        }
        set(Long.MIN_VALUE + 1, indexBefore); // as forgotten, and the index is as before
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(topic.transport.inspect(Topic.NAME).acknowledged()).isEmpty();
            assertThat(topic.transport.forgetConsumer(Topic.NAME, Topic.CONSUMER))
                    .isFalse();
            assertThat(index()).isNotEqualTo(indexBefore).isEqualTo(Long.MAX_VALUE);
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a", "b");
        }
    }

    @Test
    void aConsumerIsCountedBeforeItIsEntered() {
        KillableNumbers numbers = new KillableNumbers();
        LongValue consumers = numbers.acquire("consumers", 2);
        StoredPosition position = StoredPosition.open(numbers, "desk", Long.MIN_VALUE);
        numbers.killAfter(1);
        assertThatThrownBy(() -> TailerPosition.add(consumers, position)).isInstanceOf(KillableNumbers.Killed.class);
        assertThat(consumers.getValue()).isEqualTo(3);
    }

    private void set(long sequence, long index) {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                StoredPosition position = RawQueue.position(queue, "baton.consumer.desk")) {
            position.set(sequence, index);
        }
    }

    private long index() {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                StoredPosition position = RawQueue.position(queue, "baton.consumer.desk")) {
            return position.index();
        }
    }

    @Test
    void longConsumerNamesLeaveTheMetadataIntact() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "frame");
            for (int capitals : new int[] {200, 110}) {
                String name = "X".repeat(capitals);
                assertThatThrownBy(() -> topic.connection.openReader(Topic.NAME, name))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("consumer '" + name + "' is not allowed", "A-Z count twice");
            }
            for (String name : List.of("x".repeat(120), "x".repeat(200), "X".repeat(105))) {
                assertThat(Topic.poll(topic.connection.openReader(Topic.NAME, name), 2))
                        .containsExactly("frame");
            }
        }
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(topic.writer().sequence()).isEqualTo(1);
            assertThat(Topic.poll(topic.reader(), 2)).containsExactly("frame");
        }
    }
}
