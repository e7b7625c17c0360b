package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commit of a source whose request is lost with its connection. */
@Tag("slow")
@Tag("long")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostCommitTest {
    private static final String GROUP = "reader";
    private static final int RECORDS = 4;

    @Test
    void aCommitThatIsLostIsRepeated() throws Exception {
        try (BrokerCluster broker =
                BrokerCluster.start(BrokerProcessOptions.defaults().withLinks())) {
            KafkaTopic topic = KafkaTopic.at(broker.bootstrapServers(), "in");
            write(broker);
            TopicAdmin admin = new TopicAdmin(topic);
            FetchThread fetching = FetchThread.start(
                    KafkaSource.of(topic), admin, admin.describe(), 0, GROUP, -1, FetchThread.BY_POLICY);
            int[] fetched = {0};
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                var batch = fetching.poll();
                fetched[0] += batch == null ? 0 : batch.size();
                return fetched[0] == RECORDS;
            });
            fetching.stored(0);
            await().atMost(Duration.ofSeconds(30)).until(() -> committed(topic) == 1);
            broker.linkToClients(0).hold();
            fetching.stored(RECORDS - 1);
            Thread.sleep(2_500); // the request is on its way
            broker.linkToClients(0).reset();
            broker.linkToClients(0).heal();
            fetching.close();
            assertThat(committed(topic)).isEqualTo(RECORDS);
        }
    }

    private static void write(BrokerCluster broker) throws Exception {
        Map<String, Object> servers = Map.of("bootstrap.servers", broker.bootstrapServers());
        try (Admin admin = Admin.create(servers);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(servers, new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic("in", 1, (short) 1))).all().get();
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>("in", 0, null, new byte[10])).get();
            }
        }
    }

    private static long committed(KafkaTopic topic) {
        try (TopicAdmin admin = new TopicAdmin(topic)) {
            OffsetAndMetadata found = admin.committed(GROUP, 0);
            return found == null ? 0 : found.offset();
        }
    }
}
