package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sink without transactions while the cluster does not answer. */
@Tag("slow")
@Tag("long")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AbsentClusterTest {
    private static final int OUTPUTS = 50;
    private static final int BYTES = 10_000;
    private static final Duration ABSENT = Duration.ofSeconds(25); // longer than an opening may take

    @Test
    void sinkBeyondTheProducersMemoryWaits() throws Exception {
        try (BrokerCluster broker =
                BrokerCluster.start(BrokerProcessOptions.defaults().withLinks())) {
            Map<String, Object> servers = Map.of("bootstrap.servers", broker.bootstrapServers());
            try (Admin admin = Admin.create(servers)) {
                admin.createTopics(List.of(new NewTopic("out", 1, (short) 1)))
                        .all()
                        .get();
                KafkaTopic topic = KafkaTopic.at(broker.bootstrapServers(), "out")
                        .with("buffer.memory", Integer.toString(OUTPUTS * BYTES / 2));
                WriteThread writing = WriteThread.open(KafkaSink.to(topic).atLeastOnce(), "id", 1);
                writing.start(0);
                add(writing, 1);
                Awaitility.await().until(() -> {
                    writing.check();
                    return writing.arrived() == 1;
                });
                broker.linkToClients(0).hold();
                LongStream.rangeClosed(2, OUTPUTS).forEach(sequence -> add(writing, sequence));
                Awaitility.await().during(ABSENT).atMost(ABSENT.multipliedBy(2)).untilAsserted(writing::check);
                broker.linkToClients(0).heal();
                writing.finish(Duration.ofSeconds(60));
                writing.close();
                assertThat(writing.arrived()).isEqualTo(OUTPUTS);
                TopicPartition place = new TopicPartition("out", 0);
                assertThat(admin.listOffsets(Map.of(place, OffsetSpec.latest()))
                                .partitionResult(place)
                                .get()
                                .offset())
                        .isEqualTo(OUTPUTS);
            }
        }
    }

    private static void add(WriteThread writing, long sequence) {
        writing.add(sequence, new ProducerRecord<>("out", 0, null, new byte[BYTES]));
    }
}
