package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.options.Durability;
import dev.baton.tck.TopicProbe;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to be acknowledged carries frames in order, and says what it is worth. */
class AcksTest extends OnBroker {
    @ParameterizedTest
    @EnumSource
    void framesArriveInOrderHoweverTheyAreAcknowledged(Acks acks) {
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.ACKS, acks));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        for (int i = 0; i < 2_000; i++) {
            topic.write("frame");
        }
        assertThat(topic.read(2_000).sequences())
                .isEqualTo(LongStream.rangeClosed(1, 2_000).boxed().toList());
        topic.awaitStored();
    }

    @ParameterizedTest
    @EnumSource
    void propertiesNameAcknowledgementAndConfirmedFrameIsDurable(Acks acks) {
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.ACKS, acks));

        assertThat(transport.properties().get("acknowledgement")).contains("acks=" + acks.text(), acks.meaning());
        assertThat(transport.guarantees().contains(Guarantee.DURABLE)).isTrue();
    }

    @Test
    void propertiesCountReplicasOfTopicsCreatedHere() {
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.REPLICATION, 0));
        assertThat(transport.properties().get("durability")).startsWith("process: up to 3 replicas ");

        newTopic(transport);

        assertThat(transport.properties().get("durability")).startsWith("process: 1 replica ");
    }

    @Test
    void replicatedDurabilityRefusesTopicsWithOneReplica() {
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.DURABILITY, Durability.REPLICATED));
        Connection connection = connect(transport);
        String topic = newTopic(transport);

        assertThatThrownBy(() -> connection.openWriter(topic))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll(
                        topic, "1 replicas", "min.insync.replicas=1", "durability=replicated", "durability=process");
    }

    @ParameterizedTest
    @EnumSource
    void framesSurviveEveryCompression(Compression compression) {
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.COMPRESSION, compression));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("a", "bb", "ccc", "dddd");
        assertThat(topic.read(4).texts()).containsExactly("a", "bb", "ccc", "dddd");
    }
}
