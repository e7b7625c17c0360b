package dev.baton.aeron.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.aeron.ArchiveTopic;
import dev.baton.aeron.TestArchive;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import io.aeron.protocol.DataHeaderFlyweight;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedPositionTest {
    private static final int POSITIONS = 2_500; // more than a segment has
    private static final int FRAGMENT = 128; // of a position
    private static final int PAGE = 4096; // of which an Archive's tool cuts off what reaches into the next one

    @Test
    void oldSegmentsOfPositionsAreDeleted() {
        try (ArchiveSession session = ArchiveSession.connect(TestArchive.options());
                ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "positions")) {
            RecordingDescriptor recording = Catalog.topic(session, topic.name);
            RecordedPosition position = RecordedPosition.open(session, recording, "c", true);
            for (int i = 1; i <= POSITIONS; i++) {
                position.moveTo(i, 32L * i);
                if (i % 100 == 0) { // as a turn does when the time has come, which each time has
                    position.work(System.nanoTime() + i * RecordedPosition.STORE_MILLIS * 1_000_000L);
                }
                position.storeNow();
            }
            position.close();
            session.await(
                    "a segment deleted",
                    () -> Catalog.consumers(session, topic.name).get("c").start() > 0);
            RecordingDescriptor positions =
                    Catalog.consumers(session, topic.name).get("c");
            assertThat(RecordedPosition.newest(session, positions, positions.stop()))
                    .isEqualTo(new RecordedPosition.Stored(recording.identity(), POSITIONS, 32L * POSITIONS));
        }
    }

    @Test
    void aFullSegmentKeepsTheNewestPosition() {
        try (ArchiveSession session = ArchiveSession.connect(TestArchive.options());
                ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "full-segment")) {
            RecordingDescriptor recording = Catalog.topic(session, topic.name);
            RecordedPosition position = RecordedPosition.open(session, recording, "c", true);
            int segment = Catalog.consumers(session, topic.name).get("c").segmentLength();
            long count = segment / FRAGMENT; // which fill it
            for (long i = 1; i <= count; i++) {
                position.moveTo(i, i);
                position.storeNow();
            }
            position.moveTo(count + 1, count + 1); // not stored yet: Aeron begins a term first
            position.work(System.nanoTime() + RecordedPosition.STORE_MILLIS * 1_000_000L);
            position.abandon(); // as its process ends here

            RecordingDescriptor positions =
                    Catalog.consumers(session, topic.name).get("c");
            assertThat(positions.stop()).isEqualTo(segment);
            assertThat(RecordedPosition.newest(session, positions, positions.stop()))
                    .isEqualTo(new RecordedPosition.Stored(recording.identity(), count, count));
        }
    }

    @Test
    void noPositionReachesIntoAnotherPage() {
        try (ArchiveSession session = ArchiveSession.connect(TestArchive.options());
                ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "pages")) {
            RecordedPosition position = RecordedPosition.open(session, Catalog.topic(session, topic.name), "c", true);
            for (int i = 1; i <= 100; i++) {
                position.moveTo(i, i);
                position.storeNow();
            }
            position.close();
            RecordingDescriptor positions =
                    Catalog.consumers(session, topic.name).get("c");
            List<Long> straddling = new ArrayList<>();
            RecordingReplay.scan(session, positions, 0, positions.stop(), (memory, at, length, end) -> {
                if ((end - length - DataHeaderFlyweight.HEADER_LENGTH) / PAGE != (end - 1) / PAGE) {
                    straddling.add(end);
                }
                return true;
            });
            assertThat(positions.stop()).isGreaterThan(2 * PAGE);
            assertThat(straddling).isEmpty();
        }
    }
}
