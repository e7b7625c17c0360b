package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicWriter;
import dev.baton.tck.harness.OtherThread;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract on batches: committed frames become visible at the flush, and can be rewound until then. */
public abstract class BatchTck extends TransportTck {
    private static final int MOST_FRAMES = 500;

    /** Called by the test of a transport. */
    protected BatchTck() {}

    @Test
    void nothingIsVisibleBeforeTheFlush() {
        TopicProbe topic = openTopic();
        topic.commit("a", "b");
        turns().settle(fixture().settle());
        Recorder early = new Recorder();
        topic.reader().poll(early, 10);
        assertThat(early.texts()).isEmpty();
        assertThat(topic.writer().storedSequence()).isZero();

        topic.writer().flush();
        assertThat(topic.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void flushedBatchIsVisibleAtTheFirstPoll() {
        assumeTrue(
                transport().guarantees().contains(Guarantee.IMMEDIATE), "this transport does not guarantee IMMEDIATE");
        TopicProbe topic = openTopic();
        for (String text : List.of("a", "b", "c")) {
            topic.write(text, text);
            Recorder first = new Recorder();
            topic.reader().poll(first, 10);
            assertThat(first.texts())
                    .as("frames at the first poll after their flush")
                    .containsExactly(text, text);
        }
    }

    @Test
    void flushOfOtherThreadIsVisibleWithoutTurns() throws Exception {
        assumeFalse(connection().needsTurns(), "loops give its connections turns");
        TopicProbe topic = newTopic();
        topic.reader();
        OtherThread.call("tck-writer", () -> {
            try (Connection mine = transport().connect()) {
                new TopicProbe(topic.name(), mine, new Turns(fixture().longestWait(), mine)).write("a", "b", "c");
            }
            return null;
        });
        Recorder first = new Recorder();
        topic.reader().poll(first, 10);
        assertThat(first.texts())
                .as("frames at the first poll after the flush of another thread, without a turn of a connection that"
                        + " needs none")
                .containsExactly("a", "b", "c");
        assertThat(connection().doWork())
                .as("work of a connection that needs no turns")
                .isZero();
    }

    @Test
    void theSequenceIsGivenAtCommit() {
        TopicProbe topic = openTopic();
        long first = topic.commit(new byte[1], 0, 0, 0, 0, 0);
        long second = topic.commit(new byte[1], 0, 0, 0, 0, 0);

        assertThat(first).isEqualTo(1);
        assertThat(second).isEqualTo(2);
        assertThat(topic.writer().sequence()).isEqualTo(2);
    }

    @Test
    void aFlushWithoutCommitsDoesNothing() {
        TopicProbe topic = openTopic();
        topic.writer().flush();
        topic.writer().flush();
        topic.write("a");
        topic.writer().flush();
        topic.write("b");

        assertThat(topic.read(2).sequences()).containsExactly(1L, 2L);
    }

    @Test
    void aBatchThatFillsTheRoomArrivesWhole() {
        TopicProbe topic = openTopic();
        int frames = Math.min(topic.writer().remainingCapacity(), MOST_FRAMES);
        for (int i = 1; i <= frames; i++) {
            topic.commit("frame " + i);
        }
        topic.writer().flush();
        topic.awaitStored();

        Recorder read = topic.read(frames);
        assertThat(read.sequences())
                .as("sequences of a batch of %d frames", frames)
                .isEqualTo(LongStream.rangeClosed(1, frames).boxed().toList());
        assertThat(read.texts().get(frames - 1)).isEqualTo("frame " + frames);
    }

    @Test
    void aFlushedFrameIsStoredInTheEnd() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.awaitStored();

        assertThat(topic.writer().storedSequence()).isEqualTo(3);
    }

    @Test
    void aFrameWithoutFlushIsNotStored() {
        TopicProbe topic = openTopic();
        topic.write("a");
        topic.awaitStored();
        topic.commit("b");
        turns().settle(fixture().settle());

        assertThat(topic.writer().storedSequence()).isEqualTo(1);
    }

    @Test
    void rewindTakesBackWhatWasNotFlushed() {
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        topic.write("a");
        topic.commit("b", "wrong", "wrong too");
        writer.rewind(2);
        assertThat(writer.sequence()).isEqualTo(2);

        topic.write("c");
        Recorder read = topic.read(3);
        assertThat(read.texts()).containsExactly("a", "b", "c");
        assertThat(read.sequences()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void rewindToTheLastFlushTakesBackAll() {
        TopicProbe topic = openTopic();
        topic.write("a");
        topic.commit("wrong");
        topic.writer().rewind(1);
        topic.writer().flush();
        topic.write("b");

        assertThat(topic.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void rewindTakesBackTheFirstFrame() {
        TopicProbe topic = openTopic();
        topic.commit("wrong");
        topic.writer().rewind(0);
        assertThat(topic.writer().sequence()).isZero();
        topic.write("a");

        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    @Test
    void rewindToTheNewestSequenceDoesNothing() {
        TopicProbe topic = openTopic();
        topic.commit("a", "b");
        topic.writer().rewind(2);
        topic.writer().flush();

        assertThat(topic.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void rewindBeforeTheLastFlushIsRefused() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.commit("c");

        assertThatThrownBy(() -> topic.writer().rewind(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1");
        topic.writer().flush();
        assertThat(topic.read(3).texts()).as("nothing was taken back").containsExactly("a", "b", "c");
    }

    @Test
    void rewindBeyondTheNewestSequenceIsRefused() {
        TopicProbe topic = openTopic();
        topic.commit("a");

        assertThatThrownBy(() -> topic.writer().rewind(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("7");
    }

    @Test
    void flushAndRewindRefuseAnOpenClaim() {
        TopicProbe topic = openTopic();
        topic.commit("a");
        topic.claim(8).putLong(0, 1);

        assertThatThrownBy(() -> topic.writer().flush())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("open claim");
        assertThatThrownBy(() -> topic.writer().rewind(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("open claim");
        topic.writer().abort();
        topic.writer().flush();
        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    @Test
    void batchesOfTwoWritersStayApart() {
        TopicProbe one = openTopic();
        TopicProbe other = openTopic();
        one.commit("a");
        other.commit("x", "wrong");
        one.commit("b");
        other.writer().rewind(1);
        one.claim(8).putLong(0, 1);
        other.commit("y");
        one.writer().abort();
        other.writer().flush();
        one.commit("c");
        other.write("z");
        one.writer().flush();

        assertThat(one.read(3).texts()).containsExactly("a", "b", "c");
        assertThat(other.read(3).texts()).containsExactly("x", "y", "z");
    }

    @Test
    void rewindGivesItsRoomBack() {
        TopicProbe topic = openTopic();
        int room = topic.writer().remainingCapacity();
        topic.commit("a", "b");
        topic.writer().rewind(0);

        assertThat(topic.writer().remainingCapacity()).isGreaterThanOrEqualTo(room);
    }
}
