package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/** A topic that a member of a group holds, in whatever process, is not deleted. */
class DeletionInUseTest extends OnBroker {
    @Test
    void topicHeldByGroupMemberPreventsDeletion() {
        KafkaTransport transport = transport();
        String held = newTopic(transport);
        String other = newTopic(transport);
        try (KafkaConsumer<byte[], byte[]> member = member("watchers")) {
            member.subscribe(List.of(held));
            turns().until("an assignment", () -> {
                member.poll(Duration.ofMillis(50));
                return !member.assignment().isEmpty();
            });

            assertThatThrownBy(() -> transport.deleteTopics(List.of(other, held)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("topic '" + held + "' is in use", "member 'watcher'", "group 'watchers'");
            assertThat(transport.topics()).contains(held, other);
        }

        transport.deleteTopics(List.of(other, held));
        assertThat(transport.topics()).doesNotContain(held, other);
    }

    private static KafkaConsumer<byte[], byte[]> member(String group) {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        TestBroker.bootstrapServers(),
                        ConsumerConfig.GROUP_ID_CONFIG,
                        group,
                        ConsumerConfig.CLIENT_ID_CONFIG,
                        "watcher"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
