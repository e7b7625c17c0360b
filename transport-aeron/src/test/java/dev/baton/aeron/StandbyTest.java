package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Opening;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pairs of Archives that form, lose one of the two, or are promoted: each test has a new one. */
@Tag("long")
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
    void connectionOutlivesItsReader() {
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
            TopicReader reader = topic.reader();
            pair.standby.signal("STOP");
            await().until(this::isStandbyStopped);
            work(topic, Duration.ofMillis(700)); // loses a round
            reader.close();
            work(topic, Duration.ofMillis(700)); // loses the next one, which nobody repeats
            pair.standby.signal("CONT");
            work(topic, StandbyPair.TIMEOUT.multipliedBy(2));
            topic.reader();
        }
    }

    private static void work(ArchiveTopic topic, Duration time) {
        long begun = System.nanoTime();
        topic.until("the end of a time", () -> System.nanoTime() - begun > time.toNanos());
    }

    @Test
    void archiveHasOneStandby() throws Exception {
        ArchiveTopic.in(pair.options(), TOPIC).close();
        pair.primary.kill();
        pair.promote(false);
        try (ArchiveJvm first = ArchiveJvm.start(StandbyPair.TIMEOUT);
                ArchiveJvm second = ArchiveJvm.start(StandbyPair.TIMEOUT)) {
            List<CompletableFuture<Boolean>> pairings = Stream.of(first, second)
                    .map(each -> CompletableFuture.supplyAsync(() -> isOpened(each)))
                    .toList();
            for (CompletableFuture<Boolean> each : pairings) {
                each.get();
            }
            assertThat(Stream.of(first, second).filter(this::isOpened)).hasSize(1);
        }
    }

    private boolean isOpened(ArchiveJvm standby) {
        try {
            ArchiveTopic.in(StandbyPair.copied(pair.standby, standby), TOPIC).close();
            return true;
        } catch (TransportException refused) {
            return false;
        }
    }

    @Test
    void standbyHasOnePrimary() {
        try (ArchiveTransport transport = ArchiveTransport.open(pair.options())) {
            transport.connect().close(); // has no topics yet
        }
        try (ArchiveJvm other = ArchiveJvm.start(StandbyPair.TIMEOUT)) {
            assertThatThrownBy(() -> ArchiveTopic.in(StandbyPair.copied(other, pair.standby), TOPIC))
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContaining("not a pair");
            ArchiveTopic.in(StandbyPair.alone(other), TOPIC).close(); // is as before
        }
        ArchiveTopic.in(pair.options(), TOPIC).close();
    }

    @Test
    void promotionEndsOverUnreadableTopic() throws IOException {
        long recording;
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC);
                ArchiveTopic other = ArchiveTopic.in(pair.options(), "other")) {
            topic.store(topic.writer(), 100, 100);
            other.store(other.writer(), 100, 100);
        }
        try (Stream<Path> files = Files.list(pair.standby.recordings())) {
            recording = files.map(each -> each.getFileName().toString())
                    .filter(each -> each.endsWith(".rec"))
                    .mapToLong(each -> Long.parseLong(each.substring(0, each.indexOf('-'))))
                    .filter(each -> each > 0) // the role has none
                    .min()
                    .orElseThrow();
        }
        Path damaged = pair.standby.recordings().resolve(recording + "-0.rec");
        Files.write(damaged, new byte[(int) Files.size(damaged)]);
        pair.primary.kill();
        assertThatThrownBy(() -> pair.promote(false))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContaining("was promoted, but not all of it is whole: ");
        try (ArchiveTopic topic = ArchiveTopic.in(StandbyPair.alone(pair.standby), "other")) {
            assertThat(topic.writer().sequence()).isEqualTo(100);
        }
    }

    @Test
    void loopDoesNotWaitForFirstCopy() throws Exception {
        try (ArchiveTopic topic = ArchiveTopic.in(StandbyPair.alone(pair.primary), TOPIC)) {
            topic.store(topic.writer(), 2_000, 100);
        }
        try (ArchiveTopic other = ArchiveTopic.in(pair.options(), "other")) {
            Opening<TopicWriter> opening = other.connection.beginWriter(TOPIC, "");
            CompletableFuture.runAsync(opening::prepare).get();
            assertThat(StandbyPair.newest(pair.standby, TOPIC)).isEqualTo(2_000);
            assertThat(opening.finish().storedSequence()).isEqualTo(2_000);
        }
    }

    /** The wait for the copy takes twice the time after which the primary's driver drops a client without a turn. */
    @Test
    void connectionOutlivesTheWaitForCopy() {
        ArchiveOptions unreachable = pair.options().with(ArchiveOptions.ADDRESS, "127.0.0.1:1");
        try (ArchiveTransport transport = ArchiveTransport.open(unreachable)) {
            assertThatThrownBy(() -> transport.createTopics(List.of(TOPIC)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("has not begun to copy topic '" + TOPIC + "'")
                    .satisfies(failure -> assertThat(failure.getSuppressed()).isEmpty());
            assertThat(transport.topics()).isEmpty();
        }
    }

    @Test
    void copyIsOfNoOtherArchive() {
        try (ArchiveJvm other = ArchiveJvm.start(StandbyPair.TIMEOUT)) {
            ArchiveTopic.in(StandbyPair.alone(pair.primary), TOPIC).close();
            try (ArchiveTopic topic = ArchiveTopic.in(StandbyPair.alone(other), TOPIC)) {
                topic.store(topic.writer(), 10, 100);
            }
            ArchiveOptions mistaken = pair.options().with(ArchiveOptions.ADDRESS, other.address());
            assertThatThrownBy(() -> ArchiveTopic.in(mistaken, TOPIC))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("another Archive", other.address());
        }
        try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
            topic.store(topic.writer(), 10, 100);
            assertThat(StandbyPair.newest(pair.standby, TOPIC)).isEqualTo(10);
        }
    }
}
