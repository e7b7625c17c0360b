package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Frame;
import dev.baton.tck.Recorder.Received;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract on headers: every field arrives as it was stamped. */
public abstract class HeaderTck extends TransportTck {
    /** Called by the test of a transport. */
    protected HeaderTck() {}

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0",
        "1, 2, 3, 4, 5",
        "1, 2, -6, 4, 5",
        "255, -1, 255, -1, -2",
        "256, 65536, 4294967296, 1099511627776, 281474976710656",
        "65535, 2147483647, 9223372036854775807, 9223372036854775807, 9223372036854775807",
        "32768, -2147483648, 72057594037927936, -9223372036854775808, -9223372036854775808"
    })
    void everyFieldSurvives(int hops, int type, long cause, long originNanos, long sentNanos) {
        TopicProbe topic = openTopic();
        topic.commit(new byte[] {1}, hops, type, cause, originNanos, sentNanos);
        topic.writer().flush();

        Received frame = topic.read(1).frames().get(0);
        assertThat(frame.version()).isEqualTo(Frame.VERSION);
        assertThat(frame.flags()).as("nothing but what a transport may add").isIn(0, Frame.EXTENDED);
        assertThat(frame.servicesPassed()).isEqualTo(hops);
        assertThat(frame.type()).isEqualTo(type);
        assertThat(frame.sequence()).isEqualTo(1);
        assertThat(frame.cause()).isEqualTo(cause);
        assertThat(frame.originNanos()).isEqualTo(originNanos);
        assertThat(frame.sentNanos()).isEqualTo(sentNanos);
    }

    @Test
    void frameFieldsDoNotReachTheNext() {
        TopicProbe topic = openTopic();
        topic.commit(new byte[] {1}, 9, 9, 9, 9, 9);
        topic.commit(new byte[] {1}, 0, 0, 0, 0, 0);
        topic.writer().flush();

        Received second = topic.read(2).frames().get(1);
        assertThat(second.servicesPassed()).isZero();
        assertThat(second.type()).isZero();
        assertThat(second.cause()).isZero();
        assertThat(second.originNanos()).isZero();
        assertThat(second.sentNanos()).isZero();
    }

    @Test
    void headerMayBeStampedBeforeOrAfterPayload() {
        TopicProbe topic = openTopic();
        Frame early = topic.claim(8);
        early.stamp(1, 2, 3, 4, 5);
        early.putLong(0, 77);
        topic.writer().commit(8);
        Frame late = topic.claim(8);
        late.putLong(0, 78);
        late.stamp(1, 2, 3, 4, 5);
        topic.writer().commit(8);
        topic.writer().flush();

        Recorder read = topic.read(2);
        assertThat(read.frames().get(0).payload()[0]).isEqualTo((byte) 77);
        assertThat(read.frames().get(1).payload()[0]).isEqualTo((byte) 78);
        assertThat(read.frames()).allSatisfy(frame -> assertThat(frame.cause()).isEqualTo(3));
    }
}
