package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.ReplacedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Test;

/** Idle writers that are replaced while the brokers do not answer for another topic of the same process. */
class RivalBesideDeletedTest extends OnBroker {
    /** The brokers are asked for the ends for as long: the request for a deleted topic is repeated meanwhile. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Test
    void idleWriterNoticesRivalBesideDeletedTopic() throws Exception {
        KafkaTransport transport = transport(options ->
                options.with(KafkaOptions.TIMEOUT, TIMEOUT).with(KafkaOptions.RIVAL_INTERVAL, Duration.ofMillis(100)));
        String deleted = newTopic(transport);
        String kept = newTopic(transport);
        Connection connection = connect(transport);
        TopicWriter lost = connection.openWriter(deleted);
        TopicWriter writer = connection.openWriter(kept);
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()))) {
            admin.deleteTopics(List.of(TopicNames.partitionOf(deleted).topic()))
                    .all()
                    .get();
        }
        turns(connection).until("the deletion is noticed", () -> lost.failure() != null);

        try (Connection rival = transport().connect()) {
            rival.openWriter(kept);
        }
        turns(connection).until("the idle writer is replaced", () -> writer.failure() != null);
        assertThat(writer.failure()).isInstanceOf(ReplacedException.class);
    }
}
