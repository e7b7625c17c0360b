package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single bits that flip in what the metadata have of a consumer and of what was freed. */
@Timeout(600)
@Tag("slow")
class FlippedPositionTest {
    private static final int FRAMES = 8;
    private static final int ACKNOWLEDGED = 4;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final List<String> skipped = new ArrayList<>();
    private int repaired;
    private int refused;
    private int repeated;
    private Path file;
    private byte[] sound;

    @BeforeEach
    void write() throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            var writer = topic.writer();
            for (int i = 1; i <= FRAMES; i++) {
                Topic.write(writer, "" + i);
            }
            Topic.poll(reader, ACKNOWLEDGED);
            reader.acknowledge(ACKNOWLEDGED);
        }
        file = directory.path().resolve(Topic.NAME).resolve(Mutation.METADATA);
        sound = Files.readAllBytes(file);
    }

    @AfterEach
    void remove() {
        directory.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"baton.consumer.", "baton.freed."})
    void flippedBitsSkipNothing(String prefix) throws IOException {
        flipAll(prefix, 7);
    }

    @Tag("soak")
    @ParameterizedTest
    @ValueSource(strings = {"baton.consumer.", "baton.freed."})
    void everyFlippedBitSkipsNothing(String prefix) throws IOException {
        flipAll(prefix, 1);
    }

    /** Flips the bits of all entries whose name begins so, headers included, one at a time: each, or one of so many. */
    private void flipAll(String prefix, int step) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN);
        int entries = 0;
        for (int at = 0; bytes.getInt(at) != 0; ) {
            int end = at + Integer.BYTES + (bytes.getInt(at) & 0x3FFF_FFFF);
            if (new String(sound, at, end - at, StandardCharsets.ISO_8859_1).contains(prefix)) {
                entries++;
                for (int bit = 8 * at; bit < 8 * end; bit += step) {
                    flip(bit);
                }
            }
            at = end + 3 & -4;
        }
        assertThat(entries).as("entries").isGreaterThanOrEqualTo(6);
        assertThat(skipped).isEmpty();
        assertThat(repaired)
                .as("repaired, beside " + refused + " refused and " + repeated + " repeated")
                .isPositive();
    }

    private void flip(int bit) throws IOException {
        byte[] flipped = sound.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(flipped), 0);
        }
        List<String> expected = frames(ACKNOWLEDGED + 1);
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            List<String> read = Topic.poll(reader, 100);
            if (read.equals(expected)) {
                repaired++;
            } else if (read.equals(frames(1))) {
                repeated++;
            } else {
                skipped.add("bit " + bit + ": " + read);
            }
            if (Topic.poll(topic.connection.openReader(Topic.NAME, "new"), 100).size() != FRAMES) {
                skipped.add("bit " + bit + ", new consumer");
            }
        } catch (TransportException clear) {
            refused++;
            if (!clear.getMessage().contains(Topic.NAME)) {
                skipped.add("bit " + bit + ": " + clear);
            }
        }
    }

    private static List<String> frames(int first) {
        return IntStream.rangeClosed(first, FRAMES).mapToObj(i -> "" + i).toList();
    }
}
