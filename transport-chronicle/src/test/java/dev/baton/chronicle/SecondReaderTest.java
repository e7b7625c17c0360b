package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.OccupiedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A consumer has one live reader, in whatever process; that of a process that has died is not live. */
@Tag("long")
class SecondReaderTest {
    private static final long THIS_PROCESS = ProcessHandle.current().pid();

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void theSameConnectionIsRefusedUntilClose() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            assertRefused(topic.connection, THIS_PROCESS);

            reader.close();
            reader.close();
            topic.reader().abandon();
            topic.reader();
            assertRefused(topic.connection, THIS_PROCESS);
        }
    }

    @Test
    void anotherConnectionIsRefusedUntilClose() {
        try (Topic topic = Topic.in(directory.path());
                Connection another = topic.transport.connect()) {
            topic.reader();
            assertRefused(another, THIS_PROCESS);

            topic.connection.close();
            another.openReader(Topic.NAME, Topic.CONSUMER);
        }
    }

    @Test
    void anotherTransportOfTheJvmIsRefused() {
        try (Topic second = Topic.in(directory.path())) {
            try (Topic first = Topic.in(directory.path())) {
                first.reader();
                assertRefused(second.connection, THIS_PROCESS);
            }
            second.reader();
        }
    }

    @Test
    void aRefusedReaderDoesNotAffectTheOther() {
        try (Topic first = Topic.in(directory.path());
                Topic second = Topic.in(directory.path())) {
            TopicReader reader = first.reader();
            Topic.write(first.writer(), "a", "b", "c");
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            reader.acknowledge(1);
            for (int again = 0; again < 2; again++) {
                assertRefused(second.connection, THIS_PROCESS);
            }
            assertThat(Topic.poll(reader, 1)).containsExactly("b");
            reader.acknowledge(2);
            reader.close();
            assertThat(Topic.poll(second.reader(), 10)).containsExactly("c");
        }
    }

    @Test
    void otherConsumersAndOtherTopicsAreOthersPlaces() {
        try (Topic topic = Topic.in(directory.path())) {
            topic.reader();
            topic.writer();
            topic.transport.createTopics(List.of("other"));
            topic.connection.openReader(Topic.NAME, "Desk");
            topic.connection.openReader(Topic.NAME, "desk.reader");
            topic.connection.openReader("other", Topic.CONSUMER);
        }
    }

    @Test
    void anOpeningThatFailsLeavesThePlaceFree() {
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "a", "b");
            topic.reader().close();
            setSequence(7);
            for (int again = 0; again < 2; again++) {
                assertThatThrownBy(topic::reader).hasMessageContaining("has acknowledged 7");
            }
            setSequence(1);
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("b");
        }
    }

    @Test
    void numbersOfNoProcessRefuseNoReader() {
        for (long number : new long[] {-1, 1, THIS_PROCESS, Long.MAX_VALUE, 1L << 62, (1L << 62) + 1}) {
            try (Topic topic = Topic.in(directory.path())) {
                topic.reader().close();
                set(".reader", number);
                topic.reader();
            }
        }
    }

    @Test
    void anInspectorNeedsNoPlaceAndTakesNone() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            try (var inspector = topic.transport.inspect(Topic.NAME)) {
                assertThat(inspector.acknowledged()).containsExactlyEntriesOf(Map.of(Topic.CONSUMER, 0L));
                reader.close();
                topic.reader();
            }
        }
    }

    @Test
    @Tag("slow")
    void otherProcessesAreRefusedUntilTheReadersEnds() throws InterruptedException {
        try (QueueProcess child =
                QueueProcess.start(Reader.class, directory.path().toString())) {
            assertThat(child.line()).isEqualTo("reads");
            try (Topic topic = Topic.in(directory.path());
                    Topic another = Topic.in(directory.path())) {
                assertRefused(topic.connection, child.pid());
                assertRefused(another.connection, child.pid());

                child.kill();
                TopicReader reader = topic.reader();
                assertThat(Topic.poll(reader, 10)).containsExactly("b");
                assertRefused(another.connection, THIS_PROCESS);
            }
        }
    }

    @Test
    @Tag("slow")
    void contendingProcessesNeverReadAtOnce() {
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "a");
            try (QueueProcess one =
                            QueueProcess.start(Contender.class, directory.path().toString());
                    QueueProcess two =
                            QueueProcess.start(Contender.class, directory.path().toString())) {
                assertThat(one.line()).isEqualTo("read alone");
                assertThat(two.line()).isEqualTo("read alone");
            }
        }
    }

    @Test
    @Tag("slow")
    void consumersThatTwoProcessesAddAreKept() {
        try (Topic topic = Topic.in(directory.path())) {
            try (QueueProcess one =
                            QueueProcess.start(Newcomers.class, directory.path().toString());
                    QueueProcess two =
                            QueueProcess.start(Newcomers.class, directory.path().toString())) {
                assertThat(one.line()).isEqualTo("added");
                assertThat(two.line()).isEqualTo("added");
            }
            try (TopicInspector inspector = topic.transport.inspect(Topic.NAME)) {
                assertThat(inspector.acknowledged()).hasSize(2 * Newcomers.CONSUMERS);
            }
        }
    }

    private static void assertRefused(Connection connection, long process) {
        assertThatThrownBy(() -> connection.openReader(Topic.NAME, Topic.CONSUMER), "a second live reader")
                .isInstanceOf(OccupiedException.class)
                .hasMessageContainingAll("topic " + Topic.NAME, "consumer " + Topic.CONSUMER, "process " + process)
                .hasMessageContaining("close that one");
    }

    private void setSequence(long sequence) {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                var position = RawQueue.position(queue, "baton.consumer." + Topic.CONSUMER)) {
            position.set(sequence, position.index());
        }
    }

    private void set(String key, long number) {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                LongValue value = queue.metaStore().acquireValueFor("baton.consumer." + Topic.CONSUMER + key)) {
            value.setVolatileValue(number);
        }
    }

    /** Reads one of two frames and keeps the reader open until it is killed. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws InterruptedException {
            Topic topic = Topic.in(Path.of(arguments[0]));
            Topic.write(topic.writer(), "a", "b");
            TopicReader reader = topic.reader();
            Topic.poll(reader, 1);
            reader.acknowledge(1);
            System.out.println("reads");
            Thread.currentThread().join();
        }
    }

    /** Adds consumers, while another thread of its process opens and closes the topic's metadata. */
    static final class Newcomers {
        static final int CONSUMERS = 100;

        private Newcomers() {}

        public static void main(String[] arguments) {
            try (Topic topic = Topic.in(Path.of(arguments[0]));
                    Inspections inspections = new Inspections(topic)) {
                for (int i = 0; i < CONSUMERS; i++) {
                    topic.connection
                            .openReader(
                                    Topic.NAME, "of" + ProcessHandle.current().pid() + "." + i)
                            .close();
                }
                inspections.requireUnfailed();
                System.out.println("added");
            } catch (RuntimeException e) {
                System.out.println("not added: " + e);
            }
        }
    }

    /**
     * Opens a reader again and again. Meanwhile another thread of its process opens and closes the topic's metadata, which drops
     * the locks of the process on them.
     */
    static final class Contender {
        private static final int READERS = 300;

        private Contender() {}

        public static void main(String[] arguments) {
            try (Topic topic = Topic.in(Path.of(arguments[0]));
                    Inspections inspections = new Inspections(topic)) {
                String said = read(topic, Path.of(arguments[0], "held"));
                inspections.requireUnfailed();
                System.out.println(said);
            } catch (RuntimeException e) {
                System.out.println("inspection failed: " + e);
            }
        }

        private static String read(Topic topic, Path held) {
            topic.connection.openReader(
                    Topic.NAME, "of" + ProcessHandle.current().pid()); // keeps the files open
            int read = 0;
            while (read < READERS) {
                try (TopicReader reader = topic.reader()) {
                    Files.createFile(held); // fails where the other process reads
                    reader.backlog();
                    Files.delete(held);
                    read++;
                } catch (OccupiedException other) {
                    Thread.onSpinWait();
                } catch (IOException | RuntimeException e) {
                    return "read with another: " + e;
                }
            }
            return "read alone";
        }
    }

    /** A thread that inspects a topic again and again, and so opens and closes its metadata. */
    private static final class Inspections implements AutoCloseable {
        private final AtomicBoolean isDone = new AtomicBoolean();
        private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
        private final Thread thread;

        Inspections(Topic topic) {
            thread = new Thread(() -> {
                try {
                    while (!isDone.get()) {
                        try (TopicInspector inspector = topic.transport.inspect(Topic.NAME)) {
                            inspector.acknowledged();
                        }
                    }
                } catch (RuntimeException e) {
                    failure.set(e);
                }
            });
            thread.start();
        }

        /** Ends the inspections, and throws what one of them has thrown. */
        void requireUnfailed() {
            close();
            if (failure.get() != null) {
                throw failure.get();
            }
        }

        @Override
        public void close() {
            isDone.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
