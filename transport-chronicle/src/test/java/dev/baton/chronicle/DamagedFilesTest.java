package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.format.ExcerptScan;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.QueueFiles;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damage that fuzzing found Chronicle, or us, to take badly: told at the opening, soon, and nothing is lost by it. */
@Timeout(30)
class DamagedFilesTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @BeforeEach
    void write() {
        try (Topic topic = Topic.in(directory.path())) {
            topic.reader();
            Topic.write(topic.writer(), "a", "b", "c");
        }
    }

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void damagedFirstWordsDeleteNoFile() throws IOException {
        Path file = directory.queueFiles().get(0);
        write(file, 3, (byte) 0xC0);

        assertRefused("header");
        assertThat(file).exists();
        write(file, 3, (byte) 0x40);
        try (Topic topic = Topic.in(directory.path())) {
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a", "b", "c");
        }
    }

    @Test
    void aTruncatedQueueFileIsRefused() throws IOException {
        cut(directory.queueFiles().get(0), 2);
        assertRefused("was cut to 2 bytes");
    }

    @Test
    void metadataCutToTheirFirstBytesAreRefused() throws IOException {
        cut(directory.path().resolve(Topic.NAME).resolve(Mutation.METADATA), 2);
        assertRefused("was cut to 2 bytes");
    }

    @Test
    void aQueueFileThatIsNoneIsRefused() throws IOException {
        Files.write(directory.queueFiles().get(0).resolveSibling("20990101F.cq4"), new byte[] {1, 2, 3, 4, 5});
        assertRefused("20990101F.cq4");
    }

    /** The memory of this process is a file whose first bytes cannot be read, as those of a broken disk. */
    @Test
    void failedReadsOfMetadataRefuseTheReader() throws IOException {
        Path metadata = directory.path().resolve(Topic.NAME).resolve(Mutation.METADATA);
        Path aside = directory.path().resolve("aside");
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer(); // so that the topic's files are open
            Opening<TopicReader> opening =
                    topic.connection.beginReader(Topic.NAME, Topic.CONSUMER, StartPosition.stored());
            Files.move(metadata, aside);
            Files.createSymbolicLink(metadata, Path.of("/proc/self/mem"));
            try {
                assertThatThrownBy(opening::prepare)
                        .isInstanceOf(TransportException.class)
                        .hasMessageContainingAll("topic " + Topic.NAME + " cannot be read", "Input/output error");
            } finally {
                Files.move(aside, metadata, StandardCopyOption.REPLACE_EXISTING);
            }
            Topic.write(writer, "d");
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a", "b", "c", "d");
        }
    }

    @Test
    void damageIsFoundBeforeTheConnectionsThreadOpens() throws IOException, FileDefect {
        String name = "indexed";
        ChronicleOptions indexed = Topic.SMALL.with(ChronicleOptions.INDEX_SPACING, 4);
        try (Topic topic = Topic.in(directory.path(), indexed)) {
            topic.transport.createTopics(List.of(name));
            TopicWriter writer = topic.connection.openWriter(name);
            for (int i = 0; i < 20; i++) {
                Topic.write(writer, "d");
            }
        }
        Path file = QueueFiles.in(directory.path().resolve(name)).get(0);
        long second;
        try (ExcerptScan scan = new ExcerptScan(file)) {
            assertThat(scan.next() && scan.next()).isTrue();
            second = scan.begin();
        }
        write(file, second + 3, (byte) 0x3F);
        try (Topic topic = Topic.in(directory.path(), indexed)) {
            topic.connection.openWriter(name).close(); // which begins behind the damage
            Opening<TopicReader> opening = topic.connection.beginReader(name, Topic.CONSUMER, StartPosition.stored());
            assertThatThrownBy(opening::prepare).isInstanceOf(DamagedTopicException.class);
        }
    }

    @Test
    void aConsumerAheadOfItsTopicIsRefused() throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            var reader = topic.reader();
            Topic.poll(reader, 10);
            reader.acknowledge(3);
        }
        Files.delete(directory.queueFiles().get(0));
        try (Topic topic = Topic.in(directory.path())) {
            assertThatThrownBy(topic::reader)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("ends at sequence 0", Topic.CONSUMER, "acknowledged 3", "lost");
        }
    }

    private void assertRefused(String why) {
        for (boolean writes : List.of(true, false)) {
            try (Topic topic = Topic.in(directory.path())) {
                assertThatThrownBy(() -> {
                            if (writes) {
                                topic.writer();
                            } else {
                                topic.reader();
                            }
                        })
                        .isInstanceOf(DamagedTopicException.class)
                        .hasMessageContainingAll("topic " + Topic.NAME, why, "baton verify");
            }
        }
    }

    private static void cut(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    private static void write(Path file, long at, byte value) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {value}), at);
        }
    }
}
