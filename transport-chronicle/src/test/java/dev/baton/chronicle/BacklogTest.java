package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A writer waits for its slowest consumer, whichever transport or process that one uses. */
class BacklogTest {
    private static final ChronicleOptions FIVE =
            Topic.SMALL.with(ChronicleOptions.BACKLOG, 5).with(ChronicleOptions.BATCH, 3);

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void roomIsTheLesserOfBatchAndBacklog() {
        try (Topic topic = Topic.in(directory.path(), FIVE)) {
            topic.reader();
            TopicWriter writer = topic.writer();
            assertThat(writer.capacity()).isEqualTo(3);
            assertThat(writer.remainingCapacity()).isEqualTo(3);
            Topic.write(writer, "1", "2", "3");
            assertThat(writer.remainingCapacity()).isEqualTo(2);
            Topic.write(writer, "4", "5");
            assertThat(writer.remainingCapacity()).isZero();
            assertThat(writer.claim(0)).isNull();
        }
    }

    @Test
    void largeBatchesHaveTheRoomOfTheirCapacity() {
        ChronicleOptions large = Topic.SMALL.with(ChronicleOptions.BATCH, 4_096);
        try (Topic topic = Topic.in(directory.path(), large)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            assertThat(writer.capacity()).isEqualTo(4_096);
            assertThat(writer.remainingCapacity()).isEqualTo(4_096);
            Topic.write(writer, "1");
            Topic.poll(reader, 1);
            reader.acknowledge(1);
            assertThat(writer.remainingCapacity()).isEqualTo(4_096);
        }
    }

    @Test
    void theSlowestConsumerDecides() {
        try (Topic topic = Topic.in(directory.path(), FIVE)) {
            TopicReader fast = topic.reader();
            TopicReader slow = topic.connection.openReader(Topic.NAME, "slow");
            TopicWriter writer = topic.writer();
            Topic.write(writer, "1", "2", "3");
            Topic.write(writer, "4", "5");
            Topic.poll(fast, 10);
            fast.acknowledge(5);
            assertThat(writer.remainingCapacity()).isZero();
            Topic.poll(slow, 10);
            slow.acknowledge(2);
            assertThat(writer.remainingCapacity()).isEqualTo(2);
        }
    }

    @Test
    void promisedRoomRemainsWhenAConsumerGoesBack() {
        try (Topic topic = Topic.in(directory.path(), FIVE)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            Topic.write(writer, "1", "2", "3");
            Topic.write(writer, "4", "5");
            Topic.poll(reader, 10);
            reader.acknowledge(2);
            assertThat(writer.remainingCapacity()).isEqualTo(2);
            reader.close();
            topic.connection.openReader(Topic.NAME, Topic.CONSUMER, StartPosition.earliest());
            Topic.write(writer, "6", "7");
            assertThat(writer.remainingCapacity()).isZero();
        }
    }

    @Test
    void aConsumerOfAnotherTransportCounts() {
        try (Topic writing = Topic.in(directory.path(), FIVE);
                Topic reading = Topic.in(directory.path())) {
            TopicReader reader = reading.reader();
            TopicWriter writer = writing.writer();
            Topic.write(writer, "1", "2", "3");
            Topic.write(writer, "4", "5");
            assertThat(writer.remainingCapacity()).isZero();
            Topic.poll(reader, 10);
            reader.acknowledge(1);
            assertThat(writer.remainingCapacity()).isEqualTo(1);
        }
    }

    @Test
    void topicsWithoutConsumersAreNotBounded() {
        try (Topic topic = Topic.in(directory.path(), FIVE)) {
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 20; i++) {
                Topic.write(writer, "1", "2", "3");
            }
            assertThat(writer.remainingCapacity()).isEqualTo(3);
        }
    }

    @Test
    void newConsumersAreNoticedWithinAThousandFrames() {
        try (Topic topic = Topic.in(directory.path(), FIVE)) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "1");
            TopicReader reader = topic.reader();
            while (writer.remainingCapacity() > 0) {
                Topic.write(writer, "more");
                assertThat(writer.sequence()).isLessThanOrEqualTo(1 + 1_024);
            }
            List<String> read = new ArrayList<>();
            while (read.size() < writer.sequence()) {
                read.addAll(Topic.poll(reader, 100));
            }
            reader.acknowledge(writer.sequence() - 4);
            assertThat(writer.remainingCapacity()).isEqualTo(1);
        }
    }

    @Test
    void consumersKilledBeforeTheirPositionBoundTheWriter() {
        try (Topic topic = Topic.in(directory.path(), FIVE)) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 1; i <= 10; i++) {
                Topic.write(writer, "frame " + i);
                Topic.poll(reader, 1);
                reader.acknowledge(i);
            }
        }
        RawQueue.killAConsumerThatEnters(directory.path(), FIVE);
        try (Topic topic = Topic.in(directory.path(), FIVE)) {
            TopicWriter writer = topic.writer();
            assertThat(writer.remainingCapacity()).isZero();
            TopicReader killed = topic.connection.openReader(Topic.NAME, RawQueue.KILLED);
            assertThat(Topic.poll(killed, 10)).hasSize(10);
            killed.acknowledge(8);
            assertThat(writer.remainingCapacity()).isEqualTo(3);
        }
    }
}
