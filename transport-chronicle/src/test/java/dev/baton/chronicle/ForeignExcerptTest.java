package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.util.function.Consumer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other programs have put into a topic's queue is refused, not taken for frames and not stepped over. */
class ForeignExcerptTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void aTextIsRefusedWithTopicAndIndex() {
        afterOneFrame(appender -> appender.writeText("hello"));

        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 1)).containsExactly("ours");
            for (int again = 0; again < 2; again++) {
                assertThatThrownBy(() -> Topic.poll(reader, 1))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining(Topic.NAME)
                        .hasMessageFindingMatch("index 0x[0-9a-f]+1:")
                        .hasMessageContaining("not written by Baton");
            }
        }
    }

    @Test
    void aWireDocumentIsRefused() {
        afterOneFrame(appender -> appender.writeDocument(
                wire -> wire.write("price").float64(1.5).write("currency").text("a currency with a long name")));

        assertRefused("not written by Baton");
    }

    @Test
    void aLaterLayoutIsRefusedWithItsVersion() {
        afterOneFrame(appender -> appender.writeBytes(excerpt((byte) 3, 1, 1, 128)));

        assertRefused("version 3");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void anExcerptWithoutFramesIsRefused(int frames) {
        afterOneFrame(appender -> appender.writeBytes(excerpt((byte) 1, frames, 1, 128)));

        assertRefused("damaged");
    }

    @Test
    void anExcerptThatWasCutIsRefused() {
        afterOneFrame(appender -> appender.writeBytes(excerpt((byte) 1, 1, 1, 129)));

        assertRefused("damaged");
    }

    @Test
    void aFrameLongerThanItsExcerptIsRefused() {
        afterOneFrame(appender -> {
            Bytes<?> excerpt = excerpt((byte) 1, 1, 2, 128);
            excerpt.writeInt(20, 1 << 20);
            appender.writeBytes(excerpt);
        });

        assertRefused("damaged");
    }

    private void assertRefused(String why) {
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 1)).containsExactly("ours");
            assertThatThrownBy(() -> Topic.poll(reader, 1))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(why);
            if (why.contains("not written by Baton")) {
                TopicWriter writer = topic.writer();
                Topic.write(writer, "behind it"); // it holds no frame, so that nothing of ours is passed over
                assertThat(writer.sequence()).isEqualTo(2);
                return;
            }
            assertThatThrownBy(topic::writer)
                    .as("a writer cannot know where to go on")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(Topic.NAME)
                    .hasMessageContaining(why);
        }
    }

    private void afterOneFrame(Consumer<ExcerptAppender> write) {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "ours");
        }
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                ExcerptAppender appender = queue.createAppender()) {
            write.accept(appender);
        }
    }

    /** 128 bytes with a header like ours. */
    private static Bytes<?> excerpt(byte version, int frames, long first, int bytes) {
        Bytes<?> excerpt = Bytes.allocateElasticOnHeap();
        excerpt.writeByte((byte) 'B')
                .writeByte((byte) 'T')
                .writeByte((byte) 'N')
                .writeByte(version);
        excerpt.writeInt(frames).writeLong(first).writeInt(bytes).writeInt(0);
        while (excerpt.writePosition() < 128) {
            excerpt.writeByte((byte) 0);
        }
        return excerpt;
    }
}
