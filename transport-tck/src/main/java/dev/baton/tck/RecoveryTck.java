package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.errors.TransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on recovery: a writer continues where the one before it stopped, and there is one at a time. */
public abstract class RecoveryTck extends TransportTck {
    /** Called by the test of a transport. */
    protected RecoveryTck() {}

    @Test
    void aFirstWriterFindsNothing() {
        TopicProbe topic = openTopic();

        assertThat(topic.writer().sequence()).isZero();
        assertThat(topic.writer().storedSequence()).isZero();
        assertThat(topic.writer().found().cause()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void aWriterContinuesTheSequence(Restart what) {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.write("c");
        restart(what);

        TopicProbe again = probe(topic.name());
        assertThat(again.writer().sequence()).isEqualTo(3);
        assertThat(again.writer().storedSequence()).isEqualTo(3);
        again.write("d");
        Recorder read = again.read(4);
        assertThat(read.texts()).containsExactly("a", "b", "c", "d");
        assertThat(read.sequences()).containsExactly(1L, 2L, 3L, 4L);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void writerReportsTheCauseOfTheNewestFrame(Restart what) {
        TopicProbe topic = openTopic();
        topic.commit(new byte[1], 0, 0, 17, 0, 0);
        topic.commit(new byte[2], 0, 0, 4_000_000_000L, 0, 0);
        topic.writer().flush();
        restart(what);

        TopicProbe again = probe(topic.name());
        assertThat(again.writer().found().cause()).isEqualTo(4_000_000_000L);
        again.commit(new byte[1], 0, 0, 4_000_000_001L, 0, 0);
        again.writer().flush();
        assertThat(again.writer().found().cause()).as("stays what was found").isEqualTo(4_000_000_000L);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void causeIsFoundAfterEveryFrameWasAcknowledged(Restart what) {
        TopicProbe topic = openTopic();
        topic.commit(new byte[1], 0, 0, 23, 0, 0);
        topic.writer().flush();
        topic.take(1);
        restart(what);

        TopicProbe again = probe(topic.name());
        assertThat(again.writer().found().cause()).isEqualTo(23);
        assertThat(again.writer().sequence()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void whatWasTakenBackIsNotFound(Restart what) {
        TopicProbe topic = openTopic();
        topic.commit(new byte[1], 0, 0, 5, 0, 0);
        topic.writer().flush();
        topic.commit(new byte[1], 0, 0, 6, 0, 0);
        topic.writer().rewind(1);
        topic.claim(1).stamp(0, 0, 7, 0, 0);
        restart(what);

        TopicProbe again = probe(topic.name());
        assertThat(again.writer().sequence()).isEqualTo(1);
        assertThat(again.writer().found().cause()).isEqualTo(5);
    }

    @Test
    void secondLiveWriterIsRefusedByName() {
        assumeTrue(fixture().refusesSecondWriter(), "cannot tell");
        TopicProbe topic = openTopic();
        Connection another = connect();

        assertThatThrownBy(() -> another.openWriter(topic.name()))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(topic.name());
        topic.write("the first continues");
        assertThat(topic.read(1).sequences()).containsExactly(1L);
    }
}
