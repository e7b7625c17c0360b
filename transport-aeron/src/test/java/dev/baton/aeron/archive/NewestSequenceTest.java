package dev.baton.aeron.archive;

import dev.baton.aeron.ArchiveTopic;
import dev.baton.aeron.TestArchive;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.TopicWriter;
import org.junit.jupiter.api.Test;

/** The sequence by which a monitor learns the backlog of a reader. */
class NewestSequenceTest {
    @Test
    void aRefusedReplayIsLeftForTheNext() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "newest");
                ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            try (TopicWriter writer = topic.writer()) {
                topic.store(writer, 10, 8);
            }
            RecordingDescriptor recording = Catalog.topic(session, topic.name);
            NewestSequence newest = new NewestSequence(session, recording, 0);
            // the Archive refuses a replay behind the end, as it does one more than it may have
            newest.onAnswer(recording.stop() + 2L * recording.termLength(), null);
            session.await("the refusal", () -> {
                newest.work(System.nanoTime());
                return !newest.isReplaying();
            });
            session.await("the newest sequence", () -> {
                newest.work(System.nanoTime());
                return newest.atLeast(0) == 10;
            });
            newest.close();
        }
    }
}
