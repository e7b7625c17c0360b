package dev.baton.aeron.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.TestDriver;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A writer that continues in its log after the topic was taken from it, as one may that was suspended within a flush. */
class FencedWriterTest {
    private final TestDriver driver = TestDriver.start(Duration.ofMinutes(1));
    private final SharedTopics first = new SharedTopics(driver.options());
    private final SharedTopics second = new SharedTopics(driver.options());
    private final Connection suspended = first.connect();
    private final Connection connection = second.connect();
    private TopicState state;
    private TopicWriter old;
    private TopicReader reader;

    @BeforeEach
    void open() {
        first.create(List.of("t"));
        old = suspended.openWriter("t");
        reader = connection.openReader("t", "c");
        state = TopicState.map(Path.of(driver.directory().toString(), "baton", "t", SharedTopic.STATE));
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
        state.writer(0); // as if the driver had dropped its process
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
    void nothingNewIsReadDuringATakeover() {
        state.writers(state.writers() | 1);
        assertThat(read()).isEmpty();
        state.writer(0);
        TopicWriter next = connection.openWriter("t"); // the one before was killed in it
        write(next, 2);
        assertThat(read()).containsExactly(1L, 2L);
    }

    @Test
    void framesThatAKilledWriterHasNotNotedAreFound() {
        write(old, 2);
        write(old, 3);
        ByteBuffer frame = ByteBuffer.allocateDirect(Frame.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        state.published(1, 0, frame, 0, 0); // as it was before
        state.writer(0);
        TopicWriter next = connection.openWriter("t");
        assertThat(next.sequence()).isEqualTo(3);
        assertThat(next.found().newest().sequence()).isEqualTo(3);
        write(next, 4);
        assertThat(read()).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void logsThatAllHaveReadAreRemoved() throws IOException {
        for (long value = 2; value <= 5; value++) {
            state.writer(0);
            Connection next = value % 2 == 0 ? connection : suspended;
            write(next.openWriter("t"), value);
            assertThat(read()).endsWith(value);
            reader.acknowledge(value);
        }
        try (Stream<Path> files = Files.list(Path.of(driver.directory().toString(), "baton", "t"))) {
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
        state.writer(0);
        TopicWriter next = connection.openWriter("t");
        write(next, 2);
        reader.close();
        Path topic = Path.of(driver.directory().toString(), "baton", "t");
        List<WriterEntry> writers = WriterEntry.read(topic);
        WriterEntry.write(topic, writers.subList(1, 2));
        LogFile.unlink(topic, 0);
        assertThatThrownBy(() -> connection.openReader("t", "c"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("'t'", "lost", "frames 1 to 1", "'c'");
    }

    @Test
    void aTopicWhoseDeletionWasInterruptedIsCreatedAgain() {
        reader.close();
        old.close();
        state.deleter(77); // by a process that was killed then
        assertThatThrownBy(() -> connection.openWriter("t")).hasMessageContaining("there is no topic 't'");
        assertThat(second.create(List.of("t"))).containsExactly("t");
        assertThat(connection.openWriter("t").sequence()).isZero();
    }

    @Test
    void aNewConsumerIsNotPassedByTheFloor() {
        int slot = state.add("slow");
        write(old, 2);
        read();
        reader.acknowledge(2);
        assertThat(state.raiseFloor()).isEqualTo(state.heldFrom(slot)).isZero();
        state.heldFrom(slot, 96);
        assertThat(state.raiseFloor()).isEqualTo(96);
        assertThat(state.heldFrom(state.add("later"))).isEqualTo(96);
    }
}
