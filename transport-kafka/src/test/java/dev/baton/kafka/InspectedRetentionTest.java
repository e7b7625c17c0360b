package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.junit.jupiter.api.Test;

/** Inspectors of topics of which retention removes frames before they are read. */
class InspectedRetentionTest extends OnBroker {
    @Test
    void inspectorContinuesAtOldestFrameLeft() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b");
            topic.awaitStored();
        }
        TopicProbe topic = probe(name, connect(transport)); // its marker is removed as well
        topic.write("c", "d", "e");
        topic.awaitStored();

        TopicInspector inspector = closing(transport.inspect(name));
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()))) {
            admin.deleteRecords(Map.of(TopicNames.partitionOf(name), RecordsToDelete.beforeOffset(5)))
                    .all()
                    .get();
        }

        Recorder seen = new Recorder();
        while (inspector.read(seen, 10) > 0) {
            // until there is no more
        }
        assertThat(seen.texts()).containsExactly("d", "e");
    }
}
