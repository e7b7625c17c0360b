package dev.baton.tck.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportTck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on forgotten consumers, and on those that remain. */
public abstract class ForgetConsumerTck extends TransportTck {
    private static final String GONE = "gone";

    /** Called by the test of a transport. */
    protected ForgetConsumerTck() {}

    @Test
    void forgottenConsumerHoldsNothingBack() {
        TopicProbe topic = openTopic();
        int backlog = fixture().backlog().orElse(0);
        assumeTrue(backlog > 0, "holds frames without a limit");
        connection().openReader(topic.name(), GONE).close();
        for (int i = 0; i < 3 * backlog && topic.writer().remainingCapacity() > 0; i++) {
            topic.write("a");
            topic.take(1);
        }
        assertThat(topic.writer().remainingCapacity())
                .as("room behind a consumer that reads nothing")
                .isZero();

        assertThat(transport().forgetConsumer(topic.name(), GONE)).isTrue();
        for (int i = 0; i < 3 * backlog; i++) {
            topic.write("b");
            assertThat(topic.take(1)).containsExactly("b");
        }
    }

    @Test
    void topicWithoutConsumersIsNotHeldBack() {
        TopicProbe topic = newTopic();
        int backlog = fixture().backlog().orElse(0);
        assumeTrue(backlog > 0, "holds frames without a limit");
        connection().openReader(topic.name(), GONE).close();
        assertThat(transport().forgetConsumer(topic.name(), GONE)).isTrue();
        for (int i = 0; i < 3 * backlog; i++) {
            topic.write("a");
        }
        assertThat(topic.writer().sequence()).isEqualTo(3L * backlog);
        topic.awaitStored();
        TopicReader late = connection().openReader(topic.name(), "late");
        long before = late.found().acknowledged();
        topic.write("z");
        Recorder first = topic.read(late, 1);
        assertThat(first.frames().get(0).sequence())
                .as("the oldest frame left, with none missing behind it")
                .isEqualTo(before == TopicReader.UNKNOWN ? first.frames().get(0).sequence() : before + 1);
        assertThat(first.frames().get(0).sequence()).isLessThanOrEqualTo(3L * backlog + 1);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void forgottenConsumerReturnsAtTheOldestFrame(Restart what) {
        TopicProbe topic = openTopic();
        TopicReader gone = connection().openReader(topic.name(), GONE);
        topic.write("a", "b", "c");
        Recorder read = topic.read(gone, 3);
        gone.acknowledge(read.frames().get(1).position());
        topic.read(1);
        topic.awaitStored();
        gone.close();
        assertThat(transport().forgetConsumer(topic.name(), GONE)).isTrue();
        restart(what);

        TopicProbe again = probe(topic.name());
        TopicReader back = connection().openReader(topic.name(), GONE);
        assertThat(again.read(back, 3).texts())
                .as("all that another consumer still holds")
                .containsExactly("a", "b", "c");
        assertThat(transport().forgetConsumer(topic.name(), "someone")).isFalse();
    }

    @Test
    void forgettingTheOnlyConsumerBehindFreesRoom() {
        TopicProbe topic = openTopic();
        int backlog = fixture().backlog().orElse(0);
        assumeTrue(backlog > 0, "holds frames without a limit");
        connection().openReader(topic.name(), GONE).close();
        for (int i = 0; i < 3 * backlog && topic.writer().remainingCapacity() > 0; i++) {
            topic.write("a");
            topic.take(1);
        }
        assertThat(transport().forgetConsumer(topic.name(), GONE)).isTrue();
        turns().until(
                        "all room",
                        "a forgotten consumer does not hold the topic back, even if every other one is at the end"
                                + " (Transport.forgetConsumer)",
                        () -> "there is room for " + topic.writer().remainingCapacity() + " of "
                                + topic.writer().capacity(),
                        () -> topic.writer().remainingCapacity()
                                == topic.writer().capacity());
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void consumersWhoseNamesBeginAlikeAreKept(Restart what) {
        TopicProbe topic = openTopic();
        List<String> names = List.of("c", "c1", "c10", "c1.a", "c1-0", "xc1");
        topic.write("a", "b", "c");
        for (String name : names) {
            TopicReader reader = connection().openReader(topic.name(), name);
            reader.acknowledge(topic.read(reader, 2).lastPosition());
            reader.close();
        }
        topic.awaitStored();
        assertThat(transport().forgetConsumer(topic.name(), "c1")).isTrue();
        restart(what);

        TopicProbe again = probe(topic.name());
        for (String name : names) {
            if (!name.equals("c1")) {
                TopicReader reader = connection().openReader(topic.name(), name);
                assertThat(again.read(reader, 1).texts())
                        .as("what consumer '%s' reads after 'c1' was forgotten", name)
                        .containsExactly("c");
                reader.close();
            }
        }
    }

    @Test
    void aConsumerOfAnotherTopicIsNotForgotten() {
        TopicProbe topic = openTopic();
        TopicProbe other = openTopic();
        topic.write("a", "b");
        other.write("x", "y");
        other.take(1);
        other.reader().close();
        other.awaitStored();
        topic.take(1);
        topic.reader().close();
        assertThat(transport().forgetConsumer(topic.name(), TopicProbe.CONSUMER))
                .isTrue();

        assertThat(probe(other.name()).read(1).texts())
                .as("what a consumer of the same name reads of another topic")
                .containsExactly("y");
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void theOthersKeepTheirPositions(Restart what) {
        TopicProbe topic = openTopic();
        connection().openReader(topic.name(), GONE).close();
        topic.write("a", "b", "c");
        topic.take(2);
        topic.awaitStored();
        transport().forgetConsumer(topic.name(), GONE);
        restart(what);

        assertThat(probe(topic.name()).read(1).texts()).containsExactly("c");
    }

    @Test
    void aConsumerThatIsReadIsNotForgotten() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.take(1);
        assertThatThrownBy(() -> transport().forgetConsumer(topic.name(), TopicProbe.CONSUMER), "a live consumer")
                .isInstanceOf(OccupiedException.class)
                .hasMessageContainingAll(topic.name(), TopicProbe.CONSUMER);
        assertThat(topic.take(1)).containsExactly("b");
    }

    @Test
    void whatIsNotThereIsNotForgotten() {
        TopicProbe topic = openTopic();
        topic.write("a");
        assertThat(transport().forgetConsumer(topic.name(), "nobody")).isFalse();
        assertThat(topic.take(1)).containsExactly("a");
        String missing = fixture().newTopic();
        assertThatThrownBy(() -> transport().forgetConsumer(missing, GONE))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(missing);
        assertThat(transport().topics()).doesNotContain(missing);
    }

    @Test
    void aForgottenConsumerIsForgottenOnce() {
        TopicProbe topic = openTopic();
        TopicReader gone = connection().openReader(topic.name(), GONE);
        topic.write("a");
        gone.acknowledge(topic.read(gone, 1).lastPosition());
        topic.take(1);
        topic.awaitStored();
        gone.close();
        assertThat(transport().forgetConsumer(topic.name(), GONE)).isTrue();
        assertThat(transport().forgetConsumer(topic.name(), GONE)).isFalse();
        if (isDurable()) {
            try (TopicInspector inspector = transport().inspect(topic.name())) {
                assertThat(inspector.acknowledged()).doesNotContainKey(GONE);
            }
        }
    }
}
