package dev.baton.tck.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TransportTck;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract on retention: unread frames that were removed from the store are reported, and never skipped silently. For fixtures that can
 * remove some ({@link TransportFixture#removesFrames}).
 */
public abstract class RetentionTck extends TransportTck {
    private static final String RULE =
            "; rule: a frame that was removed unread is reported by a TransportException, never skipped (TopicReader.poll)";

    /** Called by the test of a transport. */
    protected RetentionTck() {}

    @BeforeEach
    final void skipWhereNothingIsRemoved() {
        assumeTrue(fixture().removesFrames(), "this fixture removes no frames");
    }

    @Test
    void removedUnreadFramesAreReportedAtTheOpen() {
        TopicProbe topic = written(5);
        topic.take(1);
        restart(Restart.CONNECTION);
        fixture().removeFrames(topic.name(), 3);

        TopicProbe again = probe(topic.name());
        Recorder read = new Recorder();
        assertThatThrownBy(
                        () -> turns().until("the report of frames 2 and 3", RULE.substring("; rule: ".length()), () -> {
                            again.reader().poll(read, 1);
                            return read.count() > 0;
                        }),
                        "the consumer's report after frames 2 and 3 were removed" + RULE)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(topic.name());
        assertThat(read.texts())
                .as("frames behind those that were removed" + RULE)
                .isEmpty();
    }

    @Test
    void aLiveReaderSkipsNoRemovedFrame() {
        TopicProbe topic = written(5);
        topic.take(1);
        fixture().removeFrames(topic.name(), 3);

        Recorder read = new Recorder(); // it may hand over frames that it has fetched before
        Throwable reported = catchThrowable(() -> turns().until(
                        "frames 2 to 5, or a report",
                        RULE.substring("; rule: ".length()),
                        () -> "came: " + read,
                        () -> {
                            topic.reader().poll(read, 16);
                            return read.count() == 4;
                        }));
        long expected = 2;
        for (long sequence : read.sequences()) {
            assertThat(sequence).as("the next frame of a consumer" + RULE).isEqualTo(expected++);
        }
        if (reported != null) {
            assertThat(reported)
                    .as("what a live reader reports of frames that were removed")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(topic.name());
        }
    }

    @Test
    void framesRemovedBehindAConsumerAreNotReported() {
        TopicProbe topic = written(5);
        topic.take(3);
        restart(Restart.CONNECTION);
        fixture().removeFrames(topic.name(), 3);

        assertThat(probe(topic.name()).read(2).texts())
                .as("frames of a consumer that has acknowledged all that was removed")
                .containsExactly("frame 4", "frame 5");
    }

    @Test
    void aNewConsumerBeginsBehindRemovedFrames() {
        TopicProbe topic = written(5);
        topic.take(3); // so that no frame of this consumer is missing
        fixture().removeFrames(topic.name(), 3);

        assertThat(topic.read(connection().openReader(topic.name(), "new"), 2).texts())
                .as("frames of a consumer that is new")
                .containsExactly("frame 4", "frame 5");
    }

    @Test
    void aWriterContinuesBehindRemovedFrames() {
        TopicProbe topic = written(5);
        topic.take(5);
        restart(Restart.CONNECTION);
        fixture().removeFrames(topic.name(), 5);

        TopicProbe again = probe(topic.name());
        assertThat(again.writer().sequence())
                .as("the newest sequence of a topic whose frames were all removed")
                .isEqualTo(5);
        again.write("frame 6");
        Recorder read = again.read(1);
        assertThat(read.texts()).containsExactly("frame 6");
        assertThat(read.sequences()).containsExactly(6L);
    }

    private TopicProbe written(int frames) {
        TopicProbe topic = openTopic();
        for (int i = 1; i <= frames; i++) {
            topic.write("frame " + i);
        }
        topic.awaitStored();
        return topic;
    }
}
