package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.KafkaTransport;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code baton repair} over a broker, and what it answers where it cannot be. */
@Tag("broker")
@Timeout(120)
class RepairTest {
    private static final Class<?> NO_TRIAL = Void.class;

    private static EmbeddedKafka broker;

    private final FakeLaboratory laboratory = FakeLaboratory.withRealTransports(NO_TRIAL);

    @BeforeAll
    static void start() {
        broker = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void whatIsDroppedIsToldBeforeItIsAndVerifyIsCleanAfterwards() throws Exception {
        damage("orders-0");
        assertThat(run("verify", "orders-0")).isEqualTo(1);

        assertThat(run("repair", "--dry-run", "orders-0")).isEqualTo(1);
        assertThat(laboratory.out()).contains("would drop: 2 frames that do not name their writer");
        assertThat(run("repair", "orders-0")).isZero();
        assertThat(laboratory.out()).contains("appended one record, the repair, at offset 4");
        assertThat(run("repair", "orders-0")).isZero();
        assertThat(laboratory.out()).contains("nothing to drop, and nothing was written");

        assertThat(run("verify", "orders-0")).isZero();
        assertThat(laboratory.complaints()).isEmpty();
    }

    @Test
    void aTopicThatIsNotThereIsNamed() {
        assertThat(run("repair", "no-such-topic")).isEqualTo(3);
        assertThat(laboratory.complaints())
                .containsExactly("baton: topic 'no-such-topic' does not exist on " + broker.bootstrapServers());
    }

    @Test
    void withoutATopicOrATransportThatCanBeRepairedItIsNotUnderstood() {
        assertThat(run("repair")).isEqualTo(2);
        assertThat(laboratory.run("repair", "orders-0", "--transport", "disruptor"))
                .isEqualTo(2);
        assertThat(laboratory.err())
                .contains("Missing required parameter: 'TOPIC'")
                .contains("--transport disruptor cannot be repaired; --transport kafka and chronicle can");
        assertThat(laboratory.run("repair", "orders-0", "--transport", "kafka")).isEqualTo(2);
        assertThat(laboratory.err()).contains("--bootstrap-servers is needed");
    }

    private int run(String command, String... arguments) {
        String[] typed = new String[arguments.length + 5];
        typed[0] = command;
        typed[1] = "--transport";
        typed[2] = "kafka";
        typed[3] = "--bootstrap-servers";
        typed[4] = broker.bootstrapServers();
        System.arraycopy(arguments, 0, typed, 5, arguments.length);
        return laboratory.run(typed);
    }

    /** Offset 0: marker, 1: a frame, 2 and 3: sequence 2 twice, as an earlier build stored it. */
    private static void damage(String topic) throws Exception {
        try (KafkaTransport transport = KafkaTransport.at(broker.bootstrapServers())) {
            transport.createTopics(List.of(topic));
            try (Connection connection = transport.connect()) {
                TopicWriter writer = connection.openWriter(topic);
                writer.claim(0).stamp(0, 0, 0, 0, 0);
                writer.commit(0);
                writer.flush();
            }
        }
        byte[] frame = new byte[Frame.HEADER_BYTES];
        frame[0] = Frame.VERSION;
        frame[Frame.SEQUENCE_OFFSET] = 2;
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, frame)).get();
            producer.send(new ProducerRecord<>(topic, frame)).get();
        }
    }
}
