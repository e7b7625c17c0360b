package dev.baton.aeron.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.aeron.ArchiveTopic;
import dev.baton.aeron.TestArchive;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import org.junit.jupiter.api.Test;

class RecordedPositionTest {
    private static final int POSITIONS = 2_500; // a segment has 2,048

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
}
