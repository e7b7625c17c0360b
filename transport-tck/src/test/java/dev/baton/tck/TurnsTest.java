package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A wait in vain says what there was instead, what the connection reported, and which rule is broken. */
class TurnsTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    /** Reports work once, and opens nothing. */
    private static final class Idle implements Connection {
        private int turns;

        @Override
        public Opening<TopicWriter> beginWriter(String topic, String topology) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int doWork() {
            return ++turns == 1 ? 1 : 0;
        }

        @Override
        public void close() {}
    }

    @Test
    void timedOutWaitNamesStateReportAndRule() {
        Recorder read = new Recorder();
        Frame frame =
                new Frame().wrap(ByteBuffer.allocate(Frame.HEADER_BYTES + 1).order(ByteOrder.LITTLE_ENDIAN), 0, 1);
        frame.stamp(0, 0, 0, 0, 0);
        frame.sequence(7);
        frame.putBytes(0, "x".getBytes(StandardCharsets.UTF_8), 0, 1);
        read.onFrame(frame, 7);

        assertThatThrownBy(() -> new Turns(SHORT, new Idle())
                        .until("3 frames", "every frame arrives", () -> "came: " + read, () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching(
                        "waited 5 ms for 3 frames; came: 1 frame \\[7 'x'\\]; the connection reported no failure,"
                                + " and work in 1 of \\d+ turns, the last \\d+ ms ago; rule: every frame arrives");
    }

    @Test
    void aWaitWithoutConnectionNamesItsRule() {
        assertThatThrownBy(() -> new Turns(SHORT).until("an answer", "every question is answered", () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessage("waited 5 ms for an answer; rule: every question is answered");
    }
}
