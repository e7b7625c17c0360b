package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics that a second Archive copies. */
@Timeout(180)
class StandbyTest {
    private static final String TOPIC = "orders";

    private final StandbyPair pair = StandbyPair.start();

    @AfterEach
    void stop() {
        pair.close();
    }

    private static List<Long> sequences(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    @Test
    void storedFramesAreInBothArchives() {
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
            TopicWriter writer = topic.writer();
            for (int stored = 100; stored <= 3_000; stored += 100) {
                topic.store(writer, 100, 100);
                assertThat(StandbyPair.newest(pair.standby, TOPIC)).isEqualTo(stored);
            }
            assertThat(topic.read(topic.reader(), 3_000)).isEqualTo(sequences(1, 3_000));
        }
        try (ArchiveTopic again = ArchiveTopic.in(pair.options(), TOPIC)) {
            TopicWriter writer = again.writer();
            assertThat(writer.storedSequence()).isEqualTo(3_000);
            again.store(writer, 100, 100);
            assertThat(StandbyPair.newest(pair.standby, TOPIC)).isEqualTo(3_100);
        }
    }

    @Test
    void archivesOfPairAreNotWrittenAlone() {
        ArchiveTopic.in(pair.options(), TOPIC).close();
        assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.alone(pair.standby), TOPIC))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll("is the standby of another one", "./baton promote");
        assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.alone(pair.primary), TOPIC))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll("has a standby", "standby=HOST:PORT");
        assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.copied(pair.standby, pair.primary), TOPIC))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContaining("not a pair");
    }

    @Test
    void archiveWithTopicsIsNoNewStandby() {
        ArchiveTopic.in(StandbyPair.alone(pair.standby), TOPIC).close();
        assertThatThrownBy(() -> ArchiveTopic.in(pair.options(), TOPIC))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll("has to be empty", "empty its directory");
        ArchiveTopic.in(StandbyPair.alone(pair.primary), TOPIC).close(); // is as before
    }

    @Test
    void topicsFromBeforeThePairAreCopied() {
        try (ArchiveTopic topic = ArchiveTopic.in(StandbyPair.alone(pair.primary), TOPIC)) {
            topic.store(topic.writer(), 2_000, 100);
        }
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
            assertThat(topic.writer().storedSequence()).isEqualTo(2_000);
            assertThat(StandbyPair.newest(pair.standby, TOPIC)).isEqualTo(2_000);
        }
    }

    @Test
    void promotedStandbyContinuesAndFormerPrimaryIsRefused() {
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
            topic.store(topic.writer(), 3_000, 100);
            TopicReader reader = topic.reader();
            reader.acknowledge(topic.read(reader, 1_000).get(999));
        }
        pair.primary.kill();
        assertThat(pair.promote(false)).isEqualTo(Map.of(TOPIC, 3_000L));
        assertThat(pair.promote(false)).isEqualTo(Map.of(TOPIC, 3_000L)); // changes nothing
        try (ArchiveTopic topic = ArchiveTopic.in(StandbyPair.alone(pair.standby), TOPIC)) {
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isEqualTo(1_000);
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(3_000);
            topic.store(writer, 500, 100);
            assertThat(topic.read(reader, 2_500)).isEqualTo(sequences(1_001, 3_500));
        }

        pair.primary.startAgain();
        assertThatThrownBy(() -> ArchiveTopic.in(pair.options(), TOPIC))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll("was promoted with epoch 2", "has epoch 1");
        assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.alone(pair.primary), TOPIC))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContaining("has a standby");
        assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.copied(pair.standby, pair.primary), TOPIC))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContaining("not a pair");

        try (ArchiveJvm empty = ArchiveJvm.start(StandbyPair.TIMEOUT);
                ArchiveTopic topic = ArchiveTopic.in(StandbyPair.copied(pair.standby, empty), TOPIC)) {
            topic.store(topic.writer(), 100, 100);
            assertThat(StandbyPair.newest(empty, TOPIC)).isEqualTo(3_600);
        }
    }

    @Test
    void standbyIsNotPromotedWhileFormerAnswers() {
        ArchiveTopic.in(pair.options(), TOPIC).close();
        assertThatThrownBy(() -> pair.promote(false))
                .isInstanceOf(OccupiedException.class)
                .hasMessageContainingAll(pair.primary.address(), "answers");
        ArchiveTopic.in(pair.options(), TOPIC).close(); // is as before
    }

    @Test
    void writerOfReplacedPrimaryConfirmsNothingMore() {
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
            TopicWriter writer = topic.writer();
            topic.store(writer, 1_000, 100);
            long promoted = pair.promote(true).get(TOPIC);
            try (ArchiveTopic successor = ArchiveTopic.in(StandbyPair.alone(pair.standby), TOPIC)) {
                successor.store(successor.writer(), 1_000, 100);
                assertThatThrownBy(() -> topic.store(writer, 500, 100))
                        .isInstanceOf(TopicMismatchException.class)
                        .hasMessageContaining("was promoted");
                assertThat(writer.storedSequence()).isLessThanOrEqualTo(promoted);
                assertThat(successor.read(successor.reader(), 2_000)).isEqualTo(sequences(1, 2_000));
            }
        }
    }

    @Test
    void nothingIsStoredOrReadWithoutStandby() {
        ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC);
        TopicWriter writer = topic.writer();
        TopicReader reader = topic.reader();
        topic.store(writer, 100, 100);
        topic.read(reader, 100);
        pair.standby.signal("STOP");
        await().until(this::isStandbyStopped); // a busy machine takes a moment
        int[] delivered = {0};
        assertThatThrownBy(() -> {
                    topic.write(writer, 10, 100);
                    topic.until("an error", () -> {
                        delivered[0] += reader.poll((frame, position) -> Verdict.DONE, 100);
                        assertThat(writer.storedSequence()).isEqualTo(100);
                        return writer.failure() != null;
                    });
                    throw writer.failure();
                })
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("standby");
        assertThat(delivered[0]).isZero();
        assertThat(writer.storedSequence()).isEqualTo(100);
        close(topic);

        pair.standby.signal("CONT");
        pair.standby.kill();
        pair.standby.startAgain();
        try (ArchiveTopic again = pair.reopen(TOPIC)) {
            TopicWriter next = again.writer();
            assertThat(next.sequence()).isEqualTo(110); // recorded, and copied now
            again.store(next, 100, 100);
            assertThat(StandbyPair.newest(pair.standby, TOPIC)).isEqualTo(210);
            assertThat(again.read(again.reader(), 210)).isEqualTo(sequences(1, 210)); // none was acknowledged
        }
    }

    /** Returns whether no thread of the standby runs any more. */
    private boolean isStandbyStopped() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pair.standby.pid() + "/task"))) {
            for (Path each : threads.toList()) {
                String stat = Files.readString(each.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }

    private static void close(ArchiveTopic topic) {
        try {
            topic.close();
        } catch (TransportException gone) {
            // the standby is
        }
    }

    @Test
    void newestPositionIsOneThatBothHave() {
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
            TopicWriter writer = topic.writer();
            topic.store(writer, 100, 100);
            TopicReader reader = topic.connection.openReader(TOPIC, "late", StartPosition.latest());
            topic.store(writer, 10, 100);
            assertThat(topic.read(reader, 10)).isEqualTo(sequences(101, 110));
        }
    }

    @Test
    void deletedTopicIsDeletedInBoth() {
        try (ArchiveTransport transport = ArchiveTransport.open(pair.options())) {
            try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
                topic.store(topic.writer(), 100, 100);
                topic.read(topic.reader(), 100);
            }
            transport.deleteTopics(List.of(TOPIC));
            assertThat(ArchiveTransport.open(StandbyPair.alone(pair.standby)).topics())
                    .isEmpty();
            try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
                topic.store(topic.writer(), 10, 100);
                assertThat(topic.read(topic.reader(), 10)).isEqualTo(sequences(1, 10));
                assertThat(StandbyPair.newest(pair.standby, TOPIC)).isEqualTo(10);
            }
            assertThat(transport.forgetConsumer(TOPIC, ArchiveTopic.CONSUMER)).isTrue();
        }
    }
}
