package dev.baton.aeron.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.ArchiveTopic;
import dev.baton.aeron.RecordingFile;
import dev.baton.aeron.TestArchive;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecordedEndTest {
    private static final long BOOT = Incarnation.begin(1, "").boot();

    /** Stores that a topic with ten frames has had thirty. */
    private static ArchiveTopic shorter(String name, long boot) {
        ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name);
        try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            try (TopicWriter writer = topic.writer()) {
                topic.store(writer, 10, 8);
            }
            record(session, name, 30, boot);
        }
        return topic;
    }

    private static void record(ArchiveSession session, String topic, long sequence, long boot) {
        RecordedPosition end = RecordedPosition.open(
                session,
                Catalog.topic(session, topic),
                RecordingDescriptor.endAlias(topic),
                RecordingDescriptor.ENDS,
                true);
        end.moveTo(sequence, boot);
        end.close();
    }

    @Test
    void damagedTailsThatWereNotStoredAreCutOff() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "tail");
                ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            try (TopicWriter writer = topic.writer()) {
                topic.store(writer, 20, 8);
            }
            RecordingDescriptor recording = Catalog.topic(session, "tail");
            RecordingFile.flip(recording, recording.stop() - 100, 5);
            assertThatThrownBy(topic::writer).isInstanceOf(DamagedTopicException.class);
            record(session, "tail", 10, BOOT); // as the writer has, if it was killed before the second ten were stored
            try (TopicWriter writer = topic.writer()) {
                assertThat(writer.sequence()).isEqualTo(10);
                assertThat(writer.found().isWhole()).isTrue();
                topic.store(writer, 20, 8);
            }
            assertThat(topic.read(topic.reader(), 30))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 30).boxed().toList());
        }
    }

    @Test
    void framesLostWithinABootAreRefused() {
        try (ArchiveTopic topic = shorter("same-boot", BOOT)) {
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll("'same-boot'", "ends at sequence 10", "but 30 was reported as stored");
        }
    }

    @Test
    void framesLostWithTheHostAreReported() {
        try (ArchiveTopic topic = shorter("other-boot", BOOT + 2)) {
            try (TopicWriter writer = topic.writer()) {
                assertThat(writer.sequence()).isEqualTo(10);
                topic.store(writer, 10, 8);
            }
            try (TopicWriter writer = topic.writer()) { // whose record is the new one
                assertThat(writer.sequence()).isEqualTo(20);
            }
        }
    }

    @Test
    void closedWritersRecordTheirExactEnd() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "exact");
                ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            try (TopicWriter writer = topic.writer()) {
                topic.write(writer, 7, 8);
            }
            RecordingDescriptor record =
                    Catalog.oldest(session, RecordingDescriptor.endAlias("exact"), RecordingDescriptor.ENDS);
            assertThat(RecordedPosition.newest(session, record, Catalog.end(session, record)))
                    .isEqualTo(new RecordedPosition.Stored(
                            Catalog.topic(session, "exact").identity(), 7, BOOT));
        }
    }
}
