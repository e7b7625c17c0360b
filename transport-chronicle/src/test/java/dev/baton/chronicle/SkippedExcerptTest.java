package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What cannot be read is stepped over when that is asked for, and frames behind it are read and acknowledged. */
class SkippedExcerptTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void framesBehindASkippedForeignExcerptAreRead() {
        writeForeignBetween();
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            reader.acknowledge(1);
            assertUnreadable(reader);
            assertSkips(reader);
            assertThat(reader.skipUnreadable()).as("once").isFalse();
            assertThat(Topic.poll(reader, 10)).containsExactly("b", "c");
            reader.acknowledge(2);
        }
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isEqualTo(2);
            assertThat(Topic.poll(reader, 10)).containsExactly("c");
        }
    }

    @Test
    void everyPollReportsAnExcerptUntilSkipped() {
        writeForeignBetween();
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(reader.skipUnreadable()).as("nothing was met").isFalse();
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            assertThat(reader.skipUnreadable()).as("a frame was read").isFalse();
            assertUnreadable(reader);
            assertUnreadable(reader);
            assertSkips(reader);
            assertThat(Topic.poll(reader, 10)).containsExactly("b", "c");
        }
    }

    @Test
    void acknowledgementsThatLagLeaveItBehindAsWell() {
        writeForeignBetween();
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            assertUnreadable(reader);
            assertSkips(reader);
            assertThat(Topic.poll(reader, 10)).containsExactly("b", "c");
            reader.acknowledge(1);
            reader.acknowledge(2);
        }
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("c");
        }
    }

    @Test
    void laterAcknowledgementsSkipAnExcerptAfterACrash() {
        writeForeignBetween();
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            reader.acknowledge(1);
        }
        long older = index(position -> {});
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertUnreadable(reader);
            assertSkips(reader);
            assertThat(Topic.poll(reader, 10)).containsExactly("b", "c");
            reader.acknowledge(2);
        }
        assertThat(index(position -> position.set(position.sequence(), older))).isEqualTo(older);
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("c");
        }
    }

    @Test
    void laterAcknowledgementsSkipFirstExcerptAfterCrash() throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            topic.writer().close();
        }
        writeForeign();
        try (TemporaryDirectory killed = new TemporaryDirectory()) {
            try (Topic topic = Topic.in(directory.path())) {
                TopicWriter writer = topic.writer();
                Topic.write(writer, "a");
                Topic.write(writer, "b");
                TopicReader reader = topic.reader();
                assertUnreadable(reader);
                assertSkips(reader);
                assertThat(Topic.poll(reader, 10)).containsExactly("a", "b");
                reader.acknowledge(1);
                reader.acknowledge(2);
                Path from = directory.path().resolve(Topic.NAME);
                Path to = Files.createDirectory(killed.path().resolve(Topic.NAME));
                for (String file : from.toFile().list()) {
                    Files.copy(from.resolve(file), to.resolve(file)); // as a kill now leaves it
                }
                Topic.write(writer, "c");
            }
            try (Topic topic = Topic.in(killed.path())) {
                TopicReader reader = topic.reader();
                assertThat(reader.found().acknowledged()).isEqualTo(2);
                assertThat(Topic.poll(reader, 10)).isEmpty();
                Topic.write(topic.writer(), "d");
                assertThat(Topic.poll(reader, 10)).containsExactly("d");
            }
        }
    }

    @Test
    void laterFramesAreReadAfterASkippedEnd() {
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "a");
        }
        writeForeign();
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            reader.acknowledge(1);
            assertThat(reader.backlog()).isZero();
            assertUnreadable(reader);
            assertSkips(reader);
            assertThat(Topic.poll(reader, 10)).isEmpty();
            writeForeign();
            assertUnreadable(reader);
            assertSkips(reader);
            assertThat(Topic.poll(reader, 10)).isEmpty();
        }
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isEqualTo(1);
            for (int i = 0; i < 2; i++) { // no frame behind them was acknowledged
                assertUnreadable(reader);
                assertSkips(reader);
            }
            assertThat(Topic.poll(reader, 10)).isEmpty();
        }
    }

    @Test
    void newConsumersReportAForeignFirstExcerpt() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            writeForeign();
            Topic.write(writer, "b");
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isZero();
            assertUnreadable(reader);
            assertSkips(reader);
            assertThat(Topic.poll(reader, 10)).containsExactly("b");
        }
    }

    @Test
    void onlyFramesOfADamagedExcerptAreMissing() throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            Topic.write(writer, "lost 1", "lost 2");
            Topic.write(writer, "b");
        }
        damage("lost 1");
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            assertUnreadable(reader);
            assertSkips(reader);
            assertThat(Topic.poll(reader, 10)).containsExactly("b");
            reader.acknowledge(4);
        }
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(reader.found().acknowledged()).isEqualTo(4);
            assertThat(Topic.poll(reader, 10)).isEmpty();
        }
    }

    @Test
    void anImpossibleLengthIsNotSkipped() throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            Topic.write(writer, "cut off");
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            write(excerptOf("cut off") - Integer.BYTES, Excerpt.LONGEST + 4);
            for (int again = 0; again < 2; again++) {
                assertThatThrownBy(() -> Topic.poll(reader, 1)).isInstanceOf(TransportException.class);
                assertThat(reader.skipUnreadable()).isFalse();
            }
        }
    }

    private static void assertSkips(TopicReader reader) {
        assertThat(reader.skipUnreadable())
                .as("whether it steps over what it met")
                .isTrue();
    }

    private static void assertUnreadable(TopicReader reader) {
        assertThatThrownBy(() -> Topic.poll(reader, 10))
                .isInstanceOfSatisfying(
                        DamagedTopicException.class,
                        damage -> assertThat(damage.isEnd()).isFalse());
    }

    /** Changes the consumer's index, and returns it. */
    private long index(Consumer<StoredPosition> change) {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                StoredPosition position = RawQueue.position(queue, "baton.consumer." + Topic.CONSUMER)) {
            change.accept(position);
            return position.index();
        }
    }

    private void writeForeignBetween() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            writeForeign();
            Topic.write(writer, "b");
            Topic.write(writer, "c");
        }
    }

    private void writeForeign() {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                ExcerptAppender appender = queue.createAppender()) {
            appender.writeText("hello");
        }
    }

    /** Makes the excerpt that begins with a frame of this text one of no frames. */
    private void damage(String text) throws IOException {
        write(excerptOf(text) + 4, 0);
    }

    private long excerptOf(String text) throws IOException {
        byte[] file = Files.readAllBytes(directory.queueFiles().get(0));
        int at = new String(file, StandardCharsets.ISO_8859_1).indexOf(text);
        assertThat(at).isPositive();
        return at - Frame.HEADER_BYTES - Excerpt.FIRST_FRAME;
    }

    private void write(long at, int word) throws IOException {
        Path file = directory.queueFiles().get(0);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, word), at);
        }
    }
}
