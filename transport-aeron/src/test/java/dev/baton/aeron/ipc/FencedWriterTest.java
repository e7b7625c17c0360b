package dev.baton.aeron.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.TestDriver;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A writer that continues in its log after the topic was taken from it, as one may that was suspended within a flush. */
class FencedWriterTest {
    private static final int FRAME = FragmentLayout.logBytes(Long.BYTES); // bytes of the log

    private final TestDriver driver = TestDriver.start(Duration.ofMinutes(1));
    private final IpcTopics first = new IpcTopics(driver.options());
    private final IpcTopics second = new IpcTopics(driver.options());
    private final Connection suspended = first.connect();
    private final Connection connection = second.connect();
    private final Path topic = driver.directory().resolve("baton").resolve("t");
    private TopicState state;
    private TopicWriter old;
    private TopicReader reader;

    @BeforeEach
    void open() {
        first.create(List.of("t"));
        old = suspended.openWriter("t");
        reader = connection.openReader("t", "c");
        state = TopicState.map(topic.resolve(IpcTopic.STATE), false);
        write(old, 1);
    }

    @AfterEach
    void close() {
        suspended.close();
        connection.close();
        first.close();
        second.close();
        driver.close();
    }

    /** Does as if the driver had dropped the writer's process. */
    private void dropWriter() {
        state.writer(state.writer(), 0);
    }

    /** Does as if the writer had been killed before it noted more than frame 1. */
    private void forgetNotes() {
        ByteBuffer frame = ByteBuffer.allocateDirect(Frame.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        state.published(state.writers(), 1, FRAME, frame, 0, 0);
    }

    private static void write(TopicWriter writer, long value) {
        Frame frame = writer.claim(Long.BYTES);
        frame.stamp(0, 0, 0, 0, 0);
        frame.putLong(0, value);
        writer.commit(Long.BYTES);
        writer.flush();
    }

    private List<Long> read() {
        List<Long> values = new ArrayList<>();
        while (reader.poll(
                        (frame, position) -> {
                            values.add(frame.getLong(0));
                            return Verdict.DONE;
                        },
                        Integer.MAX_VALUE)
                > 0) {
            // the next log
        }
        return values;
    }

    @Test
    void itsLaterFramesAreNeitherStoredNorRead() {
        dropWriter();
        TopicWriter next = connection.openWriter("t");
        assertThatThrownBy(() -> write(old, -1))
                .isInstanceOf(ReplacedException.class)
                .hasMessageContainingAll("'t'", "taken", "sequence 2");
        assertThat(old.storedSequence()).isEqualTo(1);
        assertThat(read()).containsExactly(1L);
        write(next, 2);
        assertThat(read()).containsExactly(2L);
        assertThat(state.writer()).isNotZero();
        old.close();
        assertThat(state.writer()).as("the newer one stays").isNotZero();
    }

    @Test
    void framesReadAfterATakeoverHaveTheSameWriter() {
        write(old, 2);
        assertThat(reader.poll((frame, position) -> Verdict.DONE, 1)).isEqualTo(1);
        Incarnation writer = reader.writer();
        dropWriter();
        connection.openWriter("t");
        assertThat(read()).containsExactly(2L);
        assertThat(reader.writer()).isSameAs(writer);
    }

    @Test
    void nothingNewIsReadDuringATakeover() {
        state.beginTakeover(state.beginChange());
        assertThat(read()).isEmpty();
        dropWriter();
        TopicWriter next = connection.openWriter("t"); // the one before was killed in it
        write(next, 2);
        assertThat(read()).containsExactly(1L, 2L);
    }

    @Test
    void unrecordedFramesOfAKilledWriterAreFound() {
        write(old, 2);
        write(old, 3);
        forgetNotes();
        dropWriter();
        TopicWriter next = connection.openWriter("t");
        assertThat(next.sequence()).isEqualTo(3);
        assertThat(next.found().newest().sequence()).isEqualTo(3);
        write(next, 4);
        assertThat(read()).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void logsThatAllHaveReadAreRemoved() throws IOException {
        for (long value = 2; value <= 5; value++) {
            dropWriter();
            Connection next = value % 2 == 0 ? connection : suspended;
            write(next.openWriter("t"), value);
            assertThat(read()).endsWith(value);
            reader.acknowledge(value);
        }
        try (Stream<Path> files = Files.list(topic)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("log-")))
                    .hasSize(2);
        }
    }

    @Test
    void aChangeOfAKilledProcessEnds() {
        assertThat(state.change(0, 77)).isTrue(); // a client that the driver does not know
        assertThat(connection.openReader("t", "d").found().acknowledged()).isZero();
    }

