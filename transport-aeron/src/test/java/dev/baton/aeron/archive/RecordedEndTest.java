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
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedEndTest {
    private static final long BOOT = Incarnation.begin(1, "").boot();

    /** Stores that a topic with ten frames has had thirty. */
    private static ArchiveTopic shorter(String name, long boot) {
        ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name);
        try (TopicWriter writer = topic.writer()) {
            topic.store(writer, 10, 8);
        }
        record(topic, 30, boot);
        return topic;
    }

    private static void record(ArchiveTopic topic, long sequence, long boot) {
        try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            record(session, topic.name, sequence, boot);
        }
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

    @ParameterizedTest
    @ValueSource(longs = {10, 20})
    void tailsTornWithTheHostAreCutOff(long recorded) {
        try (ArchiveTopic topic = torn("tail" + recorded)) {
            assertThatThrownBy(topic::writer).isInstanceOf(DamagedTopicException.class);
            record(topic, recorded, BOOT + 2);
            try (TopicReader reader = topic.reader();
                    TopicWriter writer = topic.writer()) {
                assertThat(writer.sequence()).isEqualTo(10);
                assertThat(writer.found().isWhole()).isTrue();
                topic.store(writer, 20, 8);
                assertThat(topic.read(reader, 30))
                        .containsExactlyElementsOf(
                                LongStream.rangeClosed(1, 30).boxed().toList());
            }
        }
    }

    @Test
    void tornTailsWithinABootAreRefused() {
        try (ArchiveTopic topic = torn("torn-same-boot")) {
            record(topic, 10, BOOT);
            assertThatThrownBy(topic::writer).isInstanceOf(DamagedTopicException.class);
            assertThatThrownBy(topic::reader).isInstanceOf(DamagedTopicException.class);
        }
    }

    /** Writes ten frames, and ten more whose fragment is damaged. */
    private static ArchiveTopic torn(String name) {
        ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name);
        try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            try (TopicWriter writer = topic.writer()) {
                topic.store(writer, 20, 8);
            }
            RecordingDescriptor recording = Catalog.topic(session, name);
            RecordingFile.flip(recording, recording.stop() - 100, 5);
        }
        return topic;
    }

    @Test
    void damageBeforeWholeFramesIsNoTail() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "hole");
                ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            try (TopicWriter writer = topic.writer()) {
                topic.store(writer, 10, 8);
                RecordingDescriptor recording = Catalog.topic(session, "hole");
                RecordingFile.flip(recording, Catalog.end(session, recording) - 100, 5);
                topic.store(writer, 10, 8);
            }
            record(topic, 20, BOOT + 2);
            assertThatThrownBy(topic::writer).isInstanceOf(DamagedTopicException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void consumersContinueBehindAnnouncedLoss(boolean isReaderFirst) {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "ahead" + isReaderFirst);
                ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            RecordingDescriptor recording = Catalog.topic(session, topic.name);
            long ten;
            try (TopicWriter writer = topic.writer();
                    TopicReader reader = topic.reader()) {
                topic.store(writer, 10, 8);
                ten = Catalog.end(session, recording);
                topic.store(writer, 10, 8);
                topic.read(reader, 20);
                reader.acknowledge(20);
            }
            session.archive().truncateRecording(recording.id(), ten);
            record(topic, 20, BOOT + 2);
            TopicReader early = isReaderFirst ? topic.reader() : null;
            topic.store(topic.writer(), 15, 8);
            TopicReader reader = isReaderFirst ? early : topic.reader();
            assertThat(topic.read(reader, 15))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(11, 25).boxed().toList());
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
