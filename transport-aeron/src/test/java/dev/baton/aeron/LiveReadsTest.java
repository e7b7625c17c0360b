package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import io.aeron.AeronCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

/** Readers that have caught up with their writer read its live log, and return to a replay when they fall behind. */
class LiveReadsTest {
    private final String name = "live-" + UUID.randomUUID();

    /** Returns how many untethered subscriptions have an image of the topic's publication. */
    private static int liveImages(ArchiveSession session) {
        int[] found = {0};
        session.aeron().countersReader().forEach((id, type, key, label) -> {
            if (type == AeronCounters.DRIVER_SUBSCRIBER_POSITION_TYPE_ID && label.contains("tether=false")) {
                found[0]++;
            }
        });
        return found[0];
    }

    /** Returns how many replays the Archive sends. */
    private static long replays(ArchiveSession session) {
        CountersReader counters = session.aeron().countersReader();
        long[] found = {0};
        counters.forEach((id, type, key, label) -> {
            if (type == AeronCounters.ARCHIVE_REPLAY_SESSION_COUNT_TYPE_ID) {
                found[0] = counters.getCounterValue(id);
            }
        });
        return found[0];
    }

    private static List<Long> sequences(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void aReaderThatHasCaughtUpReadsLive() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name);
                ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            TopicWriter writer = topic.writer();
            topic.store(writer, 1_000, 100);
            int before = liveImages(session);
            long replaysBefore = replays(session);
            TopicReader reader = topic.reader();
            assertThat(topic.read(reader, 1_000)).isEqualTo(sequences(1, 1_000));
            topic.until("a live image", () -> liveImages(session) > before);
            topic.until("the end of the replay", () -> replays(session) == replaysBefore);
            for (int i = 0; i < 200; i++) { // several terms
                topic.store(writer, 20, 100);
                assertThat(topic.read(reader, 20)).isEqualTo(sequences(1_001 + 20L * i, 1_020 + 20L * i));
            }
            assertThat(liveImages(session)).isGreaterThan(before);
            assertThat(replays(session)).isEqualTo(replaysBefore);
            reader.acknowledge(5_000);
            reader.close();
            topic.until("the end of the live image", () -> liveImages(session) == before);
            assertThat(topic.reader().found().acknowledged()).isEqualTo(5_000);
            topic.connection.close();
            topic.transport.deleteTopics(List.of(name));
        }
    }

    @Test
    void aReaderThatStandsStillHoldsNobodyBack() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name);
                ArchiveTopic behind = ArchiveTopic.in(TestArchive.options(), name);
                ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            TopicWriter writer = topic.writer();
            topic.store(writer, 10, 100);
            int before = liveImages(session);
            TopicReader reader = behind.reader();
            assertThat(behind.read(reader, 10)).isEqualTo(sequences(1, 10));
            behind.until("a live image", () -> liveImages(session) > before);

            long begun = System.nanoTime();
            topic.store(writer, 5_000, 100); // the window of the log many times, while the reader has no turn
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));

            List<Long> early = new ArrayList<>(); // before the client of the reader knows that its image is gone
            reader.poll(
                    (frame, position) -> {
                        early.add(frame.sequence());
                        return Verdict.DONE;
                    },
                    100);
            early.addAll(behind.read(reader, 5_000 - early.size()));
            assertThat(early).isEqualTo(sequences(11, 5_010));
            behind.until("a live image again", () -> liveImages(session) > before);
            topic.store(writer, 10, 100);
            assertThat(behind.read(reader, 10)).isEqualTo(sequences(5_011, 5_020));
            reader.close();
            topic.connection.close();
            behind.connection.close();
            topic.transport.deleteTopics(List.of(name));
        }
    }

    @Test
    void writersMayFollowEachOtherUnderLiveReader() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name)) {
            TopicReader reader = null;
            long stored = 0;
            for (int i = 0; i < 20; i++) {
                TopicWriter writer = topic.writer();
                if (reader == null) {
                    reader = topic.reader();
                }
                topic.store(writer, 50, 100);
                assertThat(topic.read(reader, 30)).isEqualTo(sequences(stored + 1, stored + 30));
                writer.close(); // some frames are read after their writer has closed
                assertThat(topic.read(reader, 20)).isEqualTo(sequences(stored + 31, stored + 50));
                assertThat(reader.writer()).isNotNull();
                stored += 50;
            }
            reader.close();
            topic.connection.close();
            topic.transport.deleteTopics(List.of(name));
        }
    }

    /** A writer in bursts, and a reader that polls a few frames, refuses some and pauses at random. */
    @Test
    void nothingIsLostOrRepeatedAtAnyPace() throws Exception {
        Random random = new Random(7);
        int frames = 40_000;
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), name)) {
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                Random pace = new Random(11);
                try (ArchiveTopic written = ArchiveTopic.in(TestArchive.options(), name)) {
                    TopicWriter writer = written.writer();
                    for (int i = 0; i < frames / 100; i++) {
                        written.store(writer, 100, pace.nextInt(90) + 8);
                    }
                    writer.close();
                }
            });
            TopicReader reader = topic.reader();
            long[] read = {0};
            topic.until("all frames", () -> {
                if (random.nextInt(1_000) == 0) { // no turn and no poll for a while
                    LockSupport.parkNanos(20_000_000);
                }
                reader.poll(
                        (frame, position) -> {
                            if (random.nextInt(50) == 0) {
                                return Verdict.RETRY;
                            }
                            requireNext(frame, read[0]);
                            read[0]++;
                            return Verdict.DONE;
                        },
                        random.nextInt(200) + 1);
                if (random.nextBoolean()) {
                    reader.acknowledge(read[0]);
                }
                return read[0] == frames;
            });
            writing.get(30, TimeUnit.SECONDS);
            reader.close();
            topic.connection.close();
            topic.transport.deleteTopics(List.of(name));
        }
    }

    private static void requireNext(Frame frame, long read) {
        assertThat(frame.sequence()).isEqualTo(read + 1);
        assertThat(frame.getLong(0)).isEqualTo(read + 1);
    }
}
