package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.archive.RecordedPosition;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordedPublication;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import io.aeron.ExclusivePublication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Topics after a process that writes or reads was killed, or was stalled for too long. */
@Tag("slow")
@Tag("long")
class ArchiveCrashTest {
    /** After which the driver gives a client up. */
    private static final Duration LIVENESS = Duration.ofSeconds(4);

    /** That, the driver's timer, and what else may run on the machine. */
    private static final Duration LONGEST_OPEN = Duration.ofSeconds(20);

    private static ArchiveJvm archive;

    @BeforeAll
    static void start() {
        archive = ArchiveJvm.start(LIVENESS);
    }

    @AfterAll
    static void end() {
        archive.close();
    }

    private static ArchiveOptions options(Path driver) {
        return ArchiveOptions.defaults()
                .with(ArchiveOptions.DRIVER, driver)
                .with(ArchiveOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(ArchiveOptions.MAX_PAYLOAD, 400);
    }

    private static ArchiveTopic topic(String name) {
        return ArchiveTopic.in(options(archive.driver()), name);
    }

    @Test
    void writerExcludesOtherProcessesUntilItIsKilled() throws InterruptedException {
        try (AeronJvm child =
                AeronJvm.start(WritesUntilKilled.class, archive.driver().toString(), "killed-writer")) {
            assertThat(child.line()).isEqualTo("stored 1000");
            try (ArchiveTopic topic = topic("killed-writer")) {
                long begun = System.nanoTime();
                assertThatThrownBy(topic::writer)
                        .isInstanceOf(OccupiedException.class)
                        .hasMessageContaining("killed-writer");
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as("time to see that the other one lives")
                        .isLessThan(LIVENESS);
            }
            long stored = 0;
            while (stored < 5_000) {
                stored = storedBy(child.line());
            }
            child.kill();

            try (ArchiveTopic topic = topic("killed-writer")) {
                long begun = System.nanoTime();
                TopicWriter writer = topic.writer();
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONGEST_OPEN);
                assertThat(writer.sequence()).isGreaterThanOrEqualTo(stored);
                assertThat(writer.found().cause()).isEqualTo(writer.sequence());
                assertThat(writer.found().writer().process()).isEqualTo("process " + child.pid());
                topic.store(writer, 10, 400);
                assertThat(topic.read(topic.reader(), (int) writer.sequence()))
                        .containsExactlyElementsOf(upTo(writer.sequence()));
            }
        }
    }

    @Test
    void aKilledReaderLosesNothing() throws InterruptedException {
        try (ArchiveTopic topic = topic("killed-reader")) {
            topic.store(topic.writer(), 3_000, 100);
        }
        try (AeronJvm child =
                AeronJvm.start(ReadsUntilKilled.class, archive.driver().toString(), "killed-reader")) {
            long acknowledged = Long.parseLong(child.line());
            try (ArchiveTopic topic = topic("killed-reader")) {
                assertThatThrownBy(topic::reader)
                        .isInstanceOf(OccupiedException.class)
                        .hasMessageContainingAll(topic.name, ArchiveTopic.CONSUMER);
                child.kill();
                TopicReader reader = topic.reader();
                long before = reader.found().acknowledged();
                assertThat(before).isBetween(acknowledged, 3_000L);
                List<Long> rest = upTo(3_000).subList((int) before, 3_000);
                assertThat(topic.read(reader, rest.size())).containsExactlyElementsOf(rest);
            }
        }
    }

    @Test
    void aStalledWriterStoresNothingAnyMore() throws IOException, InterruptedException {
        try (AeronJvm child =
                AeronJvm.start(WritesUntilKilled.class, archive.driver().toString(), "stopped-writer")) {
            assertThat(child.line()).isEqualTo("stored 1000");
            child.signal("STOP");
            long found;
            try (ArchiveTopic topic = topic("stopped-writer")) {
                TopicWriter writer = topic.writer();
                found = writer.sequence();
                topic.store(writer, 500, 100);
                child.signal("CONT");
            }
            String last = child.line();
            long claimed = 1_000;
            while (last.startsWith("stored ")) {
                claimed = storedBy(last);
                last = child.line();
            }
            assertThat(last).startsWith(TransportException.class.getName());
            assertThat(claimed).as("what it said is stored").isLessThanOrEqualTo(found);
            try (ArchiveTopic topic = topic("stopped-writer")) {
                TopicWriter writer = topic.writer();
                topic.store(writer, 10, 100);
                assertThat(topic.read(topic.reader(), (int) writer.sequence()))
                        .containsExactlyElementsOf(upTo(found + 510));
            }
        }
    }

