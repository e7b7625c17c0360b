package dev.baton.aeron.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.ArchiveTopic;
import dev.baton.aeron.TestArchive;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordedPublication;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.RecordingReplay;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The contents of a topic's log, as writers and readers find it. */
class ArchiveLogTest {
    private static final ArchiveOptions OPTIONS = TestArchive.options();
    private static final int TERM = AeronOptions.LEAST_TERM;

    @Test
    void writersContinueBehindAPartlyStoredBatch() {
        try (ArchiveTopic topic = ArchiveTopic.in(OPTIONS, "torn")) {
            TopicWriter writer = topic.writer();
            topic.write(writer, 1, 8);
            topic.write(writer, 100, 100); // two fragments
            topic.awaitStored(writer);
            writer.close();
            TopicWriter whole = topic.writer();
            assertThat(whole.found().isWhole()).isTrue();
            whole.close();
        }
        long newest = tear("torn");
        try (ArchiveTopic topic = ArchiveTopic.in(OPTIONS, "torn")) {
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(newest).isBetween(2L, 100L);
            assertThat(writer.found().cause()).isEqualTo(newest);
            assertThat(writer.found().isWhole()).isFalse();
            topic.store(writer, 10, 100);
            assertThat(topic.read(topic.reader(), (int) newest + 10)).containsExactlyElementsOf(upTo(newest + 10));
        }
    }

    /** Cuts the recording behind the first fragment of its last flush; the sequence of the newest frame left. */
    private static long tear(String topic) {
        try (ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
            RecordingDescriptor recording = Catalog.topic(session, topic);
            long[] cut = {0};
            LogEnd end = new LogEnd(recording);
            RecordingReplay.scan(
                    session, recording, recording.start(), recording.stop(), (memory, begin, length, to) -> {
                        if (cut[0] == 0
                                && !Checkpoint.isAt(memory, begin)
                                && !FragmentLayout.isLastOfFlush(memory, begin)) {
                            cut[0] = to;
                        }
                        if (cut[0] == 0 || cut[0] == to) {
                            end.onFragment(memory, begin, length, to);
                        }
                        return true;
                    });
            session.archive().truncateRecording(recording.id(), cut[0]);
            Catalog.purge( // as if the writer was killed before it was stored
                    session,
                    Catalog.oldest(session, RecordingDescriptor.endAlias(topic), RecordingDescriptor.ENDS)
                            .id());
            return end.sequence();
        }
    }

    @Test
    void emptyTermsDoNotHideTheNewestFrame() {
        try (ArchiveTopic topic = ArchiveTopic.in(OPTIONS, "hidden");
                ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
            RecordingDescriptor recording = Catalog.topic(session, "hidden");
            TopicWriter first = topic.writer();
            first.answers(new InputRef(7, 8));
            long end = 0;
            while ((end & TERM - 1) < TERM - 120) {
                topic.write(first, (end & TERM - 1) < TERM - 2_000 ? 10 : 1, 8);
                topic.awaitStored(first);
                end = Catalog.end(session, recording);
            }
            Incarnation wrote = first.incarnation();
            long newest = first.sequence();
            first.close();
            for (int i = 0; i < 3; i++) {
                TopicWriter again = topic.writer();
                assertThat(again.sequence()).isEqualTo(newest);
                assertThat(again.found().cause()).isEqualTo(newest);
                assertThat(again.found().input()).isEqualTo(new InputRef(7, 8));
                assertThat(again.found().writer()).isEqualTo(wrote);
                assertThat(again.found().isWhole()).isTrue();
                again.close();
            }
            assertThat(Catalog.end(session, recording)).isGreaterThan(TERM);
            assertThat(topic.read(topic.reader(), (int) newest)).containsExactlyElementsOf(upTo(newest));
        }
    }

    @Test
    void framesOfAllLengthsCrossEndsOfTerms() {
        try (ArchiveTopic topic = ArchiveTopic.in(OPTIONS.with(ArchiveOptions.MAX_PAYLOAD, 4_000), "lengths")) {
            TopicReader reader = topic.reader();
            List<Long> read = new ArrayList<>();
            for (int round = 0; round < 12; round++) {
                TopicWriter writer = topic.writer();
                for (int i = 0; i < 20; i++) {
                    topic.write(writer, 1 + i % 4, 8 + (round * 397 + i * 211) % 3_900);
                    if (i % 7 == 0) {
                        writer.answers(new InputRef(round + 1, i + 1));
                    }
                }
                writer.close();
                read.addAll(topic.read(reader, (int) (50L * (round + 1) - read.size())));
            }
            assertThat(read).containsExactlyElementsOf(upTo(600));
        }
    }

    @Test
    void aLaterFormatIsRefused() {
        try (ArchiveTopic topic = ArchiveTopic.in(OPTIONS, "later")) {
            try (ArchiveSession session = ArchiveSession.connect(OPTIONS)) {
                RecordedPublication later =
                        RecordedPublication.extend(session, Catalog.topic(session, "later"), "topic 'later'", true);
                ByteBuffer checkpoint = ByteBuffer.allocateDirect(128).order(ByteOrder.LITTLE_ENDIAN);
                checkpoint.putInt(0, Checkpoint.MARK).putInt(4, 4);
                assertThat(later.offer(new UnsafeBuffer(checkpoint), 128)).isTrue();
                later.close();
            }
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("'later'", "format 4", "format 3");
            assertThatThrownBy(topic::reader)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("'later'", "format 4", "format 3");
        }
    }

    private static List<Long> upTo(long count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }
}
