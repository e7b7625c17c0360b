package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.archive.StoredPositions;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import io.aeron.AeronCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The segments that are kept of a topic with a long recording. */
class ArchiveRetentionTest {
    private static final int FRAMES = 3_000; // eleven segments
    private static final int BYTES = 400;

    private static final ArchiveOptions UNREAD = TestArchive.options()
            .with(ArchiveOptions.MAX_PAYLOAD, BYTES)
            .with(ArchiveOptions.RETENTION, ArchiveOptions.Retention.UNREAD);

    @Test
    void segmentsReadByAllConsumersAreDeleted() {
        try (ArchiveTopic topic = ArchiveTopic.in(UNREAD, "retained")) {
            TopicReader slow = topic.connection.openReader(topic.name, "slow");
            TopicReader fast = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < FRAMES; i += 100) {
                topic.store(writer, 100, BYTES);
                fast.acknowledge(topic.read(fast, 100).get(99));
            }
            assertThat(segments("retained")).isGreaterThanOrEqualTo(11);
            for (long i = 0; i < FRAMES; i += 100) {
                List<Long> read = topic.read(slow, 100);
                assertThat(read.get(0)).isEqualTo(i + 1);
                slow.acknowledge(read.get(99));
                topic.connection.doWork();
            }
            topic.until("segments deleted", () -> segments("retained") <= 2);

            TopicReader late = topic.connection.openReader(topic.name, "late");
            long before = late.found().acknowledged();
            assertThat(before).isBetween(FRAMES - 700L, FRAMES - 1L);
            assertThat(topic.read(late, (int) (FRAMES - before)))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(before + 1, FRAMES).boxed().toList());
            assertThatThrownBy(() -> topic.connection.openReader(topic.name, "gone", StartPosition.sequence(5)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("retained", "oldest frame left has sequence " + (before + 1));
            try (ArchiveSession session = ArchiveSession.connect(UNREAD)) {
                assertThat(Catalog.consumers(session, topic.name))
                        .containsOnlyKeys("slow", ArchiveTopic.CONSUMER, "late");
            }
            writer.close();
            TopicWriter again = topic.writer();
            assertThat(again.sequence()).isEqualTo(FRAMES);
            topic.store(again, 10, BYTES);
            assertThat(topic.read(fast, 10).get(9)).isEqualTo(FRAMES + 10L);
        }
    }

    @Test
    void forgettingTheSlowestConsumerDeletesWhatItHeld() {
        try (ArchiveTopic topic = ArchiveTopic.in(UNREAD, "forgotten")) {
            topic.connection.openReader(topic.name, "slow").close();
            TopicReader fast = topic.reader();
            TopicWriter writer = topic.writer();
            topic.store(writer, FRAMES, BYTES);
            fast.acknowledge(topic.read(fast, FRAMES).get(FRAMES - 1));
            fast.close();
            assertThat(segments("forgotten")).isGreaterThanOrEqualTo(11);
            assertThat(topic.transport.forgetConsumer("forgotten", "slow")).isTrue();
            topic.until("segments deleted", () -> segments("forgotten") <= 2);
        }
    }

    @Test
    void anotherConsumersDamageStopsNoReader() {
        try (ArchiveTopic topic = ArchiveTopic.in(UNREAD, "others-damage");
                ArchiveSession session = ArchiveSession.connect(UNREAD)) {
            topic.connection.openReader(topic.name, "other").close();
            StoredPositions.damage(session, topic.name, "other");
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < FRAMES; i += 100) {
                topic.store(writer, 100, BYTES);
                reader.acknowledge(topic.read(reader, 100).get(99));
            }
            assertThat(segments("others-damage")).isGreaterThanOrEqualTo(11);
        }
    }

    @Test
    void framesThatOpenObserversNeedAreKept() {
        try (ArchiveTopic topic = ArchiveTopic.in(UNREAD, "observed");
                ArchiveTopic observing = ArchiveTopic.in(UNREAD, "observed");
                ArchiveSession session = ArchiveSession.connect(UNREAD)) {
            TopicWriter writer = topic.writer();
            topic.store(writer, 100, BYTES);
            TopicReader observer = observing.connection.openReader(topic.name, ObservingConsumer.name("o"));
            int before = liveImages(session);
            observer.acknowledge(observing.read(observer, 100).get(99));
            observing.until("a live image", () -> liveImages(session) > before && replays(session) == 0);

            TopicReader fast = topic.reader();
            fast.acknowledge(topic.read(fast, 100).get(99));
            for (int i = 0; i < FRAMES; i += 100) { // while the observer has no turn
                topic.store(writer, 100, BYTES);
                fast.acknowledge(topic.read(fast, 100).get(99));
            }
            assertThat(observing.read(observer, FRAMES))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(101, FRAMES + 100L).boxed().toList());
        }
    }

    private static long replays(ArchiveSession session) {
        long[] found = {0};
        session.aeron().countersReader().forEach((value, id, label) -> {
            if (session.aeron().countersReader().getCounterTypeId(id)
                    == AeronCounters.ARCHIVE_REPLAY_SESSION_COUNT_TYPE_ID) {
                found[0] = value;
            }
        });
        return found[0];
    }

    private static int liveImages(ArchiveSession session) {
        int[] found = {0};
        session.aeron().countersReader().forEach((id, type, key, label) -> {
            if (type == AeronCounters.DRIVER_SUBSCRIBER_POSITION_TYPE_ID && label.contains("tether=false")) {
                found[0]++;
            }
        });
        return found[0];
    }

    @Test
    void everythingIsKeptByDefault() {
        try (ArchiveTopic topic =
                ArchiveTopic.in(UNREAD.with(ArchiveOptions.RETENTION, ArchiveOptions.Retention.ALL), "everything")) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            topic.store(writer, FRAMES, BYTES);
            reader.acknowledge(topic.read(reader, FRAMES).get(FRAMES - 1));
            reader.close();
            assertThat(segments("everything")).isGreaterThanOrEqualTo(11);
            for (long sequence = 1; sequence <= FRAMES; sequence += 487) {
                TopicReader from = topic.connection.openReader(topic.name, "from", StartPosition.sequence(sequence));
                assertThat(topic.read(from, 1)).containsExactly(sequence);
                from.close();
            }
        }
        try (ArchiveTransport transport = ArchiveTransport.open(UNREAD)) {
            transport.deleteTopics(List.of("everything"));
        }
    }

    @Test
    void aConsumerOfPurgedFramesIsRefused() {
        try (ArchiveTopic topic = ArchiveTopic.in(UNREAD, "purged")) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            topic.store(writer, FRAMES, BYTES);
            reader.acknowledge(topic.read(reader, 5).get(4));
            reader.close();
            try (ArchiveSession session = ArchiveSession.connect(UNREAD)) {
                RecordingDescriptor recording = Catalog.topic(session, "purged");
                session.archive().purgeSegments(recording.id(), 4L * recording.segmentLength());
            }
            assertThatThrownBy(topic::reader)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("purged", "has lost sequences 6 to", ArchiveTopic.CONSUMER);
        }
    }

    private static long segments(String topic) {
        try (ArchiveSession session = ArchiveSession.connect(UNREAD);
                Stream<Path> files = Files.list(TestArchive.shared().recordings())) {
            String prefix = Catalog.topic(session, topic).id() + "-";
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .count();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
