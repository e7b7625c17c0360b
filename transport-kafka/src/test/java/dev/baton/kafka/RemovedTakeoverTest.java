package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.junit.jupiter.api.Test;

/** A writer that was suspended, while another one took its place and retention removed all that this one stored. */
class RemovedTakeoverTest extends OnBroker {
    @Test
    void takeoverThatRetentionRemovedConfirmsNothingUnread() throws Exception {
        KafkaTransport suspended = transport(options -> options.with(KafkaOptions.RIVAL_INTERVAL, Duration.ofHours(1)));
        String name = newTopic(suspended);
        Connection formerConnection = connect(suspended);
        TopicProbe former = probe(name, formerConnection);
        former.write("a");
        former.awaitStored();

        Connection connection = connect(transport());
        TopicProbe newer = probe(name, connection);
        newer.write("b");
        newer.awaitStored();
        assertThat(newer.take(2)).containsExactly("a", "b");
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()))) {
            admin.deleteRecords(Map.of(TopicNames.partitionOf(name), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
        }

        former.commit("c"); // which every reader drops
        former.writer().flush();
        turns(formerConnection)
                .until(
                        "an answer",
                        () -> former.writer().storedSequence() == 2
                                || former.writer().failure() != null);
        assertThat(former.writer().storedSequence()).isEqualTo(1);
    }
}
