package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on positions: acknowledged frames are not delivered to their consumer again, and are delivered to every other one. */
public abstract class PositionTck extends TransportTck {
    /** Called by the test of a transport. */
    protected PositionTck() {}

    @ParameterizedTest
    @EnumSource(Restart.class)
    void acknowledgedFramesAreNotSeenAgain(Restart what) {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.take(3);
        topic.awaitStored();
        restart(what);

        TopicProbe again = probe(topic.name());
        again.write("d");
        assertThat(again.read(1).texts()).containsExactly("d");
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void partlyAcknowledgedBatchContinuesWithItsRest(Restart what) {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c", "d");
        Recorder read = topic.read(4);
        topic.reader().acknowledge(read.frames().get(1).position());
        topic.awaitStored();
        restart(what);

        assertThat(probe(topic.name()).read(2).texts()).containsExactly("c", "d");
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void framesNeverAcknowledgedAreSeenAgain(Restart what) {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        assertThat(topic.read(2).texts()).containsExactly("a", "b");
        topic.awaitStored();
        restart(what);

        assertThat(probe(topic.name()).read(2).texts()).containsExactly("a", "b");
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void restOfABatchFollowsTheLimit(Restart what) {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.take(1);
        topic.awaitStored();
        restart(what);

        assertThat(probe(topic.name()).read(2).texts()).containsExactly("b", "c");
    }

    @Test
    void acknowledgingAnOlderPositionChangesNothing() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        Recorder read = topic.read(2);
        topic.reader().acknowledge(read.lastPosition());
        topic.reader().acknowledge(read.frames().get(0).position());
        topic.awaitStored();
        restart(Restart.CONNECTION);

        assertThat(probe(topic.name()).read(1).texts()).containsExactly("c");
    }

    @Test
    void acknowledgingWhatWasNeverHandedOverIsRefused() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        long position = topic.read(1).lastPosition();
        topic.awaitStored();

        assertThatThrownBy(() -> topic.reader().acknowledge(position + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(Long.toString(position), Long.toString(position + 1));
        topic.reader().acknowledge(position);
        restart(Restart.CONNECTION);
        assertThat(probe(topic.name()).read(2).texts()).containsExactly("b", "c");
    }

    @Test
    void acknowledgingDoesNotMoveTheReader() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        Recorder read = topic.read(2);
        topic.reader().acknowledge(read.frames().get(0).position());

        assertThat(topic.read(1).texts()).containsExactly("c");
    }

    @Test
    void twoConsumersAreIndependent() {
        TopicProbe topic = openTopic();
        TopicReader other = connection().openReader(topic.name(), "other");
        topic.write("a", "b", "c");
        assertThat(topic.take(3)).containsExactly("a", "b", "c");
        assertThat(topic.read(other, 1).texts()).containsExactly("a");
        topic.awaitStored();
        restart(Restart.CONNECTION);

        TopicProbe again = probe(topic.name());
        TopicReader otherAgain = connection().openReader(topic.name(), "other");
        assertThat(again.read(otherAgain, 3).texts()).containsExactly("a", "b", "c");
        again.write("d");
        assertThat(again.read(1).texts()).containsExactly("d");
    }

    @Test
    void secondReaderIsRefusedUntilTheFirstCloses() {
        assumeTrue(fixture().refusesSecondReader(), "cannot tell");
        TopicProbe topic = newTopic();
        topic.write("a", "b");
        Connection first = connect();
        Connection second = connect();
        TopicReader reader = first.openReader(topic.name(), "only");

        assertThatThrownBy(() -> second.openReader(topic.name(), "only"), "a second live reader of one consumer")
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(topic.name(), "only");
        long position = readThrough(first, topic, reader, "a");
        reader.acknowledge(position);
        reader.close();

        readThrough(second, topic, second.openReader(topic.name(), "only"), "b");
    }

    @Test
    void closedConnectionFreesItsConsumers() {
        assumeTrue(fixture().refusesSecondReader(), "cannot tell");
        TopicProbe topic = newTopic();
        topic.write("a");
        Connection first = connect();
        first.openReader(topic.name(), "only");
        first.close();

        Connection second = connect();
        readThrough(second, topic, second.openReader(topic.name(), "only"), "a");
    }

    private long readThrough(Connection connection, TopicProbe topic, TopicReader reader, String text) {
        Recorder recorder = new Recorder();
        new Turns(fixture().longestWait(), connection, connection())
                .until(
                        "one frame of " + topic.name(),
                        "every consumer gets each flushed frame that it has not acknowledged (TopicReader.poll)",
                        () -> {
                            reader.poll(recorder, 1);
                            return recorder.count() == 1;
                        });
        assertThat(recorder.texts()).containsExactly(text);
        return recorder.lastPosition();
    }

    @Test
    void newConsumerStartsAtTheOldestFrame() {
        TopicProbe topic = newTopic();
        topic.write("a", "b");
        topic.awaitStored();

        assertThat(topic.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void laterConsumerStartsAtTheOldestFrame() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        assertThat(topic.read(2).texts()).containsExactly("a", "b");
        topic.awaitStored();

        TopicReader later = connection().openReader(topic.name(), "later");
        assertThat(topic.read(later, 3).texts())
                .as("frames of a consumer that came when another one had read some")
                .containsExactly("a", "b", "c");
    }

    @Test
    void secondReaderOnTheSameConnectionIsRefused() {
        assumeTrue(fixture().refusesSecondReader(), "cannot tell");
        TopicProbe topic = openTopic();

        assertThatThrownBy(
                        () -> connection().openReader(topic.name(), TopicProbe.CONSUMER),
                        "a second live reader of one consumer, on the same connection")
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(topic.name(), TopicProbe.CONSUMER);
        topic.write("a");
        assertThat(topic.read(1).texts()).as("the first continues").containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void readerReportsTheSequenceAtOpenOrUnknown(Restart what) {
        TopicProbe topic = openTopic();
        assertThat(topic.reader().found().acknowledged()).isIn(TopicReader.UNKNOWN, 0L);
        topic.write("a", "b", "c");
        topic.take(2);
        topic.awaitStored();
        restart(what);

        assertThat(probe(topic.name()).reader().found().acknowledged()).isIn(TopicReader.UNKNOWN, 2L);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void manyRestartsLoseNothingAndRepeatNothing(Restart what) {
        String name = newTopic().name();
        for (int round = 1; round <= 5; round++) {
            TopicProbe topic = probe(name);
            topic.reader();
            topic.write("first " + round, "second " + round);
            assertThat(topic.take(2)).containsExactly("first " + round, "second " + round);
            topic.awaitStored();
            restart(what);
        }
    }
}
