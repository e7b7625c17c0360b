package dev.baton.aeron.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.StagingPool;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import io.aeron.ErrorCode;
import io.aeron.exceptions.RegistrationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class IpcTopicsTest {
    @TempDir
    Path directory;

    @Test
    void aConsumerWithoutAReaderHoldsNoFrames() {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        try (Connection connection = topics.connect()) {
            topics.create(List.of("t"));
            IpcTopic topic = topics.topic("t");
            topic.withdraw(topic.openConsumer("failed"));
            TopicWriter writer = connection.openWriter("t");
            writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
            writer.commit(Long.BYTES);
            writer.flush();

            List<Long> received = new ArrayList<>();
            TopicReader reader = connection.openReader("t", "c");
            while (received.isEmpty()) {
                reader.poll(
                        (frame, position) -> {
                            received.add(frame.sequence());
                            return Verdict.DONE;
                        },
                        1);
            }
            assertThat(received).containsExactly(1L);
            reader.acknowledge(1);
            reader.close();
            // One that had a reader keeps what it needs, although opening it again failed.
            topic.withdraw(topic.openConsumer("c"));
            assertThat(connection.openReader("t", "c").found().acknowledged()).isEqualTo(1);
            assertThat(topic.forgetConsumer("failed")).isFalse();
        } finally {
            topics.close();
        }
    }

    @Test
    void framesAfterARewindAnswerTheNewestInput() {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        try (Connection connection = topics.connect()) {
            topics.create(List.of("t"));
            TopicWriter writer = connection.openWriter("t");
            for (long input = 1; input <= 2; input++) {
                writer.answers(new InputRef(7, input));
                writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
                writer.commit(Long.BYTES);
            }
            writer.rewind(0);
            writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
            writer.commit(Long.BYTES);
            writer.close();
            assertThat(connection.openWriter("t").found().input()).isEqualTo(new InputRef(7, 2));
        } finally {
            topics.close();
        }
    }

    @Test
    void aNewConsumerBeginsBehindPadding() {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        try (Connection connection = topics.connect()) {
            topics.create(List.of("t"));
            TopicWriter writer = connection.openWriter("t");
            TopicReader reader = connection.openReader("t", "c");
            long perTerm = AeronOptions.LEAST_TERM / FragmentLayout.logBytes(Long.BYTES);
            for (long sequence = 1; sequence <= perTerm + 2; sequence++) {
                writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
                writer.commit(Long.BYTES);
                writer.flush();
                if (sequence <= perTerm) {
                    reader.poll((frame, position) -> Verdict.DONE, 1);
                    reader.acknowledge(sequence);
                }
            }
            assertThat(topics.topic("t").giveRoom()).isPositive();
            assertThat(connection.openReader("t", "d").found().acknowledged()).isEqualTo(perTerm);
        } finally {
            topics.close();
        }
    }

    @Test
    void newConsumersKnowTheWritersOfKeptFrames() {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults().with(AeronOptions.DIRECTORY, directory));
        try (Connection connection = topics.connect()) {
            topics.create(List.of("t"));
            TopicReader reader = connection.openReader("t", "c");
            List<Incarnation> wrote = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
                TopicWriter writer = connection.openWriter("t");
                wrote.add(writer.incarnation());
                writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
                writer.commit(Long.BYTES);
                writer.close();
                reader.poll((frame, position) -> Verdict.DONE, 1);
                reader.acknowledge(i);
            }
            TopicReader late = connection.openReader("t", "late");
            assertThat(late.found().acknowledged()).isZero();
            List<Incarnation> read = new ArrayList<>();
            while (late.poll(
                            (frame, position) -> {
                                read.add(late.writer());
                                return Verdict.DONE;
                            },
                            4)
                    > 0) {}
            assertThat(read).isEqualTo(wrote);
        } finally {
            topics.close();
        }
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void writerDoesNotWaitForCreationOfTopics() throws InterruptedException {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        try (Connection connection = topics.connect()) {
            topics.create(List.of("t"));
            TopicWriter writer = connection.openWriter("t");
            TopicReader reader = connection.openReader("t", "c");
            fill(writer);
            while (reader.poll((frame, position) -> Verdict.DONE, Integer.MAX_VALUE) > 0) {}
            reader.acknowledge(writer.sequence());

            TopicDriver driver = topics.topic("t").driver;
            CountDownLatch isHeld = new CountDownLatch(1);
            CountDownLatch isOver = new CountDownLatch(1);
            Thread creating = new Thread(() -> driver.release(
                    () -> { // under the lock, as while a log is created
                        isHeld.countDown();
                        try {
                            isOver.await();
                        } catch (InterruptedException ended) {
                            Thread.currentThread().interrupt();
                        }
                    }));
            creating.start();
            isHeld.await();
            assertThat(writer.claim(Long.BYTES)).isNull();
            isOver.countDown();
            creating.join();
            assertThat(writer.claim(Long.BYTES)).isNotNull();
        } finally {
            topics.close();
        }
    }

    @Test
    void refusedRoomIsRequestedAgain() {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        try {
            topics.create(List.of("t"));
            IpcTopic topic = topics.topic("t");
            FullTopic full = new FullTopic(topic);
            IpcTopic.Place place = full.openWriter("", Long.BYTES);
            TopicWriter writer = new IpcWriter(full, place, new StagingPool(), Long.BYTES, closed -> {});
            fill(writer);
            assertThat(full.asked).isZero();
            full.needed =
                    TopicStream.window(topic.state.termLength()); // and a consumer is added before that much is given
            assertThat(writer.claim(Long.BYTES)).isNull();
            assertThat(full.asked).isEqualTo(1);
            assertThat(writer.claim(Long.BYTES)).isNull();
            assertThat(full.asked).isEqualTo(2);
            writer.close();
        } finally {
            topics.close();
        }
    }

    /** Gives no room. */
    private static final class FullTopic extends IpcTopic {
        private long needed;
        private int asked;

        FullTopic(IpcTopic topic) {
            super(topic.name, topic.path, topic.state, topic.driver);
        }

        @Override
        long heldFrom() {
            return needed;
        }

        @Override
        long giveRoom() {
            asked++;
            return 0;
        }
    }

    private static void fill(TopicWriter writer) {
        for (Frame frame = writer.claim(Long.BYTES); frame != null; frame = writer.claim(Long.BYTES)) {
            frame.stamp(0, 0, 0, 0, 0);
            writer.commit(Long.BYTES);
            writer.flush();
        }
    }

    @Test
    void manyTopicsAreSpreadOverSeveralDrivers() throws IOException {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        List<String> names = IntStream.rangeClosed(0, EmbeddedDriver.MOST_TOPICS)
                .mapToObj(number -> String.format(Locale.ROOT, "t-%03d", number))
                .toList();
        String last = names.get(EmbeddedDriver.MOST_TOPICS);
        topics.create(names);
        assertThat(embedded(topics, last).size()).isEqualTo(1);
        assertThat(embedded(topics, names.get(0)).size()).isEqualTo(EmbeddedDriver.MOST_TOPICS);

        topics.delete(List.of(names.get(0)));
        topics.create(List.of("another"));
        assertThat(topics.topic("another").driver).isSameAs(topics.topic(names.get(1)).driver);
        topics.close();
        assertThat(Files.list(directory)).isEmpty();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "blocks are counted by stat, and /dev/full is Linux's")
    void embeddedLogsHaveAllPagesBeforeTheFirstMessage() throws Exception {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, 4 * AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        topics.create(List.of("a"));
        IpcTopic topic = topics.topic("a");
        Path log = LogFile.path(
                topic.driver.directory(),
                topic.openWriter("", Long.BYTES).publication().originalRegistrationId());
        Process stat = new ProcessBuilder("stat", "-c", "%b %B", log.toString()).start();
        String[] blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .trim()
                .split(" ");
        assertThat(Long.parseLong(blocks[0]) * Long.parseLong(blocks[1])).isGreaterThanOrEqualTo(Files.size(log));
        topics.close();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "blocks are counted by stat, and /dev/full is Linux's")
    void logWithoutSpaceIsNoticedBeforeItsUse() {
        assertThatThrownBy(() -> LogFile.takePages(Path.of("/dev/full"), AeronOptions.LEAST_TERM))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left");
    }

    @Test
    void embeddedDriverStartsNoThread() throws InterruptedException {
        ThreadGroup group = new ThreadGroup("opener"); // also of the threads that its threads start
        CompletableFuture<Integer> threads = new CompletableFuture<>();
        Thread opener = new Thread(group, () -> {
            IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                    .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                    .with(AeronOptions.DIRECTORY, directory));
            topics.create(List.of("a"));
            threads.complete(group.activeCount());
            topics.close();
        });
        opener.start();
        assertThat(threads).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(1);
        opener.join(Duration.ofSeconds(30).toMillis());
        assertThat(opener.isAlive()).isFalse();
    }

    private static EmbeddedDriver embedded(IpcTopics topics, String name) {
        return (EmbeddedDriver) topics.topic(name).driver;
    }

    @Test
    void aFailedStartOfAnotherDriverIsReported() throws IOException {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        topics.create(List.of("a"));
        EmbeddedDriver full = embedded(topics, "a");
        for (int i = 1; i < EmbeddedDriver.MOST_TOPICS; i++) {
            full.add(topics.topic("a"));
        }
        String used = full.directory().toString(); // with a number at its end
        int number = Integer.parseInt(used.substring(used.lastIndexOf('-') + 1));
        String next = used.substring(0, used.lastIndexOf('-') + 1) + (number + 1);
        Files.createSymbolicLink(Path.of(next), directory.resolve("missing").resolve("d"));
        assertThatThrownBy(() -> topics.create(List.of("b")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("no media driver could be started");
        assertThat(topics.names()).containsExactly("a");
        topics.close();
    }

    @Test
    void interruptedThreadsStartDrivers() {
        Thread.currentThread().interrupt();
        try {
            new IpcTopics(AeronOptions.defaults().with(AeronOptions.DIRECTORY, directory)).close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aRefusedDeletionKeepsTheTopic() {
        withTopic((connection, topics) -> {
            TopicWriter writer = connection.openWriter("t");
            write(writer);
            writer.close();
            IpcTopic topic = topics.topic("t");
            topic.retire();
            assertThatThrownBy(() -> topics.topic("t")).hasMessageContaining("there is no topic 't'");
            topic.restore();
            assertThat(connection.openWriter("t").sequence()).isEqualTo(1);
        });
    }

    @Test
    void writersWithoutFramesLeaveNoEntry() {
        withTopic((connection, topics) -> {
            write(connection.openWriter("t")); // not acknowledged by a consumer
            IpcTopic topic = topics.topic("t");
            for (int i = 0; i < 5; i++) {
                topic.closeWriter();
                assertThat(connection.openWriter("t").sequence()).isEqualTo(1);
            }
            assertThat(WriterEntry.read(topic.path, topic.state.writers())).hasSize(2);
        });
    }

    @Test
    void flushedFramesAreReadDuringATakeover() {
        withTopic((connection, topics) -> {
            TopicReader reader = connection.openReader("t", "c");
            TopicWriter writer = connection.openWriter("t");
            write(writer);
            assertThat(reader.poll((frame, position) -> Verdict.DONE, 1)).isEqualTo(1);
            write(writer);
            TopicState state = topics.topic("t").state;
            state.beginTakeover(state.beginChange());
            assertThat(reader.poll((frame, position) -> Verdict.DONE, 1)).isEqualTo(1);
        });
    }

    @Test
    void manyInputsOfOneFlushAreKept() {
        withTopic((connection, topics) -> {
            TopicWriter writer = connection.openWriter("t");
            writer.answers(new InputRef(7, 1));
            write(writer);
            for (int input = 2; input <= 6; input++) { // their frames are never flushed
                writer.answers(new InputRef(7, input));
                writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
                writer.commit(Long.BYTES);
            }
            topics.topic("t").closeWriter();
            assertThat(connection.openWriter("t").found().input()).isEqualTo(new InputRef(7, 1));
        });
    }

    @Test
    void blankConsumerNamesAreRefused() {
        withTopic((connection, topics) -> assertThatThrownBy(() -> connection.openReader("t", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'t'", "consumer name must not be blank"));
    }

    private void withTopic(BiConsumer<Connection, IpcTopics> test) {
        IpcTopics topics = new IpcTopics(AeronOptions.defaults()
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.DIRECTORY, directory));
        try (Connection connection = topics.connect()) {
            topics.create(List.of("t"));
            test.accept(connection, topics);
        } finally {
            topics.close();
        }
    }

    private static void write(TopicWriter writer) {
        writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
        writer.commit(Long.BYTES);
        writer.flush();
    }

    @Test
    void directoriesWithoutSpaceAreRefused() {
        assertThatThrownBy(() -> EmbeddedDriver.checkSpace(directory, 20 << 20, (45 << 20) - 1))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver-dir=" + directory, "20m bytes free", "takes 45m", "another directory");
    }

    @Test
    void refusalsForLackOfSpaceNameTheRemedies() {
        RegistrationException full = new RegistrationException(1, 12, ErrorCode.STORAGE_SPACE, "usable=0 in /dev/shm");
        assertThat(TopicDriver.refused("create topic 't'", full, EmbeddedDriver.MORE_MEMORY))
                .hasMessageContainingAll("create topic 't'", "usable=0", "term-length", "driver-dir");
        assertThat(TopicDriver.refused("create topic 't'", full, DriverClient.moreMemory("a topic")))
                .hasMessageContainingAll("usable=0", "where the media driver has its directory", "a topic takes three");
        assertThat(TopicDriver.refused(
                        "create topic 't'", new IllegalStateException("another"), EmbeddedDriver.MORE_MEMORY))
                .hasMessage("Aeron cannot create topic 't': another");
    }
}