    @Test
    void writerKilledInClaimIsFollowedByAnother() throws InterruptedException {
        try (ArchiveTopic topic = topic("half-claimed")) {
            topic.store(topic.writer(), 100, 100);
        }
        dieInAClaim(RecordingDescriptor.topicAlias("half-claimed"), RecordingDescriptor.TOPICS, 100, Death.IN_A_CLAIM);
        try (ArchiveTopic topic = topic("half-claimed")) {
            assertContinuedBehind100(topic, topic.writer());
        }
    }

    @Test
    void writerKilledInItsFirstClaimIsFollowed() throws InterruptedException {
        try (ArchiveTopic topic = topic("empty-term")) {
            topic.store(topic.writer(), 100, 100);
        }
        dieInAClaim(
                RecordingDescriptor.topicAlias("empty-term"),
                RecordingDescriptor.TOPICS,
                100,
                Death.IN_THE_FIRST_CLAIM_OF_A_TERM);
        try (ArchiveTopic topic = topic("empty-term")) {
            TopicReader early = topic.connection.openReader("empty-term", "early", StartPosition.sequence(41));
            assertThat(topic.read(early, 60))
                    .containsExactlyElementsOf(upTo(100).subList(40, 100));
            assertContinuedBehind100(topic, topic.writer());
        }
    }

    @Test
    void writerKilledBeforeFragmentLengthIsFollowed() throws InterruptedException {
        try (ArchiveTopic topic = topic("no-length")) {
            topic.store(topic.writer(), 100, 100);
        }
        dieInAClaim(
                RecordingDescriptor.topicAlias("no-length"), RecordingDescriptor.TOPICS, 100, Death.BEFORE_THE_LENGTH);
        try (ArchiveTopic topic = topic("no-length")) {
            assertContinuedBehind100(topic, topic.writer());
        }
    }

    @Test
    void readerKilledInClaimKeepsItsLastPosition() throws InterruptedException {
        try (ArchiveTopic topic = topic("half-a-position")) {
            topic.store(topic.writer(), 100, 100);
            TopicReader reader = topic.reader();
            assertThat(topic.read(reader, 60)).hasSize(60);
            reader.acknowledge(60);
        }
        dieInAClaim(
                RecordingDescriptor.consumerAlias("half-a-position", ArchiveTopic.CONSUMER),
                RecordingDescriptor.CONSUMERS,
                96, // a stored position
                Death.IN_A_CLAIM);
        try (ArchiveTopic topic = topic("half-a-position")) {
            assertThat(topic.read(topic.reader(), 40))
                    .containsExactlyElementsOf(upTo(100).subList(60, 100));
        }
    }

    @Test
    void killedWriterOverUdpIsFollowedByAnother() throws InterruptedException {
        String name = "killed-elsewhere";
        long stored;
        try (AeronJvm child =
                AeronJvm.start(WritesUntilKilled.class, archive.driver().toString(), name, archive.address())) {
            stored = storedBy(child.line());
            child.kill();
        }
        try (ArchiveTopic topic = topicOverUdp(name)) {
            TopicWriter writer = writerOnceNoticed(topic);
            assertThat(writer.sequence()).isGreaterThanOrEqualTo(stored);
            topic.store(writer, 10, 100);
            assertThat(topic.read(topic.reader(), (int) writer.sequence()))
                    .containsExactlyElementsOf(upTo(writer.sequence()));
        }
    }

    @Test
    void udpWriterKilledInFirstClaimIsFollowed() throws InterruptedException {
        String name = "empty-term-elsewhere";
        try (ArchiveTopic topic = topicOverUdp(name)) {
            topic.store(topic.writer(), 100, 100);
        }
        dieInAClaim(
                archive.address(),
                RecordingDescriptor.topicAlias(name),
                RecordingDescriptor.TOPICS,
                100,
                Death.IN_THE_FIRST_CLAIM_OF_A_TERM);
        try (ArchiveTopic topic = topicOverUdp(name)) {
            assertContinuedBehind100(topic, writerOnceNoticed(topic));
        }
    }

    @Test
    void udpWriterKilledBeforeFragmentLengthIsFollowed() throws InterruptedException {
        String name = "no-length-elsewhere";
        try (ArchiveTopic topic = topicOverUdp(name)) {
            topic.store(topic.writer(), 100, 100);
        }
        dieInAClaim(
                archive.address(),
                RecordingDescriptor.topicAlias(name),
                RecordingDescriptor.TOPICS,
                100,
                Death.BEFORE_THE_LENGTH);
        try (ArchiveTopic topic = topicOverUdp(name)) {
            assertContinuedBehind100(topic, writerOnceNoticed(topic));
        }
    }

    /** Writes another 100 frames, and reads all. */
    private static void assertContinuedBehind100(ArchiveTopic topic, TopicWriter writer) {
        assertThat(writer.sequence()).isEqualTo(100);
        topic.store(writer, 100, 100);
        assertThat(topic.read(topic.reader(), 200)).containsExactlyElementsOf(upTo(200));
    }

