package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.platform.Boot;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lock file is removed while a process writes and reads: there is never a second writer, or reader of a consumer. */
@Timeout(60)
class RemovedLockFileTest {
    /** Runs a command in a PID namespace of its own, from where no lock of another process is listed. */
    private static final List<String> ELSEWHERE =
            List.of("unshare", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc");

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    @Tag("slow")
    void otherProcessesAreRefusedWithoutTheLockFile() throws IOException {
        try (QueueProcess owner =
                QueueProcess.start(IdleOwner.class, directory.path().toString())) {
            assertThat(owner.line()).isEqualTo("opened");
            Files.delete(lockFile());

            try (Topic topic = Topic.in(directory.path())) {
                assertThatThrownBy(topic::writer)
                        .isInstanceOf(OccupiedException.class)
                        .hasMessageContaining("process " + owner.pid());
                assertThatThrownBy(topic::reader)
                        .isInstanceOf(OccupiedException.class)
                        .hasMessageContaining("process " + owner.pid());
            }
        }
    }

    @Test
    @Tag("slow")
    void theOwnerEndsWhenAnotherProcessTakesOver() throws IOException, InterruptedException {
        requireNamespaces();
        try (Topic topic = Topic.over(TestTransports.in(directory.path(), Topic.SMALL, clock))) {
            TopicWriter writer = topic.writer();
            TopicReader reader = topic.reader();
            Topic.write(writer, "a");
            Files.delete(lockFile());
            try (QueueProcess other = QueueProcess.startBy(
                    ELSEWHERE, WritingOwner.class, directory.path().toString())) {
                assertThat(other.line()).isEqualTo("wrote 2");

                Topic.commit(writer, "never stored");
                assertThatThrownBy(writer::flush)
                        .isInstanceOf(ReplacedException.class)
                        .hasMessageContainingAll("topic " + Topic.NAME, "has taken it over", ".writers.lock");
                assertThatThrownBy(() -> writer.claim(1)).isInstanceOf(ReplacedException.class);
                assertThatThrownBy(() -> Topic.poll(reader, 10)).isInstanceOf(ReplacedException.class);
                assertThat(other.line()).isEqualTo("wrote 3");
            }
            writer.close();
            reader.close();
            assertThat(Topic.poll(topic.connection.openReader(Topic.NAME, "audit"), 10))
                    .startsWith("a", "from the other", "from the other");
        }
    }

    private static void requireNamespaces() throws IOException, InterruptedException {
        List<String> probe = new ArrayList<>(ELSEWHERE);
        probe.add("true");
        boolean canBeMade = Programs.isInstalled("unshare")
                && new ProcessBuilder(probe).inheritIO().start().waitFor() == 0;
        Programs.require(canBeMade, "no PID namespace can be made here with unshare(1)");
    }

    @Test
    void aWriterLocksAReplacedLockFile() throws IOException {
        try (Topic topic = Topic.over(TestTransports.in(directory.path(), Topic.SMALL, clock))) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            Files.delete(lockFile());
            clock.advanceMillis(1_000);
            Topic.write(writer, "b");

            assertThat(lockFile()).exists();
            assertThat(OpenFiles.descriptorsBelow(directory.path()))
                    .as("channels of lock files")
                    .filteredOn(file -> file.contains(".writers.lock"))
                    .containsExactly("descriptor " + lockFile().toRealPath());
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("a", "b");
        }
    }

    @Test
    void writersEndWithoutALockFile() throws IOException {
        try (Topic topic = Topic.over(TestTransports.in(directory.path(), Topic.SMALL, clock))) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            Files.delete(lockFile());
            Files.createDirectory(lockFile());
            clock.advanceMillis(1_000);
            Topic.commit(writer, "b");

            TransportException failure = catchThrowableOfType(TransportException.class, writer::flush);
            assertThat(failure).hasMessageContainingAll("cannot keep locks", ".writers.lock was removed or replaced");
            assertThat(writer.storedSequence()).isEqualTo(1);
            assertThatThrownBy(() -> writer.claim(1)).hasMessageContaining("cannot keep locks");
            writer.close();
            Files.delete(lockFile());
            assertThat(topic.writer().sequence()).isEqualTo(1);
        }
    }

    @Test
    void aReplacedWriterAddsNothingToTheHistory() throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            takeOver("baton.writer.process");
            byte[] before = Files.readAllBytes(history());

            assertThatThrownBy(() -> writer.answers(new InputRef(1, 2))).isInstanceOf(ReplacedException.class);
            assertThat(Files.readAllBytes(history())).isEqualTo(before);
            assertThatThrownBy(() -> writer.claim(1)).isInstanceOf(ReplacedException.class);
        }
    }

    @Test
    void replacedWriterLeavesTheRecordedEnd() {
        try (Topic topic = Topic.in(directory.path(), Topic.SMALL.with(ChronicleOptions.DURABILITY, Durability.HOST))) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            takeOver("baton.writer.process");
            try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                    StoredPosition end = RawQueue.position(queue, StoredMetadata.END)) {
                end.set(5, Boot.SYNCED); // by the other process, which has written further
                writer.close();

                assertThat(end.read()).isTrue();
                assertThat(end.sequence()).isEqualTo(5);
                assertThat(end.index()).as("the other is open").isEqualTo(Boot.SYNCED);
            }
        }
    }

    @Test
    void aReplacedReaderAcknowledgesNothing() {
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "a");
            TopicReader reader = topic.reader();
            Topic.poll(reader, 1);
            takeOver("baton.consumer.desk.reader");

            assertThatThrownBy(() -> reader.acknowledge(1)).isInstanceOf(ReplacedException.class);
            reader.close();
            takeOver("baton.consumer.desk.reader", 0);
            assertThat(topic.reader().found().acknowledged()).isZero();
        }
    }

    private Path lockFile() {
        return directory.path().resolve(".writers.lock");
    }

    private Path history() {
        return directory.path().resolve(Topic.NAME).resolve(TopicHistory.FILE);
    }

    private void takeOver(String key) {
        takeOver(key, 1L << 62 | 4711L << 29);
    }

    private void takeOver(String key, long number) {
        try (SingleChronicleQueue queue = RawQueue.of(directory.path());
                LongValue value = queue.metaStore().acquireValueFor(key)) {
            value.setVolatileValue(number);
        }
    }

    /** Has a writer and a reader, and does nothing until it is killed. */
    static final class IdleOwner {
        private IdleOwner() {}

        public static void main(String[] arguments) throws InterruptedException {
            Topic topic = Topic.in(Path.of(arguments[0]));
            topic.writer();
            topic.reader();
            System.out.println("opened");
            Thread.currentThread().join();
        }
    }

    /** Opens a writer and a reader, and writes a frame now and then until it is killed. */
    static final class WritingOwner {
        private WritingOwner() {}

        public static void main(String[] arguments) {
            Topic topic = Topic.in(Path.of(arguments[0]));
            topic.reader();
            TopicWriter writer = topic.writer();
            while (true) {
                Topic.write(writer, "from the other");
                System.out.println("wrote " + writer.storedSequence());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }
}
