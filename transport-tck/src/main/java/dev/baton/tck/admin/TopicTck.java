package dev.baton.tck.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportTck;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on topics, which are created, listed and deleted by name. */
public abstract class TopicTck extends TransportTck {
    /** Called by the test of a transport. */
    protected TopicTck() {}

    @Test
    void createdTopicsAreListed() {
        String first = fixture().newTopic();
        String second = fixture().newTopic();
        transport().createTopics(List.of(first, second));

        assertThat(transport().topics()).contains(first, second);
        assertThat(transport().existing(Set.of(first, fixture().newTopic()))).containsExactly(first);
    }

    @Test
    void creatingAnExistingTopicLeavesItUnchanged() {
        TopicProbe topic = openTopic();
        topic.write("a");
        String fresh = fixture().newTopic();
        transport().createTopics(List.of(topic.name(), fresh));

        assertThat(transport().topics()).contains(topic.name(), fresh);
        assertThat(topic.read(1).texts()).containsExactly("a");
        topic.awaitStored();
        restart(Restart.CONNECTION);
        assertThat(probe(topic.name()).read(1).texts())
                .as("the frames of a later reader")
                .containsExactly("a");
    }

    @Test
    void creationReturnsTheTopicsThatItCreated() {
        String first = fixture().newTopic();
        String second = fixture().newTopic();

        assertThat(transport().createTopics(List.of(first)))
                .as("what was created")
                .containsExactly(first);
        assertThat(transport().createTopics(List.of(first, second)))
                .as("what was created beside a topic that exists")
                .containsExactly(second);
        assertThat(transport().createTopics(List.of(first, second)))
                .as("what was created where all topics exist")
                .isEmpty();
    }

    @Test
    void deletedTopicIsGoneWithItsFrames() {
        TopicProbe topic = openTopic();
        topic.write("old");
        topic.take(1);
        topic.awaitStored();
        closeConnections();
        transport().deleteTopics(List.of(topic.name()));
        assertThat(transport().topics()).doesNotContain(topic.name());

        transport().createTopics(List.of(topic.name()));
        restart(Restart.CONNECTION);
        TopicProbe again = probe(topic.name());
        assertThat(again.writer().sequence()).isZero();
        assertThat(again.writer().found().cause()).isZero();
        again.write("new");
        assertThat(again.read(1).texts()).containsExactly("new");
    }

    @Test
    void topicWithAWriterIsNotDeleted() {
        TopicProbe topic = newTopic();
        topic.writer();

        assertCannotBeDeleted(topic);
    }

    @Test
    void topicWithAReaderIsNotDeleted() {
        TopicProbe topic = newTopic();
        topic.reader();

        assertCannotBeDeleted(topic);
    }

    private void assertCannotBeDeleted(TopicProbe topic) {
        String unused = newTopic().name();
        assertThatThrownBy(
                        () -> transport().deleteTopics(List.of(unused, topic.name())), "the deletion of a topic in use")
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(topic.name(), "in use");
        assertThat(transport().topics()).as("topics after a refused deletion").contains(unused, topic.name());
        topic.write("a");
        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    @Test
    void deletingATopicKeepsTopicsNamedAlike() {
        String name = fixture().newTopic();
        List<String> others = List.of(name + "a", name + "-1", name + ".a", "x" + name);
        transport().createTopics(List.of(name));
        transport().createTopics(others);
        for (String other : others) {
            TopicProbe topic = probe(other);
            topic.write("of " + other);
            topic.awaitStored();
        }
        closeConnections();
        transport().deleteTopics(List.of(name));
        assertThat(transport().topics())
                .as("topics after '%s' was deleted", name)
                .contains(others.toArray(new String[0]))
                .doesNotContain(name);
        restart(Restart.CONNECTION);
        for (String other : others) {
            assertThat(probe(other).read(1).texts()).containsExactly("of " + other);
        }
    }

    @Test
    void namesThatDifferInCaseAreDifferent() {
        String name = fixture().newTopic();
        String upper = name.toUpperCase(Locale.ROOT);
        transport().createTopics(List.of(name, upper));
        TopicProbe first = probe(name);
        TopicProbe second = probe(upper);
        first.write("lower");
        second.write("upper");

        assertThat(first.read(1).texts()).as("frames of topic '%s'", name).containsExactly("lower");
        assertThat(second.read(1).texts()).as("frames of topic '%s'", upper).containsExactly("upper");
        TopicReader other = connection().openReader(name, TopicProbe.CONSUMER.toUpperCase(Locale.ROOT));
        assertThat(first.read(other, 1).texts())
                .as("frames of a consumer whose name differs in case")
                .containsExactly("lower");
    }

    @Test
    void deletingUnknownTopicsDoesNothing() {
        assertThatCode(() -> transport().deleteTopics(List.of(fixture().newTopic())))
                .doesNotThrowAnyException();
    }

    @Test
    void missingTopicHasNeitherWriterNorReader() {
        String missing = fixture().newTopic();

        assertThatThrownBy(() -> connection().openWriter(missing))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(missing);
        assertThatThrownBy(() -> connection().openReader(missing, "someone"))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(missing);
        assertThat(transport().topics()).as("asking for it has not made it").doesNotContain(missing);
    }

    @Test
    void invalidNameIsRefusedBeforeAnythingIsCreated() {
        for (String refused : fixture().refusedNames()) {
            String fine = fixture().newTopic();
            assertThatThrownBy(() -> transport().createTopics(List.of(fine, refused)))
                    .as("topic '%s'", refused)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + refused + "'");
            assertThat(transport().topics()).doesNotContain(fine);
        }
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void topicsOutliveWhoCreatedThem(Restart what) {
        TopicProbe topic = newTopic();
        restart(what);

        assertThat(transport().topics()).contains(topic.name());
    }
}
