package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.archive.RecordedPosition;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to the files of an Archive that runs, or that is killed and started again. */
@Tag("slow")
@Timeout(120)
@Tag("long")
class DamagedArchiveTest {
    private static final Duration LIVENESS = Duration.ofSeconds(4);

    /** The time after which a client gives up an Archive that was killed, as each of these tests awaits. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final int FRAMES = 300;

    private ArchiveJvm archive;

    @BeforeEach
    void start() {
        archive = ArchiveJvm.start(LIVENESS);
    }

    @AfterEach
    void end() {
        archive.close();
    }

    private ArchiveOptions options() {
        return ArchiveOptions.defaults()
                .with(ArchiveOptions.DRIVER, archive.driver())
                .with(ArchiveOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(ArchiveOptions.MAX_PAYLOAD, 100)
                .with(ArchiveOptions.TIMEOUT, TIMEOUT);
    }

    /** Writes frames, waits until their end is recorded, and kills the Archive with the writer open. */
    private RecordingDescriptor killedWhileWritten() {
        ArchiveTopic topic = ArchiveTopic.in(options(), "t");
        RecordingDescriptor recording;
        try (ArchiveSession session = ArchiveSession.connect(options())) {
            recording = Catalog.topic(session, "t");
        }
        topic.store(topic.writer(), FRAMES, 100);
        long begun = System.nanoTime();
        topic.until("the record", () -> System.nanoTime() - begun > 20 * RecordedPosition.STORE_MILLIS * 1_000_000L);
        archive.kill();
        assertThatThrownBy(() -> topic.until("its end", () -> false)).isInstanceOf(TransportException.class);
        topic.close();
        return recording;
    }

    @Test
    void framesCutOffByARestartAreMissed() {
        RecordingDescriptor recording = killedWhileWritten();
        long at = recording.start();
        for (int i = 0; i < 10; i++) {
            at += RecordingFile.word(archive.recordings(), recording, at) + 31 & -32;
        }
        RecordingFile.word(archive.recordings(), recording, at, 0); // where the Archive ends the recording
        archive.startAgain();

        try (ArchiveTopic topic = ArchiveTopic.in(options(), "t")) {
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll("'t'", "recording " + recording.id(), "but 300 was reported as stored");
        }
    }

    @Test
    void topicsMissingInDamagedCatalogAreNotRecreated() throws IOException {
        killedWhileWritten();
        Path catalog = archive.recordings().resolve("archive.catalog");
        String bytes = Files.readString(catalog, StandardCharsets.ISO_8859_1);
        Files.writeString(catalog, bytes.replace("baton-topic;t", "baton-topik;t"), StandardCharsets.ISO_8859_1);
        archive.startAgain();

        try (ArchiveTransport transport = ArchiveTransport.open(options())) {
            assertThatThrownBy(() -> transport.createTopics(List.of("t")))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll("'t'", "missing in the Archive's catalog", "sequence 300");
        }
    }

    @Test
    void aDamagedLengthInTheCatalogIsRefused() throws IOException {
        killedWhileWritten();
        Path catalog = archive.recordings().resolve("archive.catalog");
        byte[] bytes = Files.readAllBytes(catalog);
        int channel = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("aeron:ipc?session-id");
        bytes[channel - Integer.BYTES] ^= 4; // of its length, so that letters become the length of the next text
        Files.write(catalog, bytes);
        archive.startAgain();

        try (ArchiveTransport transport = ArchiveTransport.open(options())) {
            assertThatThrownBy(transport::topics)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("the Archive's catalog (archive.catalog) may be damaged", "restore");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 3, 1 << 14})
    void aDamagedMtuInTheCatalogIsRefused(int flipped) throws IOException {
        RecordingDescriptor recording = killedWhileWritten();
        Path catalog = archive.recordings().resolve("archive.catalog");
        byte[] bytes = Files.readAllBytes(catalog);
        ByteBuffer entries = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0; // of the term length, behind which MTU, session and stream are
        while (entries.getInt(at) != recording.termLength()
                || entries.getInt(at + 4) != recording.mtu()
                || entries.getInt(at + 12) != RecordingDescriptor.TOPICS) {
            at++;
        }
        entries.putInt(at + 4, recording.mtu() ^ flipped);
        Files.write(catalog, bytes);
        archive.startAgain();

        assertThatThrownBy(() -> {
                    try (ArchiveTopic topic = ArchiveTopic.in(options(), "t")) {
                        topic.writer();
                    }
                })
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(
                        "recording " + recording.id(),
                        "the Archive's catalog (archive.catalog) may be damaged",
                        "restore");
    }

    @Test
    void replayThatArchiveDoesNotLeaveIsNamed() {
        RecordingDescriptor recording = killedWhileWritten();
        RecordingFile.word(
                archive.recordings(), recording, recording.start() + 4, 0x0003_C000); // of a type that is none
        archive.startAgain();

        try (ArchiveTopic topic = ArchiveTopic.in(options(), "t")) {
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("'t'", "recording " + recording.id(), "damaged", "type", "restore");
        } finally {
            archive.kill(); // its thread is busy
        }
    }

    @Test
    void damageFoundByTheArchivesChecksumIsRefused() {
        archive.close();
        archive = ArchiveJvm.start(
                LIVENESS,
                "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
                "-Daeron.archive.record.checksum=CRC-32C",
                "-Daeron.archive.replay.checksum=CRC-32C");
        RecordingDescriptor recording = killedWhileWritten();
        long at = recording.start() + 600; // in the payload of a frame
        RecordingFile.word(
                archive.recordings(), recording, at, RecordingFile.word(archive.recordings(), recording, at) ^ 1);
        archive.startAgain();

        try (ArchiveTopic topic = ArchiveTopic.in(options(), "t");
                TopicInspector inspector = topic.transport.inspect("t")) {
            assertThatThrownBy(() -> inspector.read((frame, position) -> Verdict.DONE, FRAMES + 1))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll("'t'", "recording " + recording.id(), "log position", "restore");
        }
    }

    @Test
    void writersFailWhenTheArchivesDirectoryIsDeleted() {
        ArchiveTopic topic = ArchiveTopic.in(options(), "t");
        TopicWriter writer = topic.writer();
        topic.store(writer, FRAMES, 100);
        IoUtil.delete(archive.recordings().toFile(), false);
        long[] written = {System.nanoTime()};
        topic.until("the end of the writer", () -> {
            if (writer.failure() == null && System.nanoTime() - written[0] > 50_000_000) { // stays in the segment
                written[0] = System.nanoTime();
                topic.write(writer, 1, 8);
            }
            return writer.failure() != null;
        });
        assertThat(writer.failure()).hasMessageContainingAll("'t'", "has lost the file", "segmentFile=");
        assertThatThrownBy(() -> writer.claim(8)).isInstanceOf(TransportException.class);
        topic.close();
    }
}
