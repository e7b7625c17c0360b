package dev.baton.lab.study.chaos.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.trial.Transports;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue files that end as a crash inside a write leaves them. */
class TornEndTest {
    private static final String TOPIC = "torn";

    @TempDir
    private Path temporary;

    private Path queues;

    @BeforeEach
    void place() {
        queues = temporary.resolve("queues");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void writerContinuesAfterTornEnd(long variant) throws IOException {
        write(1, 300);
        assertThat(TornEnd.tear(queues.resolve(TOPIC), variant)).isPositive();
        assertThat(header(TornEnd.tear(queues.resolve(TOPIC), variant))).isEqualTo(TornEnd.UNFINISHED);
        assertThat(read()).containsExactlyElementsOf(numbers(300));
        write(301, 900);
        assertThat(read()).containsExactlyElementsOf(numbers(900));
    }

    @Test
    void unwrittenTopicCannotBeTorn() throws IOException {
        Files.createDirectories(queues.resolve(TOPIC));
        assertThat(TornEnd.tear(queues.resolve(TOPIC), 1)).isEqualTo(TornEnd.NO_ROOM);
    }

    private int header(long secondTear) {
        assertThat(secondTear).isEqualTo(TornEnd.LEFT_UNFINISHED);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(queues.resolve(TOPIC), "*.cq4")) {
            Path file = files.iterator().next();
            try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
                long at = 0;
                while (true) {
                    bytes.seek(at);
                    int header = Integer.reverseBytes(bytes.readInt());
                    if (header <= 0) {
                        return header;
                    }
                    at = (at + Integer.BYTES + (header & 0x3FFF_FFFF) + 3) & ~3L;
                }
            }
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private void write(int from, int to) {
        try (Transport transport = open();
                Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter(TOPIC)) {
            assertThat(writer.sequence()).isEqualTo(from - 1L);
            for (int number = from; number <= to; number++) {
                Frame frame = writer.claim(Long.BYTES + number % 50);
                frame.putLong(0, number);
                frame.stamp(0, 0, 0, 0, 0);
                writer.commit(Long.BYTES + number % 50);
                writer.flush();
            }
        }
    }

    private List<Long> read() {
        List<Long> numbers = new ArrayList<>();
        try (Transport transport = open();
                Connection connection = transport.connect();
                TopicReader reader = connection.openReader(TOPIC, "all")) {
            int read;
            do {
                read = reader.poll(
                        (frame, position) -> {
                            numbers.add(frame.getLong(0));
                            return Verdict.DONE;
                        },
                        1_000);
            } while (read > 0);
        }
        return numbers;
    }

    private Transport open() {
        Transport transport = Transports.named("chronicle").open(Map.of("dir", queues.toString()));
        transport.createTopics(List.of(TOPIC));
        return transport;
    }

    private static List<Long> numbers(int to) {
        return LongStream.rangeClosed(1, to).boxed().toList();
    }
}
