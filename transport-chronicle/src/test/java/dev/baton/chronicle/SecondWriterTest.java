package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.OccupiedException;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A topic has one live writer, in whatever process; that of a process that has died is not live. */
class SecondWriterTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void anotherTransportOfThisJvmIsRefusedWithThisProcess() {
        try (Topic first = Topic.in(directory.path());
                Topic second = Topic.in(directory.path())) {
            TopicWriter writer = first.writer();
            assertRefused(second, ProcessHandle.current().pid());

            writer.close();
            second.writer();
        }
    }

    @Test
    void closingOneTransportLeavesTheOthersWriterProtected() throws IOException {
        try (Topic first = Topic.in(directory.path())) {
            Topic.in(directory.path()).close();
            first.writer();
            try (Topic third = Topic.in(directory.path())) {
                assertRefused(third, ProcessHandle.current().pid());
            }
            Topic.in(directory.path()).close();
            assertThat(OpenFiles.descriptorsBelow(directory.path()))
                    .filteredOn(file -> file.endsWith(".writers.lock"))
                    .as("one channel per directory and JVM")
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void aReaderFollowsFromTheWriterOfItsOwnTransportToThatOfAnother() {
        try (Topic first = Topic.in(directory.path());
                Topic second = Topic.in(directory.path())) {
            TopicReader reader = first.reader();
            TopicWriter writer = first.writer();
            Topic.write(writer, "a");
            Topic.commit(writer, "flushed by close");
            writer.close();
            Topic.write(second.writer(), "from the other");

            assertThat(Topic.poll(reader, 10)).containsExactly("a", "flushed by close", "from the other");
        }
    }

    @Test
    void writersOfDifferentTopicsDoNotMeet() {
        try (Topic topic = Topic.in(directory.path())) {
            topic.writer();
            topic.transport.createTopics(List.of("other"));
            assertThat(topic.connection.openWriter("other").sequence()).isZero();
        }
    }

    @Test
    @Tag("crash")
    void anotherProcessIsRefusedUntilTheWritersProcessEnds() throws InterruptedException {
        try (ChildJvm child = ChildJvm.start(Writer.class, directory.path().toString())) {
            assertThat(child.line()).isEqualTo("wrote");
            try (Topic topic = Topic.in(directory.path())) {
                TopicReader reader = topic.reader();
                assertThat(Topic.poll(reader, 10)).as("crosses processes").containsExactly("from the child");
                assertRefused(topic, child.pid());

                child.kill();
                TopicWriter writer = topic.writer();
                assertThat(writer.sequence()).isEqualTo(1);
                Topic.write(writer, "from the parent");
                assertThat(Topic.poll(reader, 10)).containsExactly("from the parent");
            }
        }
    }

    private static void assertRefused(Topic topic, long process) {
        assertThatThrownBy(topic::writer)
                .isInstanceOf(OccupiedException.class)
                .hasMessageContaining(Topic.NAME)
                .hasMessageContaining("process " + process);
    }

    /** Writes one frame and keeps the writer open until it is killed. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws InterruptedException {
            Topic topic = Topic.in(Path.of(arguments[0]));
            Topic.write(topic.writer(), "from the child");
            System.out.println("wrote");
            Thread.currentThread().join();
        }
    }
}
