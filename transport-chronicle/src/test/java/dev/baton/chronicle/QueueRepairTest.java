package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.spi.RepairReport;
import dev.baton.spi.RepairReport.Outcome;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A topic that two processes wrote at once is noticed, and can be repaired. */
class QueueRepairTest {
    private static final List<String> LEFT = List.of("a1", "a2", "a3", "b4", "b5", "a6", "b7", "b8", "b9");

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final ChronicleProvider provider = new ChronicleProvider();
    private ChronicleOptions options = Topic.SMALL;

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
                    .hasMessageContainingAll("two processes", "sequence 4 comes after 5", "./baton repair");
            assertThatThrownBy(() -> Topic.poll(reader, 1)).isInstanceOf(DamagedTopicException.class);
        }
    }

    @Test
    void aConsumerBeyondTheEndReportsTheRepair() {
        writeByTwo(9);
        try (Topic topic = Topic.in(directory.path())) {
            assertThatThrownBy(topic::reader)
                    .hasMessageContainingAll("ends at sequence 8", "has acknowledged 9", "./baton repair --dry-run");
        }
    }

    @Test
    void aRepairKeepsTheFirstFramePerSequence() throws IOException {
        writeByTwo(3);
        long identity = identity();

        RepairReport seen = repair(true);
        assertThat(seen.outcome()).isEqualTo(Outcome.WOULD_DROP);
        assertThat(seen.dropped()).isEqualTo(5);
        assertThat(seen.lines())
                .containsExactly(
                        "topic 'orders': 14 frames, of which 9 count, sequences 1 to 9",
                        "would drop: 5 frames that another writer stored under sequences which an earlier frame has,"
                                + " between 4 and 8",
                        "lost: what these frames held, unless the frames that count hold the same",
                        "the next writer continues with sequence 10");
        assertThat(entries()).containsExactly(".writers.lock", "orders");

        RepairReport done = repair(false);
        assertThat(done.outcome()).isEqualTo(Outcome.DROPPED);
        assertThat(done.lines()).contains("dropped: " + seen.lines().get(1).substring("would drop: ".length()));
        assertThat(entries()).hasSize(3).anyMatch(name -> name.startsWith(".before-repair-orders-"));

        try (Topic topic = Topic.in(directory.path())) {
            assertThat(topic.transport.topics()).containsExactly("orders");
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(9);
            Topic.write(writer, "c10");
            TopicReader desk = topic.reader();
            assertThat(desk.found().identity()).isEqualTo(identity);
            assertThat(Topic.poll(desk, 100)).containsExactly("b4", "b5", "a6", "b7", "b8", "b9", "c10");
            assertThat(Topic.poll(topic.connection.openReader(Topic.NAME, "new"), 100))
                    .containsExactlyElementsOf(
                            Stream.concat(LEFT.stream(), Stream.of("c10")).toList());
        }
        assertThat(repair(true).outcome()).isEqualTo(Outcome.NOTHING_TO_DROP);
        assertThat(repair(false).outcome()).isEqualTo(Outcome.NOTHING_TO_DROP);
        assertThat(entries()).hasSize(3);
    }

    @Test
    void aRepairKeepsSequencesWithoutTheOldestFrames() {
        options = Topic.SMALL.withIndex(256, 1);
        writeByTwo(9);
        try (SingleChronicleQueue queue = RawQueue.of(directory.path(), options);
                var index = queue.metaStore().acquireValueFor("baton.freed.index");
                var sequence = queue.metaStore().acquireValueFor("baton.freed.sequence")) {
            index.setVolatileValue(queue.firstIndex() + 1);
            sequence.setVolatileValue(3);
        }
        assertThat(repair(false).lines()).contains("topic 'orders': 11 frames, of which 6 count, sequences 4 to 9");
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(topic.reader().found().acknowledged()).isEqualTo(9);
            TopicReader reader = topic.connection.openReader(Topic.NAME, "new");
            assertThat(reader.found().acknowledged()).isEqualTo(3);
            assertThat(Topic.poll(reader, 100)).isEqualTo(LEFT.subList(3, 9));
        }
    }

    @Test
    void aTopicInUseIsNotRepaired() {
        writeByTwo(3);
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThatThrownBy(() -> repair(false))
                    .isInstanceOf(OccupiedException.class)
                    .hasMessageContaining("desk");
            reader.close();
            topic.writer();
            assertThatThrownBy(() -> repair(false))
                    .isInstanceOf(OccupiedException.class)
                    .hasMessageContaining("writer");
        }
        assertThat(repair(true).outcome()).isEqualTo(Outcome.WOULD_DROP);
    }

    @Test
    void anInterruptedRepairIsCompletedByTheNext() throws IOException {
        writeByTwo(3);
        repair(false);
        Files.move(directory.path().resolve("orders"), directory.path().resolve(".repaired-orders"));

        try (ChronicleTransport transport = ChronicleTransport.in(directory.path(), Topic.SMALL)) {
            assertThatThrownBy(() -> transport.createTopics(List.of(Topic.NAME)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("run the repair again");
        }
        assertThat(repair(false).lines()).singleElement().asString().contains("completed the repair");
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(topic.writer().sequence()).isEqualTo(9);
        }
    }

    @Test
    void aRepairThatFailsLeavesNothingBehind() throws IOException {
        writeByTwo(3);
        try (ChronicleTransport full = ChronicleTransport.inSpace(directory.path(), Topic.SMALL, () -> 0)) {
            assertThatThrownBy(() -> full.repair(Topic.NAME)).hasMessageContaining("its file system is full");
        }
        assertThat(entries()).containsExactly(".writers.lock", "orders");
        assertThat(repair(true).outcome()).isEqualTo(Outcome.WOULD_DROP);
    }

    @Test
    void aRepairDoesNotRestoreADeletedTopic() throws IOException {
        writeByTwo(3);
        Files.createDirectory(directory.path().resolve(".repaired-orders"));
        try (ChronicleTransport transport = ChronicleTransport.in(directory.path(), Topic.SMALL)) {
            transport.deleteTopics(List.of(Topic.NAME));
            transport.createTopics(List.of(Topic.NAME));
        }
        assertThat(entries()).containsExactly(".writers.lock", "orders");
    }

    @Test
    void aTopicThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> repair(false)).hasMessageContaining("topic orders does not exist");
        assertThatThrownBy(() -> repair(true)).hasMessageContaining("topic orders does not exist");
        assertThat(directory.path()).isDirectoryNotContaining("glob:**orders");
    }

    private RepairReport repair(boolean isDryRun) {
        return provider.repair(settings(), Topic.NAME, isDryRun);
    }

    private Map<String, String> settings() {
        return Map.of("dir", directory.path().toString(), "block-size", "64k");
    }

    private long identity() {
        return TopicHistory.look(Topic.NAME, directory.path().resolve(Topic.NAME))
                .identity();
    }

    private List<String> entries() throws IOException {
        try (Stream<Path> entries = Files.list(directory.path())) {
            return entries.map(path -> path.getFileName().toString())
                    .filter(name -> !name.equals(".retention"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Has two writers go on behind sequence 3, each by its own count: b is ahead at the end, and the newest frame is one of
     * a's.
     *
     * @param acknowledged by the consumer
     */
    private void writeByTwo(long acknowledged) {
        try (Topic topic = Topic.in(directory.path(), options)) {
            Topic.write(topic.writer(), "a1", "a2", "a3");
            TopicReader reader = topic.reader();
            Topic.poll(reader, 3);
            reader.acknowledge(3);
        }
        try (SingleChronicleQueue queue = RawQueue.of(directory.path(), options);
                ExcerptAppender appender = queue.createAppender()) {
            RawQueue.append(appender, 4, "b4", "b5");
            RawQueue.append(appender, 4, "a4", "a5", "a6");
            RawQueue.append(appender, 6, "b6", "b7");
            RawQueue.append(appender, 7, "a7");
            RawQueue.append(appender, 8, "b8", "b9");
            RawQueue.append(appender, 8, "a8");
            try (var sequence = queue.metaStore().acquireValueFor("baton.consumer.desk.sequence")) {
                sequence.setVolatileValue(acknowledged);
            }
        }
    }
}
