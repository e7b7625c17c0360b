package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single bits that flip in a queue's metadata while it is closed: the topic works, or names file, cause and remedy. */
@Timeout(600)
@Tag("slow")
class FlippedMetadataTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final List<String> unclear = new ArrayList<>();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void flippedBitsOfMetadataAreHarmlessOrReported() throws IOException {
        flipAll(0, 37);
    }

    @Tag("soak")
    @Test
    void flippedMetadataBitsAreHarmlessOrReported() throws IOException {
        flipAll(0, 1);
    }

    @Test
    void headerThatEndsBeforeItsSourceIsReported() throws IOException {
        flipAll(617, Short.MAX_VALUE); // of the length of its nested fields
    }

    @ParameterizedTest
    @CsvSource({"101, 7", "84, 4"}) // a class of the header, and the name of a field
    void flippedHeaderOfAQueueFileIsReported(int at, int bit) throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "a", "b");
        }
        Path file = directory.queueFiles().get(0);
        byte[] flipped = Files.readAllBytes(file);
        flipped[at] ^= (byte) (1 << bit);
        Files.write(file, flipped);
        try (Topic topic = Topic.in(directory.path())) {
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("one of its queue files (*.cq4) is damaged")
                    .hasMessageContaining("Restore the files")
                    .message()
                    .doesNotContain("\n");
        }
    }

    private void flipAll(int first, int step) throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            topic.reader();
            Topic.write(topic.writer(), "a", "b");
        }
        Path file = directory.path().resolve(Topic.NAME).resolve(Mutation.METADATA);
        byte[] sound = Files.readAllBytes(file);
        byte[] queue = Files.readAllBytes(directory.queueFiles().get(0));
        int end = 0;
        for (ByteBuffer bytes = ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN); bytes.getInt(end) != 0; ) {
            end += Integer.BYTES + (bytes.getInt(end) & 0x3FFF_FFFF) + 3 & -4;
        }
        for (int bit = first; bit < 8 * end; bit += step) {
            byte[] flipped = sound.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, flipped);
            Files.write(directory.queueFiles().get(0), queue);
            use(bit);
        }
        assertThat(unclear).isEmpty();
    }

    private void use(int bit) {
        long begun = System.nanoTime();
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "c");
            TopicReader reader = topic.reader();
            List<String> texts = Topic.poll(reader, 10);
            if (!texts.equals(List.of("a", "b", "c"))) {
                unclear.add("bit " + bit + ": " + texts);
            }
        } catch (TransportException e) {
            if (!e.getMessage().contains(Mutation.METADATA) || !e.getMessage().contains("restore")) {
                unclear.add("bit " + bit + ": " + e);
            }
        } catch (RuntimeException | Error e) {
            unclear.add("bit " + bit + ": " + e);
        }
        if (System.nanoTime() - begun > 1_000_000_000L) {
            unclear.add("bit " + bit + " took " + (System.nanoTime() - begun) / 1_000_000 + " ms");
        }
    }
}
