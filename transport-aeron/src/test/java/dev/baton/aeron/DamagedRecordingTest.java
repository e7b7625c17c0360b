package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.archive.StoredPositions;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordedPublication;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to what an Archive has recorded of topics and of consumers. */
@Tag("long")
@Timeout(120)
class DamagedRecordingTest {
    private static final ArchiveOptions OPTIONS =
            TestArchive.options().with(ArchiveOptions.TIMEOUT, Duration.ofSeconds(2));
    private static final int HEADER = 32;
    private static final int POSITION_BYTES = 96;
    private static final int FRAMES = 30;
    private static final long ACKNOWLEDGED = 10;

    /** Writes flushes of ten frames; reads the first ten. */
    private static ArchiveTopic written(String name) {
        ArchiveTopic topic = ArchiveTopic.in(OPTIONS, name);
        try (TopicWriter writer = topic.writer();
                TopicReader reader = topic.reader()) {
            topic.store(writer, FRAMES, 8);
            reader.acknowledge(topic.read(reader, (int) ACKNOWLEDGED).get((int) ACKNOWLEDGED - 1));
        }
        return topic;
    }

    @Test
    @Timeout(280) // 768 openings
    void eachFlippedBitOfAPositionIsRepaired() {
        try (ArchiveTopic topic = written("flipped");
                ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
            for (int bit = 0; bit < 8 * POSITION_BYTES; bit++) {
                StoredPositions.flip(session, topic.name, ArchiveTopic.CONSUMER, bit);
                try (TopicReader reader = topic.reader()) { // which stores its position when it closes
                    assertThat(reader.found().acknowledged()).as("bit " + bit).isEqualTo(ACKNOWLEDGED);
                }
            }
        }
    }

    static IntStream lengths() {
        return IntStream.concat(
                IntStream.rangeClosed(-56, -47), IntStream.of(-1, 0, 1_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void damagedLengthsOfFramesAreRefused(int length) {
        try (ArchiveTopic topic = written("length" + length)) {
            try (ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
                RecordingDescriptor recording = Catalog.topic(session, topic.name);
                RecordingFile.word(recording, secondFlush(recording) + HEADER, length);
            }
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "sequence 11 does not agree with its checksum", "restore");
            assertThatThrownBy(topic::reader)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "sequence 11 does not agree with its checksum", "restore");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 47, 200, 500, 560, 608, 620})
    void cutFragmentsAreRefused(int bytes) { // of which Aeron's alignment takes the last 16
        try (ArchiveTopic topic = written("cut" + bytes)) {
            RecordingDescriptor recording = recordingOf(topic);
            RecordingFile.cut(recording, recording.stop() - bytes);
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "recording " + recording.id(), "restore");
            assertThatThrownBy(() -> inspect(topic))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "recording " + recording.id(), "restore");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 1_000_000})
    void damagedLengthsOfFragmentsAreRefused(int length) {
        try (ArchiveTopic topic = written("fragment" + length)) {
            TopicReader reader = topic.reader();
            RecordingDescriptor recording = recordingOf(topic);
            RecordingFile.word(recording, secondFlush(recording), length);
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "recording " + recording.id(), "log position", "restore");
            assertThatThrownBy(() -> topic.read(reader, FRAMES - (int) ACKNOWLEDGED))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "recording " + recording.id(), "log position", "restore");
            assertThatThrownBy(() -> inspect(topic))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "recording " + recording.id(), "log position", "restore");
        }
    }

    /** Reads a topic as the command {@code verify} does. */
    private static void inspect(ArchiveTopic topic) {
        try (TopicInspector inspector = topic.transport.inspect(topic.name)) {
            inspector.read((frame, position) -> Verdict.DONE, FRAMES + 1);
        }
    }

    private static RecordingDescriptor recordingOf(ArchiveTopic topic) {
        try (ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
            return Catalog.topic(session, topic.name);
        }
    }

    @Test
    void inspectionReportsTopicsShorterThanTheirRecord() {
        try (ArchiveTopic topic = written("shortened");
                ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
            RecordingDescriptor recording = Catalog.topic(session, topic.name);
            session.archive().truncateRecording(recording.id(), secondFlush(recording));
            assertThatThrownBy(() -> inspect(topic))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(
                            topic.name, "ends at sequence 10 in recording " + recording.id(), "30 was reported");
        }
    }

    @Test
    void deletedRecordingsAreNotMadeAnew() {
        try (ArchiveTopic topic = written("lost");
                ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
            Catalog.purge(session, Catalog.topic(session, topic.name).id());
            assertThatThrownBy(() -> topic.transport.createTopics(List.of(topic.name)))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "missing in the Archive's catalog", "sequence 30", "delete");
            topic.transport.deleteTopics(List.of(topic.name));
            assertThat(topic.transport.createTopics(List.of(topic.name))).containsExactly(topic.name);
            topic.store(topic.writer(), 10, 8);
        }
    }

    @Test
    void recordingsMadeAnewElsewhereAreRefused() {
        try (ArchiveTopic topic = written("anew");
                ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
            RecordingDescriptor before = Catalog.topic(session, topic.name);
            Catalog.purge(session, before.id());
            RecordedPublication.create(
                            session, before.alias(), RecordingDescriptor.TOPICS, before.termLength(), before.mtu())
                    .close();
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "sequence 0", "not the one that was written before", "30");
        }
    }

    @Test
    void framesBehindAGapAreNotDelivered() {
        try (ArchiveTopic topic = written("gap")) {
            TopicReader reader = topic.reader();
            try (ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
                RecordingDescriptor recording = Catalog.topic(session, topic.name);
                int padding = RecordingFile.word(recording, secondFlush(recording) + 4) & 0xFFFF;
                RecordingFile.word(recording, secondFlush(recording) + 4, padding); // type 0: skipped by Aeron
            }
            assertThatThrownBy(() -> topic.read(reader, FRAMES - (int) ACKNOWLEDGED))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "sequence 20", "sequence 10");
        }
    }

    /** Returns the log position of the fragment with the second ten frames. */
    private static long secondFlush(RecordingDescriptor recording) {
        List<Long> fragments = LongStream.iterate(
                        recording.start(),
                        at -> at < recording.stop(),
                        at -> at + (RecordingFile.word(recording, at) + 31 & -32))
                .boxed()
                .toList();
        return fragments.get(fragments.size() - 2);
    }
}