    private static ArchiveTopic topicOverUdp(String name) {
        return ArchiveTopic.in(options(archive.driver()).with(ArchiveOptions.ARCHIVE, archive.address()), name);
    }

    /** Opens the writer of a topic; again until the Archive has noticed that the one before was killed. */
    private static TopicWriter writerOnceNoticed(ArchiveTopic topic) {
        TopicWriter[] writer = {null};
        topic.until("a writer", () -> {
            try {
                writer[0] = topic.writer();
            } catch (OccupiedException notNoticed) {
                assertThat(notNoticed).hasMessageContaining(topic.name);
            }
            return writer[0] != null;
        });
        return writer[0];
    }

    private enum Death {
        IN_A_CLAIM,
        IN_THE_FIRST_CLAIM_OF_A_TERM,
        /** Aeron has moved the tail of the log, and not written a length yet: its driver cannot complete such a fragment. */
        BEFORE_THE_LENGTH
    }

    private static void dieInAClaim(String alias, int stream, int bytes, Death death) throws InterruptedException {
        dieInAClaim(ArchiveOptions.IPC, alias, stream, bytes, death);
    }

    /** @param address of the Archive */
    private static void dieInAClaim(String address, String alias, int stream, int bytes, Death death)
            throws InterruptedException {
        try (AeronJvm child = AeronJvm.start(
                DiesInAClaim.class,
                archive.driver().toString(),
                alias,
                Integer.toString(stream),
                Integer.toString(bytes),
                death.name(),
                address)) {
            assertThat(child.exitCode()).isZero();
        }
    }

    private static long storedBy(String line) {
        return Long.parseLong(line.substring("stored ".length()));
    }

    private static List<Long> upTo(long count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }

    /** Writes batches, and says after each thousand frames that they are stored. */
    static final class WritesUntilKilled {
        private WritesUntilKilled() {}

        public static void main(String[] arguments) {
            try {
                ArchiveOptions local = options(Path.of(arguments[0]));
                ArchiveTopic topic = ArchiveTopic.in(
                        arguments.length < 3 ? local : local.with(ArchiveOptions.ARCHIVE, arguments[2]), arguments[1]);
                TopicWriter writer = topic.writer();
                while (true) {
                    topic.store(writer, 1_000, 200);
                    System.out.println("stored " + writer.storedSequence());
                }
            } catch (TransportException failed) {
                System.out.println(failed);
            }
            Runtime.getRuntime().halt(0);
        }
    }

    /** Reads and acknowledges one frame after the other; says how many it has stored when there are some. */
    static final class ReadsUntilKilled {
        private ReadsUntilKilled() {}

        public static void main(String[] arguments) {
            ArchiveTopic topic = ArchiveTopic.in(options(Path.of(arguments[0])), arguments[1]);
            TopicReader reader = topic.reader();
            for (int i = 0; i < 1_000; i++) {
                reader.acknowledge(topic.read(reader, 1).get(0));
            }
            long begun = System.nanoTime();
            topic.until(
                    "the positions", () -> System.nanoTime() - begun > 50 * RecordedPosition.STORE_MILLIS * 1_000_000L);
            System.out.println(1_000);
            for (int i = 0; i < 500; i++) {
                reader.acknowledge(topic.read(reader, 1).get(0));
            }
            topic.until("its end", () -> false);
        }
    }

    /** Claims a fragment of a recording's log, the next one or the first one of the next term, and ends. */
    static final class DiesInAClaim {
        private DiesInAClaim() {}

        public static void main(String[] arguments) {
            ArchiveSession session =
                    ArchiveSession.connect(options(Path.of(arguments[0])).with(ArchiveOptions.ARCHIVE, arguments[5]));
            int stream = Integer.parseInt(arguments[2]);
            RecordedPublication recorded = RecordedPublication.extend(
                    session, Catalog.oldest(session, arguments[1], stream), "the recording", true);
            ExclusivePublication publication = recorded.publication();
            int length = Integer.parseInt(arguments[3]);
            Death death = Death.valueOf(arguments[4]);
            BufferClaim claim = new BufferClaim();
            while (true) {
                long offset = publication.position() % publication.termBufferLength();
                if (publication.tryClaim(length, claim) > 0) {
                    if (death == Death.BEFORE_THE_LENGTH) {
                        claim.buffer().setMemory(0, DataHeaderFlyweight.HEADER_LENGTH, (byte) 0);
                    }
                    if (offset == 0 || death != Death.IN_THE_FIRST_CLAIM_OF_A_TERM) {
                        Runtime.getRuntime().halt(0);
                    }
                    claim.abort();
                }
            }
        }
    }
}
