package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topic has one live writer, in whatever process; that of a process that has died is not live. */
class SecondWriterTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void anotherTransportOfThisJvmIsRefused() {
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
    void readersFollowFromTheirTransportsWriterToAnother() {
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
    @Tag("slow")
    void otherProcessesAreRefusedUntilTheWritersEnds() throws InterruptedException {
        try (QueueProcess child =
                QueueProcess.start(Writer.class, directory.path().toString())) {
            assertThat(child.line()).isEqualTo("wrote");
            try (Topic topic = Topic.in(directory.path())) {
                TopicReader reader = topic.reader();
                assertThat(Topic.poll(reader, 10)).as("crosses processes").containsExactly("from the child");
                assertRefused(topic, child.pid());
                try (ChronicleTransport other = ChronicleTransport.in(directory.path())) {
                    other.createTopics(List.of("alpha"));
                    assertNotDeleted(other, child.pid());
                }

                child.kill();
                TopicWriter writer = topic.writer();
                assertThat(writer.sequence()).isEqualTo(1);
                Topic.write(writer, "from the parent");
                assertThat(Topic.poll(reader, 10)).containsExactly("from the parent");
            }
        }
    }

    @Test
    @Tag("slow")
    void contendingProcessesNeverWriteAtOnce() throws InterruptedException {
        try (QueueProcess one =
                        QueueProcess.start(Contender.class, directory.path().toString());
                QueueProcess two =
                        QueueProcess.start(Contender.class, directory.path().toString());
                Topic topic = Topic.in(directory.path())) {
            List<Long> sequences = new ArrayList<>();
            assertThat(one.line()).isEqualTo("wrote " + Contender.FRAMES);
            assertThat(two.line()).isEqualTo("wrote " + Contender.FRAMES);
            topic.reader()
                    .poll(
                            (frame, position) -> {
                                sequences.add(frame.sequence());
                                return Verdict.DONE;
                            },
                            Integer.MAX_VALUE);
            assertThat(sequences)
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 2 * Contender.FRAMES)
                            .boxed()
                            .toList());
        }
    }

    @Test
    void numbersOfNoLiveProcessRefuseNoWriter() {
        for (long number :
                new long[] {-1, 1, ProcessHandle.current().pid(), Long.MAX_VALUE, 1L << 62, (1L << 62) + 1}) {
            try (Topic topic = Topic.in(directory.path())) {
                topic.writer().close();
                set(number);
                topic.writer();
            }
        }
    }

    @Test
    void aRefusedWriterDoesNotAffectTheOther() {
        try (Topic first = Topic.in(directory.path());
                Topic second = Topic.in(directory.path())) {
            TopicWriter writer = first.writer();
            for (int again = 0; again < 2; again++) {
                assertRefused(second, ProcessHandle.current().pid());
                assertRefused(first, ProcessHandle.current().pid());
            }
            Topic.write(writer, "a");
            assertThat(Topic.poll(second.reader(), 10)).containsExactly("a");
        }
    }

    @Test
    void writersOfADeletedTopicBeginNoFile() throws IOException {
        try (Topic first = rolling()) {
            TopicWriter writer = writerBeforeItsNextFile(first, true);
            deletePastBaton();

            assertThatThrownBy(() -> Topic.write(writer, "b"))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("topic " + Topic.NAME, "its metadata are gone");
            assertThat(directory.path().resolve(Topic.NAME)).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writersOfARecreatedTopicBeginNoFile(boolean hasWritten) throws IOException {
        try (Topic first = rolling();
                Topic second = rolling()) {
            TopicWriter writer = writerBeforeItsNextFile(first, hasWritten);
            deletePastBaton();
            second.transport.createTopics(List.of(Topic.NAME));
            second.reader();

            assertThatThrownBy(() -> Topic.write(writer, "b"))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("topic " + Topic.NAME, "deleted and created again");
            assertThat(directory.queueFiles()).isEmpty();
        }
    }

    @Test
    void topicsThatAnotherTransportUsesAreNotDeleted() {
        try (Topic used = Topic.in(directory.path());
                ChronicleTransport other = ChronicleTransport.in(directory.path())) {
            other.createTopics(List.of("alpha"));
            TopicWriter writer = used.writer();
            assertNotDeleted(other, ProcessHandle.current().pid());
            Topic.write(writer, "a");
            writer.close();

            TopicReader reader = used.reader();
            assertNotDeleted(other, ProcessHandle.current().pid());
            Topic.write(used.writer(), "b");
            assertThat(Topic.poll(reader, 10)).containsExactly("a", "b");
        }
        try (ChronicleTransport other = ChronicleTransport.in(directory.path())) {
            other.deleteTopics(List.of("alpha", Topic.NAME));
            assertThat(other.topics()).isEmpty();
        }
    }

    private static void assertNotDeleted(ChronicleTransport other, long process) {
        assertThatThrownBy(() -> other.deleteTopics(List.of("alpha", Topic.NAME)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("topic " + Topic.NAME, "in use by process " + process);
        assertThat(other.topics()).contains("alpha", Topic.NAME);
    }

    private void deletePastBaton() throws IOException {
        try (Stream<Path> files = Files.walk(directory.path().resolve(Topic.NAME))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Topic rolling() {
        ChronicleOptions options = Topic.SMALL.with(ChronicleOptions.ROLL, ChronicleOptions.Roll.FIVE_MINUTELY);
        return Topic.over(TestTransports.in(directory.path(), options, clock));
    }

    private TopicWriter writerBeforeItsNextFile(Topic topic, boolean hasWritten) {
        TopicWriter writer = topic.writer();
        if (hasWritten) {
            Topic.write(writer, "a");
            clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
        }
        return writer;
    }

    @Test
    void copiesOfAWrittenTopicMayBeWritten() throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            topic.transport.createTopics(List.of("copy"));
            try (Stream<Path> files = Files.list(directory.path().resolve(Topic.NAME))) {
                for (Path file : files.toList()) {
                    Path copied = directory.path().resolve("copy").resolve(file.getFileName());
                    Files.copy(file, copied, StandardCopyOption.REPLACE_EXISTING);
                }
            }

            assertThat(topic.connection.openWriter("copy").sequence()).isEqualTo(1);
            Topic.write(writer, "b");
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a", "b");
        }
    }

    @Test
    void topicsDifferingInCaseHaveAWriterEach() {
        try (Topic topic = Topic.in(directory.path())) {
            topic.writer();
            topic.transport.createTopics(List.of("ORDERS"));
            Topic.write(topic.connection.openWriter("ORDERS"), "a");
            assertThat(Topic.poll(topic.reader(), 10)).isEmpty();
        }
    }

    private void set(long number) {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                LongValue value = queue.metaStore().acquireValueFor("baton.writer.process")) {
            value.setVolatileValue(number);
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

    /** Opens a writer again and again, and writes one frame whenever it gets one. */
    static final class Contender {
        static final int FRAMES = 100;

        private Contender() {}

        public static void main(String[] arguments) {
            try (Topic topic = Topic.in(Path.of(arguments[0]))) {
                int written = 0;
                while (written < FRAMES) {
                    try (TopicWriter writer = topic.writer()) {
                        Topic.commit(writer, "frame");
                        written++;
                    } catch (OccupiedException other) {
                        Thread.onSpinWait();
                    }
                }
                System.out.println("wrote " + written);
            }
        }
    }
}
