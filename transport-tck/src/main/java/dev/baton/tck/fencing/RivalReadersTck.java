package dev.baton.tck.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import org.junit.jupiter.api.Test;

/** The contract on two readers of one consumer: the newest one is the consumer, and the older one no longer moves its position. */
public abstract class RivalReadersTck extends RivalsTck {
    /** Called by the test of a transport. */
    protected RivalReadersTck() {}

    @Test
    void newestReaderIsTheConsumer() {
        TopicProbe older = newTopic();
        older.write("1", "2", "3", "4", "5");
        older.awaitStored();
        assertThat(older.take(2)).containsExactly("1", "2");
        TopicProbe newer = rival();
        Recorder read = newer.read(5 - (int) Math.max(0, newer.reader().found().acknowledged()));
        newer.reader().acknowledge(read.lastPosition());
        newer.reader().close();

        if (fixture.keepsAcknowledgedFrames()) {
            assertThat(older.take(1)).as("it does not know yet").containsExactly("3");
        }
        new Turns(fixture.longestWait(), connectionOf(older))
                .until(
                        "the end of a reader that was replaced",
                        "the newest reader of a consumer wins, and the other one fails (Connection.openReader)",
                        () -> {
                            try {
                                older.reader().poll((frame, position) -> FrameHandler.Verdict.RETRY, 1);
                                return false;
                            } catch (ReplacedException told) {
                                assertThat(told).hasMessageContainingAll(name, TopicProbe.CONSUMER);
                                return true;
                            }
                        });
        older.reader().close();
        assertThat(rival().reader().found().acknowledged())
                .as("the newer reader's position")
                .isIn(5L, TopicReader.UNKNOWN);
    }

    @Test
    void replacedReaderStoresNothingAtItsClose() {
        TopicProbe older = newTopic();
        older.write("1", "2", "3");
        older.awaitStored();
        Recorder read = older.read(1);
        TopicProbe newer = rival();
        newer.take(3);
        newer.reader().close();

        older.reader().acknowledge(read.lastPosition());
        assertThatThrownBy(() -> older.reader().close(), "the close of a reader that was replaced")
                .isInstanceOf(ReplacedException.class)
                .hasMessageContainingAll(name, TopicProbe.CONSUMER);
        assertThat(rival().reader().found().acknowledged())
                .as("the newer reader's position")
                .isIn(3L, TopicReader.UNKNOWN);
    }
}
