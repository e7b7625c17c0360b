package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Others may write to a topic; whoever meets what they left is told where it lies. */
class ForeignRecordTest extends OnBroker {
    static Stream<byte[]> foreignValues() {
        byte[] unknownVersion = new byte[Frame.HEADER_BYTES];
        unknownVersion[0] = Frame.VERSION + 1;
        return Stream.of(null, new byte[0], new byte[Frame.HEADER_BYTES - 1], unknownVersion);
    }

    @ParameterizedTest
    @MethodSource("foreignValues")
    void aForeignRecordStopsReadersAndWritersAndIsNamed(byte[] value) throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a");
        }
        produce(name, value);

        Connection connection = connect(transport);
        assertThatThrownBy(() -> connection.openWriter(name))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "offset 1", "not a frame");
        TopicProbe topic = probe(name, connection);
        assertThat(topic.read(1).texts()).as("frames before it").containsExactly("a");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> topic.read(1))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(name, "offset 1", "not a frame");
        }
    }

    @Test
    void aSecondWriterOfAnotherTransportIsToldByTheReaders() {
        KafkaTransport transport = transport();
        KafkaTransport other = transport();
        String name = newTopic(transport);
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        TopicProbe rival = probe(name, connect(other));
        topic.writer();
        rival.writer();
        topic.write("a");
        topic.awaitStored();
        rival.write("b");
        rival.awaitStored();

        assertThat(topic.read(1).texts()).containsExactly("a");
        assertThatThrownBy(() -> topic.read(1))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "sequence 1 follows 1", "two writers");
    }

    @Test
    void aGapInTheSequenceIsTold() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        topic.write("a");
        topic.awaitStored();
        byte[] third = new byte[Frame.HEADER_BYTES];
        third[0] = Frame.VERSION;
        third[Frame.SEQUENCE_OFFSET] = 3;
        produce(name, third);

        Recorder recorder = topic.read(1);
        assertThat(recorder.texts()).containsExactly("a");
        assertThatThrownBy(() -> topic.read(1))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "sequence 3 follows 1", "lost");
    }

    private static void produce(String topic, byte[] value) throws Exception {
        Map<String, Object> settings =
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) TestBroker.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get();
        }
    }
}
