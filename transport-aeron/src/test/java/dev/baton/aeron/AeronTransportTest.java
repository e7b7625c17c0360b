package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AeronTransportTest {
    private static final int MANY = 20_000;

    @TempDir
    Path directory;

    @Test
    void framesOfAllLengthsArriveAcrossTermEnds() {
        Random random = new Random(26);
        List<Long> received = new ArrayList<>();
        try (AeronTransport transport = small();
                Connection connection = transport.connect()) {
            transport.createTopics(List.of("t"));
            TopicWriter writer = connection.openWriter("t");
            TopicReader reader = connection.openReader("t", "c");
            while (received.size() < MANY) {
                int batch = random.nextInt(40);
                for (int i = 0; i < batch && write(writer, random.nextInt(transport.maxPayload() + 1)); i++) {
                    // goes on
                }
                writer.flush();
                int limit = 1 + random.nextInt(30);
                reader.poll(
                        (frame, position) -> {
                            assertThat(frame.getLong(0)).isEqualTo(frame.sequence());
                            if (random.nextInt(20) == 0) {
                                return Verdict.RETRY;
                            }
                            received.add(frame.sequence());
                            return Verdict.DONE;
                        },
                        limit);
                if (!received.isEmpty() && random.nextInt(5) == 0) {
                    reader.acknowledge(received.get(received.size() - 1));
                }
            }
            assertThat(received)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, received.size()).boxed().toList());
        }
    }

    @Test
    void anInterruptedThreadOpensWritesAndReadsOn() {
        try (AeronTransport transport = small();
                Connection connection = transport.connect()) {
            Thread.currentThread().interrupt();
            try {
                transport.createTopics(List.of("t"));
                TopicWriter writer = connection.openWriter("t");
                TopicReader reader = connection.openReader("t", "c");
                for (int i = 1; i <= MANY; i++) {
                    assertThat(write(writer, 8)).as("room for frame %d", i).isTrue();
                    writer.flush();
                    reader.poll((frame, position) -> Verdict.DONE, 1);
                    reader.acknowledge(i);
                }
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } finally {
                Thread.interrupted();
            }
        }
    }

    @Test
    void onlyDirectoriesOfKilledProcessesAreRemoved() throws IOException {
        Path left = Files.createDirectories(directory.resolve("baton-aeron-999999999-1"));
        Files.writeString(left.resolve("cnc.dat"), "left");
        Path foreign = Files.createDirectories(directory.resolve("baton-aeron-notes"));
        try (AeronTransport first = small();
                AeronTransport second = small()) {
            assertThat(left).doesNotExist();
            assertThat(foreign).exists();
            assertThat(directories()).hasSize(3);
            first.createTopics(List.of("a"));
            second.createTopics(List.of("a"));
        }
        assertThat(directories()).containsExactly(foreign);
    }

    @Test
    void aDirectoryThatDoesNotExistIsNamed() {
        AeronOptions options = AeronOptions.defaults().with(AeronOptions.DIRECTORY, directory.resolve("absent"));
        assertThatThrownBy(() -> AeronTransport.open(options))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver-dir", "absent");
    }

    @Test
    void logsStayMappedUntilLastConnectionIsClosed() throws IOException {
        AeronTransport transport = small();
        transport.createTopics(List.of("t"));
        Connection connection = transport.connect();
        TopicWriter writer = connection.openWriter("t");
        transport.close();
        assertThat(write(writer, 8)).isTrue();
        writer.flush();
        connection.close();
        assertThat(directories()).isEmpty();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors are counted in /proc")
    void descriptorsOfATopicMatchItsFootprint() throws IOException {
        long before = LogDescriptors.count();
        List<String> topics = List.of("a", "b", "c");
        try (AeronTransport transport = small();
                Connection connection = transport.connect()) {
            transport.createTopics(topics);
            for (String topic : topics) {
                connection.openWriter(topic);
                connection.openReader(topic, "c");
                connection.openReader(topic, "d");
            }
            assertThat((LogDescriptors.count() - before) / (double) topics.size())
                    .isCloseTo(new AeronProvider().topicFootprint(Map.of()).descriptors(), within(0.02));
        }
    }

    private AeronTransport small() {
        return AeronTransport.open(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
    }

    /** Writes a frame that holds its sequence; false when there is no room. */
    private static boolean write(TopicWriter writer, int length) {
        Frame frame = writer.claim(Math.max(length, Long.BYTES));
        if (frame == null) {
            return false;
        }
        frame.stamp(0, 0, 0, 0, 0);
        frame.putLong(0, writer.sequence() + 1);
        writer.commit(Math.max(length, Long.BYTES));
        return true;
    }

    private List<Path> directories() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }
}
