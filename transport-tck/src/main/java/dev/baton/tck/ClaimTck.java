package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import org.junit.jupiter.api.Test;

/** The contract on claims: one at a time, within the limit, committed or aborted. */
public abstract class ClaimTck extends TransportTck {
    /** Called by the test of a transport. */
    protected ClaimTck() {}

    @Test
    void claimBeyondTheLongestPayloadIsRefused() {
        TopicProbe topic = openTopic();
        int longest = transport().maxPayload();

        assertThatThrownBy(() -> topic.writer().claim(longest + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(longest))
                .hasMessageContaining(Integer.toString(longest + 1));
        assertNothingOpenOn(topic);
    }

    @Test
    void aClaimOfANegativeLengthIsRefused() {
        TopicProbe topic = openTopic();

        assertThatThrownBy(() -> topic.writer().claim(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        assertNothingOpenOn(topic);
    }

    @Test
    void aSecondOpenClaimIsAMistake() {
        TopicProbe topic = openTopic();
        topic.claim(8).stamp(0, 0, 0, 0, 0);

        assertThatThrownBy(() -> topic.writer().claim(8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("open claim");
        topic.writer().commit(0);
        assertThat(topic.writer().sequence()).as("the first is not disturbed").isEqualTo(1);
    }

    @Test
    void aCommitWithoutAClaimIsAMistake() {
        TopicProbe topic = openTopic();

        assertThatThrownBy(() -> topic.writer().commit(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("claim");
    }

    @Test
    void commitLongerThanItsClaimIsRefused() {
        TopicProbe topic = openTopic();
        topic.claim(11);

        assertThatThrownBy(() -> topic.writer().commit(12))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("11")
                .hasMessageContaining("12");
        topic.writer().abort();
        assertNothingOpenOn(topic);
    }

    @Test
    void refusedCommitLeavesItsClaimOpen() {
        TopicProbe topic = openTopic();
        Frame frame = topic.claim(4);
        frame.stamp(0, 0, 0, 0, 0);
        frame.putBytes(0, "fine".getBytes(java.nio.charset.StandardCharsets.US_ASCII), 0, 4);

        assertThatThrownBy(() -> topic.writer().commit(5)).isInstanceOf(IllegalArgumentException.class);
        assertThat(topic.writer().commit(4))
                .as("the sequence of the claim whose first commit was refused")
                .isEqualTo(1);
        topic.writer().flush();
        assertThat(topic.read(1).texts()).containsExactly("fine");
    }

    @Test
    void aCommitOfANegativeLengthIsRefused() {
        TopicProbe topic = openTopic();
        topic.claim(11);

        assertThatThrownBy(() -> topic.writer().commit(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        topic.writer().abort();
        assertNothingOpenOn(topic);
    }

    @Test
    void commitMayBeShorterThanItsClaim() {
        TopicProbe topic = openTopic();
        var frame = topic.claim(16);
        frame.stamp(0, 0, 0, 0, 0);
        frame.putBytes(0, "short and rubbish".getBytes(java.nio.charset.StandardCharsets.US_ASCII), 0, 16);
        topic.writer().commit(5);
        topic.writer().flush();
        topic.write("next");

        assertThat(topic.read(2).texts()).containsExactly("short", "next");
    }

    @Test
    void aClaimIsAsLongAsAsked() {
        TopicProbe topic = openTopic();

        assertThat(topic.claim(13).length()).isEqualTo(13);
        topic.writer().abort();
    }

    @Test
    void anAbortedClaimLeavesNoTrace() {
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        topic.write("a");
        int room = writer.remainingCapacity();
        topic.claim(8).putLong(0, -1L);
        writer.abort();

        assertThat(writer.sequence()).isEqualTo(1);
        assertThat(writer.remainingCapacity()).isGreaterThanOrEqualTo(room);
        writer.flush();
        topic.write("b");
        Recorder read = topic.read(2);
        assertThat(read.texts()).containsExactly("a", "b");
        assertThat(read.sequences()).containsExactly(1L, 2L);
    }

    @Test
    void abortLeavesTheRestOfTheBatch() {
        TopicProbe topic = openTopic();
        topic.commit("a");
        topic.claim(8).putLong(0, -1L);
        topic.writer().abort();
        topic.commit("b");
        topic.writer().flush();

        assertThat(topic.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void anAbortWithoutAClaimDoesNothing() {
        TopicProbe topic = openTopic();
        topic.writer().abort();
        topic.commit("a");
        topic.writer().abort();
        topic.writer().flush();

        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    private static void assertNothingOpenOn(TopicProbe topic) {
        topic.write("fine");
        assertThat(topic.read(1).sequences()).containsExactly(1L);
    }
}
