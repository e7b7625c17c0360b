package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Partitions of a topic as the partitions of one topic of Kafka's. */
class PartitionTopicsTest extends OnBroker {
    private final String topic = "partitions-" + TransportFixture.TOPICS.incrementAndGet();

    @Test
    void partitionsHaveTheirOwnSequencesAndPositions() {
        KafkaTransport transport = transport();
        transport.createTopics(partitions(3));
        try (Connection connection = transport.connect()) {
            probe(topic + "@0", connection).write("a");
            probe(topic + "@2", connection).write("x", "y", "z");
            probe(topic + "@2", connection).take(2);
        }

        Connection connection = connect(transport);
        assertThat(probe(topic + "@0", connection).read(1).texts()).containsExactly("a");
        TopicProbe third = probe(topic + "@2", connection);
        assertThat(third.reader().found().acknowledged()).isEqualTo(2);
        assertThat(third.writer().sequence()).isEqualTo(3);
        assertThat(third.read(1).texts()).containsExactly("z");
        assertThat(probe(topic + "@1", connection).writer().sequence()).isZero();
    }

    @Test
    void aPartitionIsInspectedAlone() {
        KafkaTransport transport = transport();
        transport.createTopics(partitions(2));
        Connection connection = connect(transport);
        probe(topic + "@0", connection).write("a");
        TopicProbe second = probe(topic + "@1", connection);
        second.write("b", "c");
        second.awaitStored();

        Recorder seen = new Recorder();
        try (TopicInspector inspector = transport.inspect(topic + "@1")) {
            while (inspector.read(seen, 10) > 0) {
                // until there is no more
            }
            assertThat(inspector.newestSequence()).isEqualTo(2);
        }
        assertThat(seen.texts()).containsExactly("b", "c");
    }

    @Test
    void partitionsAreListedAndDeletedTogether() {
        KafkaTransport transport = transport();
        transport.createTopics(partitions(3));
        assertThat(transport.topics()).containsAll(partitions(3)).doesNotContain(topic);

        assertThatThrownBy(() -> transport.deleteTopics(List.of(topic + "@0", topic + "@1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + topic + "@2' would be deleted with the other partitions");
        transport.deleteTopics(partitions(3));
        assertThat(transport.topics()).doesNotContainAnyElementsOf(partitions(3));
    }

    @Test
    void deletionIgnoresPlainNameOfPartitions() {
        KafkaTransport transport = transport();
        transport.createTopics(partitions(2));
        Connection connection = connect(transport);
        probe(topic + "@1", connection).write("a");

        transport.deleteTopics(List.of(topic)); // no topic of this name exists
        assertThat(transport.topics()).containsAll(partitions(2));

        transport.createTopics(List.of(topic + "-plain"));
        transport.deleteTopics(List.of(topic + "-plain@0")); // nor does this one
        assertThat(transport.topics()).contains(topic + "-plain");
    }

    @Test
    void partitionsWithGapAreRefusedBeforeCreation() {
        KafkaTransport transport = transport();
        refused(transport, List.of(topic + "@0", topic + "@2"), "partitions {0, 2}");
        refused(transport, List.of(topic + "@1", topic + "@2"), "partitions {1, 2}");
        refused(transport, List.of(topic + "@0"), "the only partition is the topic itself");
        refused(transport, List.of(topic, topic + "@0", topic + "@1"), "cannot be one log and have partitions");
        assertThat(transport.topics()).noneMatch(name -> name.startsWith(topic));
    }

    @Test
    void anotherNumberOfPartitionsIsRefused() {
        KafkaTransport transport = transport();
        transport.createTopics(partitions(3));
        transport.createTopics(partitions(3)); // the same again changes nothing

        List<String> wrong = new ArrayList<>(TopicNames.of(topic + "-other", 4).toList());
        wrong.addAll(partitions(4));
        assertThatThrownBy(() -> transport.createTopics(wrong))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("'" + topic + "' has 3 partitions, but 4 partitions were asked for")
                .hasMessageContaining("use 3, or another name");
        assertThat(transport.topics()).as("nothing was created").doesNotContain(topic + "-other@0");
        assertThatThrownBy(() -> transport.createTopics(List.of(topic)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("'" + topic + "' has 3 partitions, but 1 partition was asked for")
                .hasMessageContaining("or first delete " + topic + "@0 to " + topic + "@2");
    }

    @Test
    void creationThatFailsNamesTopicsThatStay() {
        KafkaTransport transport = transport();
        transport.createTopics(List.of(topic + "_a"));
        assertThatThrownBy(() -> transport.createTopics(List.of(topic + "-first", topic + ".a", topic + "-last")))
                .as("a name that differs from that of a topic in '.' and '_' alone")
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("could not create topic '" + topic + ".a'", topic + "_a", "another name")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .asString()
                        .contains("the topics " + topic + "-first, " + topic + "-last were created, and stay"));
        assertThat(transport.topics())
                .contains(topic + "_a", topic + "-first", topic + "-last")
                .doesNotContain(topic + ".a");
    }

    @Test
    void absentPartitionHasNeitherWriterNorReader() {
        KafkaTransport transport = transport();
        transport.createTopics(partitions(2));
        Connection connection = connect(transport);

        assertThatThrownBy(() -> connection.openWriter(topic + "@2"))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("topic '" + topic + "@2' does not exist: '" + topic + "' has 2 partitions");
        assertThatThrownBy(() -> connection.openReader(topic + "@2", "someone"))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(topic + "@2");
        assertThatThrownBy(() -> connection.openWriter(topic))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("one for each partition: '" + topic + "@0' to '" + topic + "@1'");
        transport.createTopics(List.of(topic + "-plain"));
        assertThatThrownBy(() -> connection.openWriter(topic + "-plain@0")).isInstanceOf(TransportException.class);
    }

    private static void refused(KafkaTransport transport, Collection<String> names, String why) {
        assertThatThrownBy(() -> transport.createTopics(names))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    private List<String> partitions(int count) {
        return TopicNames.of(topic, count).toList();
    }
}
