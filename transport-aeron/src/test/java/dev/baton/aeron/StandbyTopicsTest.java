package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TopicMismatchException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Topics that a second Archive copies, of a pair that outlives all tests: each has a topic of its own. */
@Tag("long")
@Timeout(180)
class StandbyTopicsTest {
    private static StandbyPair pair;

    private String topicName;

    @BeforeAll
    static void start() {
        pair = StandbyPair.start();
    }

    @AfterAll
    static void stop() {
        pair.close();
    }

    @BeforeEach
    void name(TestInfo test) {
        topicName = test.getTestMethod().orElseThrow().getName();
    }

    private static List<Long> sequences(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    @Test
    void storedFramesAreInBothArchives() {
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), topicName)) {
            TopicWriter writer = topic.writer();
            for (int stored = 100; stored <= 3_000; stored += 100) {
                topic.store(writer, 100, 100);
                assertThat(StandbyPair.newest(pair.standby, topicName)).isEqualTo(stored);
            }
            assertThat(topic.read(topic.reader(), 3_000)).isEqualTo(sequences(1, 3_000));
        }
        try (ArchiveTopic again = ArchiveTopic.in(pair.options(), topicName)) {
            TopicWriter writer = again.writer();
            assertThat(writer.storedSequence()).isEqualTo(3_000);
            again.store(writer, 100, 100);
            assertThat(StandbyPair.newest(pair.standby, topicName)).isEqualTo(3_100);
        }
    }

    @Test
    void archivesOfPairAreNotWrittenAlone() {
        ArchiveTopic.in(pair.options(), topicName).close();
        assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.alone(pair.standby), topicName))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll("is the standby of another one", "./baton promote");
        assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.alone(pair.primary), topicName))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll("has a standby", "standby=HOST:PORT");
        assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.copied(pair.standby, pair.primary), topicName))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContaining("not a pair");
    }

    @Test
    void standbyIsNotPromotedWhileFormerAnswers() {
        ArchiveTopic.in(pair.options(), topicName).close();
        assertThatThrownBy(() -> pair.promote(false))
                .isInstanceOf(OccupiedException.class)
                .hasMessageContainingAll(pair.primary.address(), "answers");
        ArchiveTopic.in(pair.options(), topicName).close(); // is as before
    }

    @Test
    void newestPositionIsOneThatBothHave() {
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), topicName)) {
            TopicWriter writer = topic.writer();
            topic.store(writer, 100, 100);
            TopicReader reader = topic.connection.openReader(topicName, "late", StartPosition.latest());
            topic.store(writer, 10, 100);
            assertThat(topic.read(reader, 10)).isEqualTo(sequences(101, 110));
        }
    }

    @Test
    void deletedTopicIsDeletedInBoth() {
        try (ArchiveTransport transport = ArchiveTransport.open(pair.options())) {
            try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), topicName)) {
                topic.store(topic.writer(), 100, 100);
                topic.read(topic.reader(), 100);
            }
            transport.deleteTopics(List.of(topicName));
            assertThat(ArchiveTransport.open(StandbyPair.alone(pair.standby)).topics())
                    .doesNotContain(topicName);
            try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), topicName)) {
                topic.store(topic.writer(), 10, 100);
                assertThat(topic.read(topic.reader(), 10)).isEqualTo(sequences(1, 10));
                assertThat(StandbyPair.newest(pair.standby, topicName)).isEqualTo(10);
            }
            assertThat(transport.forgetConsumer(topicName, ArchiveTopic.CONSUMER))
                    .isTrue();
        }
    }

    @Test
    void readerFailsWhenItsPositionsAreNotCopied() {
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), topicName)) {
            topic.store(topic.writer(), 10, 100);
            TopicReader reader = topic.reader();
            topic.read(reader, 10);
            try (ArchiveSession session = ArchiveSession.connectAlone(StandbyPair.alone(pair.standby))) {
                RecordingDescriptor copy = Catalog.oldest(
                        session,
                        RecordingDescriptor.consumerAlias(topicName, ArchiveTopic.CONSUMER),
                        RecordingDescriptor.CONSUMERS);
                session.archive().tryStopRecordingByIdentity(copy.id());
                session.await("its end", () -> !Catalog.again(session, copy).isWritten());
                Catalog.purge(session, copy.id());
            }
            reader.acknowledge(10);
            topic.until("a failure", () -> reader.failure() != null);
            assertThat(reader.failure())
                    .hasMessageContainingAll("positions of consumer", "the standby has recorded nothing");
        }
    }

    @Test
    void topicsAreCreatedByTwoAtOnce() throws Exception {
        ArchiveTopic.in(pair.options(), topicName).close();
        for (int i = 0; i < 20; i++) {
            List<String> names = List.of("a" + i, "b" + i, "c" + i);
            List<CompletableFuture<Void>> all = Stream.of(1, 2)
                    .map(each -> CompletableFuture.runAsync(() -> {
                        try (ArchiveTransport transport = ArchiveTransport.open(pair.options())) {
                            transport.createTopics(names);
                        }
                    }))
                    .toList();
            for (CompletableFuture<Void> each : all) {
                each.get();
            }
            try (ArchiveTransport transport = ArchiveTransport.open(StandbyPair.alone(pair.standby))) {
                assertThat(transport.topics()).containsAll(names);
            }
        }
    }
}
