package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damage to what an Archive has recorded of topics and of consumers. */
@Timeout(120)
class DamagedRecordingTest {
    private static final int HEADER = 32;
    private static final int POSITION_BYTES = 64;
    private static final int FRAMES = 30;
    private static final long ACKNOWLEDGED = 10;

    /** Writes flushes of ten frames; reads the first ten. */
    private static ArchiveTopic written(String name) {
        ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name);
        try (TopicWriter writer = topic.writer();
                TopicReader reader = topic.reader()) {
            topic.store(writer, FRAMES, 8);
            reader.acknowledge(topic.read(reader, (int) ACKNOWLEDGED).get((int) ACKNOWLEDGED - 1));
        }
        return topic;
    }

    @Test
    void eachFlippedBitOfAPositionIsRepaired() {
        try (ArchiveTopic topic = written("flipped")) {
            for (int bit = 0; bit < 8 * POSITION_BYTES; bit++) {
                flipPosition(topic, bit);
                try (TopicReader reader = topic.reader()) { // which stores its position when it closes
                    assertThat(reader.found().acknowledged()).as("bit " + bit).isEqualTo(ACKNOWLEDGED);
                }
            }
        }
    }

    @Test
    void positionsWithTwoDamagedHalvesAreNotFollowed() {
        try (ArchiveTopic topic = written("halves")) {
            flipPosition(topic, 70);
            flipPosition(topic, 8 * POSITION_BYTES / 2 + 70);
            try (TopicReader reader = topic.reader()) {
                assertThat(reader.found().acknowledged()).isZero(); // the position before it
            }
        }
    }

    private static void flipPosition(ArchiveTopic topic, int bit) {
        try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            session.await(
                    "the end of the positions",
                    () -> !Catalog.consumers(session, topic.name)
                            .get(ArchiveTopic.CONSUMER)
                            .isWritten());
            RecordingDescriptor positions =
                    Catalog.consumers(session, topic.name).get(ArchiveTopic.CONSUMER);
            RecordingFile.flip(positions, positions.stop() - POSITION_BYTES, bit);
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
            try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
                RecordingDescriptor recording = Catalog.topic(session, topic.name);
                RecordingFile.word(recording, secondFlush(recording) + HEADER, length);
            }
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "with sequence 1", "restore");
            assertThatThrownBy(topic::reader)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(topic.name, "with sequence 1", "restore");
        }
    }

    @Test
    void framesBehindAGapAreNotDelivered() {
        try (ArchiveTopic topic = written("gap")) {
            TopicReader reader = topic.reader();
            try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
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
