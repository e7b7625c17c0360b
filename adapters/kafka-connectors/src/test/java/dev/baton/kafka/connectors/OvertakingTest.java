package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A record that cannot be delivered, and those behind it, which must not overtake it. */
@Tag("slow")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OvertakingTest {
    private static final List<String> OUTPUTS = List.of("1".repeat(1_500), "2".repeat(5_000), "3".repeat(1_500));
    private static final String SMALLER = "2000"; // than the second one

    @Test
    void noRecordOvertakesOneThatTheProducerRefuses() throws Exception {
        KafkaTopic topic = Broker.topic("producer", 1);
        fails(topic.with("max.request.size", SMALLER));
        succeeds(topic);
    }

    @Test
    void noRecordOvertakesOneThatTheBrokerRefuses() throws Exception {
        KafkaTopic topic = Broker.topic("broker", 1);
        limit(topic, SMALLER);
        fails(topic.with("batch.size", "0")); // a request for each of the three, at the same time
        limit(topic, "100000");
        succeeds(topic);
    }

    @Test
    void failedTransactionNamesTheRefusal() throws Exception {
        KafkaTopic topic = Broker.topic("transaction", 1);
        WriteThread writing = writing(KafkaSink.to(topic.with("max.request.size", SMALLER)));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThatThrownBy(writing::check)
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("max.request.size"));
        writing.close();
        assertThat(Broker.values(topic, 0)).isEmpty();
    }

    private static void limit(KafkaTopic topic, String bytes) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry("max.message.bytes", bytes), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", Broker.servers()))) {
            admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
        }
    }

    private static void fails(KafkaTopic topic) {
        WriteThread writing = writing(KafkaSink.to(topic).atLeastOnce());
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThatThrownBy(writing::check).isInstanceOf(TransportException.class));
        writing.close();
        assertThat(writing.arrived()).isLessThan(2);
        assertThat(Broker.values(topic, 0)).isSubsetOf(OUTPUTS.get(0));
    }

    private static void succeeds(KafkaTopic topic) {
        WriteThread again = writing(KafkaSink.to(topic).atLeastOnce());
        again.finish(Duration.ofSeconds(20));
        again.close();
        assertThat(again.arrived()).isEqualTo(3);
        assertThat(new LinkedHashSet<>(Broker.values(topic, 3))).containsExactlyElementsOf(OUTPUTS);
    }

    /** Writes three outputs in one batch. */
    private static WriteThread writing(KafkaSink sink) {
        String topic = sink.topic().name();
        WriteThread writing = WriteThread.open(sink, "id-" + topic, 1);
        for (int i = 0; i < OUTPUTS.size(); i++) {
            writing.add(i + 1, new ProducerRecord<>(topic, 0, null, Broker.bytes(OUTPUTS.get(i))));
        }
        writing.start(0);
        return writing;
    }
}