    @Test
    void missingFramesAreReportedWithTheirNumbers() throws Exception {
        dropWriter();
        TopicWriter next = connection.openWriter("t");
        write(next, 2);
        reader.close();
        List<WriterEntry> writers = WriterEntry.read(topic, state.writers());
        WriterEntry.write(topic, state.writers(), writers.subList(1, 2));
        LogFile.unlink(topic, 0);
        assertThatThrownBy(() -> connection.openReader("t", "c"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("'t'", "lost", "frames 1 to 1", "'c'");
    }

    @Test
    void topicWhoseDeletionWasInterruptedIsCreatedAgain() {
        reader.close();
        old.close();
        state.deleter(0, 77); // by a process that was killed then
        assertThatThrownBy(() -> connection.openWriter("t")).hasMessageContaining("there is no topic 't'");
        assertThat(second.names()).isEmpty();
        assertThat(second.create(List.of("t"))).containsExactly("t");
        assertThat(connection.openWriter("t").sequence()).isZero();
    }

    @Test
    void newConsumerIsNotPassedByFloor() {
        int slot = state.add("slow");
        write(old, 2);
        read();
        reader.acknowledge(2);
        assertThat(state.raiseFloor()).isEqualTo(state.heldFrom(slot)).isZero();
        state.heldFrom(slot, 96);
        assertThat(state.raiseFloor()).isEqualTo(96);
        assertThat(state.heldFrom(state.add("later"))).isEqualTo(96);
    }

    @Test
    void noTwoWritersShareALog() {
        dropWriter();
        connection.openWriter("t"); // writes nothing
        assertThat(read()).containsExactly(1L);
        dropWriter();
        write(suspended.openWriter("t"), 2);
        assertThat(read()).containsExactly(2L);
    }

    @Test
    void anUnnotedFirstFlushIsFound() {
        dropWriter();
        write(connection.openWriter("t"), 2);
        assertThat(read()).containsExactly(1L, 2L);
        forgetNotes();
        dropWriter();
        TopicWriter next = suspended.openWriter("t");
        assertThat(next.sequence()).isEqualTo(2);
        write(next, 3);
        assertThat(read()).containsExactly(3L);
    }

    @Test
    void aLogThatWasLeftIsNotReplaced() throws IOException {
        dropWriter();
        Path left = topic.resolve(
                LogFile.PREFIX + 2 * AeronOptions.LEAST_TERM); // by one that was killed before it was the writer
        Files.createFile(left);
        write(connection.openWriter("t"), 2);
        assertThat(read()).containsExactly(1L, 2L);
        assertThat(left).doesNotExist();
    }

    @Test
    void aConsumerAddedDuringATakeoverReadsAll() {
        state.beginTakeover(state.beginChange());
        assertThat(connection.openReader("t", "d").found().acknowledged()).isZero();
    }

    @Test
    void aSuspendedTakeoverDoesNotEnd() {
        long suspendedBefore = state.beginChange();
        long suspendedIn = state.beginChange();
        assertThat(state.beginTakeover(suspendedIn)).isTrue();
        dropWriter();
        TopicWriter next = connection.openWriter("t");
        assertThat(state.beginTakeover(suspendedBefore)).isFalse();
        assertThat(state.endTakeover(suspendedIn)).isFalse();
        state.abandonTakeover(suspendedIn);
        write(next, 2);
        assertThat(read()).containsExactly(1L, 2L);
    }

    @Test
    void aReplacedWriterOverwritesNoNote() {
        int list = state.writers();
        dropWriter();
        write(connection.openWriter("t"), 2);
        ByteBuffer frame = ByteBuffer.allocateDirect(Frame.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int slot = 0; slot < 2; slot++) { // whichever is next
            state.published(list, 1, FRAME, frame, 0, 0); // it had compared the number before
        }
        assertThat(state.published()).isEqualTo(2);
        dropWriter();
        assertThat(suspended.openWriter("t").found().newest().sequence()).isEqualTo(2);
    }

    @Test
    void readersContinueAfterAFailedTakeover() throws IOException {
        long next = state.beginChange() + (1L << Integer.SIZE);
        Files.createDirectory(topic.resolve(WriterEntry.PREFIX + TopicState.nextList(next)));
        dropWriter();
        assertThatThrownBy(() -> connection.openWriter("t"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("'t'", "cannot be opened for writing");
        assertThat(read()).containsExactly(1L);
        assertThat(state.writer()).isZero();
        assertThat(LogFile.exists(topic, 2 * AeronOptions.LEAST_TERM)).isFalse();
        write(connection.openWriter("t"), 2);
        assertThat(read()).containsExactly(2L);
    }

    @Test
    void aReaderFindsFramesThatAreNotNoted() {
        write(old, 2);
        write(old, 3);
        forgetNotes();
        assertThat(connection.openReader("t", "d").found().newest()).isEqualTo(3);
        assertThat(read()).containsExactly(1L, 2L, 3L);
        assertThat(reader.backlog()).isZero();
    }

    @Test
    void aConsumerThatWasHalfAddedIsCompleted() {
        int slot = state.add("slow");
        state.heldFrom(slot, 0);
        write(old, 2);
        state.floor(FRAME);
        assertThat(connection.openReader("t", "slow").found().acknowledged()).isEqualTo(1);
        assertThat(state.heldFrom(slot)).isEqualTo(FRAME);
    }

    /** Takes a topic over of which all is acknowledged, so that its first log is in no list, and returns the writer. */
    private TopicWriter takeOverThrice(Connection third) {
        TopicWriter next = null;
        for (Connection each : List.of(connection, third, connection)) {
            dropWriter();
            next = each.openWriter("t"); // the ones before write nothing
        }
        return next;
    }

    @Test
    void aReaderLeavesAnUnlistedLog() {
        IpcTopics others = new IpcTopics(driver.options());
        try (Connection third = others.connect()) {
            assertThat(read()).containsExactly(1L);
            reader.acknowledge(1);
            write(takeOverThrice(third), 2);
            assertThat(read()).containsExactly(2L);
        } finally {
            others.close();
        }
    }

    @Test
    void framesOfAnUnlistedLogAreNotRead() {
        IpcTopics others = new IpcTopics(driver.options());
        try (Connection third = others.connect()) {
            assertThat(read()).containsExactly(1L);
            reader.acknowledge(1);
            TopicWriter next = takeOverThrice(third);
            assertThatThrownBy(() -> write(old, -1)).isInstanceOf(ReplacedException.class);
            assertThat(read()).isEmpty();
            write(next, 2);
            assertThat(read()).containsExactly(2L);
        } finally {
            others.close();
        }
    }

    @Test
    void aRefusedFrameThatWasAcknowledgedIsLeft() {
        for (long value = 2; value <= 3; value++) { // in one fragment
            Frame frame = old.claim(Long.BYTES);
            frame.stamp(0, 0, 0, 0, 0);
            frame.putLong(0, value);
            old.commit(Long.BYTES);
        }
        old.flush();
        reader.poll((frame, position) -> position < 3 ? Verdict.DONE : Verdict.RETRY, Integer.MAX_VALUE);
        reader.acknowledge(3);
        IpcTopics others = new IpcTopics(driver.options());
        try (Connection third = others.connect()) {
            write(takeOverThrice(third), 4);
            assertThat(read()).containsExactly(4L);
        } finally {
            others.close();
        }
    }

    @Test
    void missingLogIsReportedAndItsConsumerReleased() throws IOException {
        reader.close();
        LogFile.unlink(topic, 0);
        assertThatThrownBy(() -> connection.openReader("t", "c"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("log-0", "'t'", "cannot be mapped");
        assertThat(state.reader(state.find("c"))).isZero();
        assertThatThrownBy(() -> connection.openReader("t", "d")).isInstanceOf(TransportException.class);
        assertThat(state.find("d")).isNegative();
    }

    @Test
    void deletionAwaitsTheRefusalOfAnother() throws Exception {
        reader.close();
        old.close();
        IpcTopic retired = first.topic("t");
        assertThat(retired.retire()).isTrue(); // as the first one of several
        CompletableFuture<Void> deletion = CompletableFuture.runAsync(() -> second.delete(List.of("t")));
        assertThatThrownBy(() -> deletion.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        retired.restore(); // as another one of them is in use
        deletion.get(10, TimeUnit.SECONDS);
        assertThat(first.names()).isEmpty();
    }

    @Test
    void topicsDeletedByAnotherProcessAreClosed() {
        reader.close();
        old.close();
        IpcTopic known = first.topic("t");
        second.delete(List.of("t"));
        assertThatThrownBy(() -> first.topic("v")).hasMessageContaining("there is no topic 'v'");
        assertThat(known.begin()).as("its log").isNegative();
    }

    @Test
    void aReplacedReaderReceivesNothing() {
        int slot = state.find("c");
        state.reader(slot, state.reader(slot), 0);
        TopicReader next = suspended.openReader("t", "c");
        assertThatThrownBy(this::read)
                .isInstanceOf(ReplacedException.class)
                .hasMessageContainingAll("'c'", "'t'", "taken over");
        reader.close();
        assertThat(state.reader(slot)).as("the newer one stays").isNotZero();
        reader = next;
        assertThat(read()).containsExactly(1L);
    }

    @Test
    void aNewConsumerBeginsBehindPadding() {
        int perTerm = AeronOptions.LEAST_TERM / FRAME;
        assertThat(perTerm * FRAME).isLessThan(AeronOptions.LEAST_TERM);
        for (long value = 2; value <= perTerm + 2; value++) {
            read();
            if (value <= perTerm + 1) {
                reader.acknowledge(value - 1);
            }
            while (old.remainingCapacity(Long.BYTES) == 0) {
                Thread.onSpinWait();
            }
            write(old, value);
        }
        state.floor((long) perTerm * FRAME);
        assertThat(connection.openReader("t", "d").found().acknowledged()).isEqualTo(perTerm);
    }
}
