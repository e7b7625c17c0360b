package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.read.KafkaReader;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Positions of a consumer in a topic that was deleted, and in a new one of the name. */
class FormerReaderTest extends OnBroker {
    private Admin admin;

    @BeforeEach
    void openAdmin() {
        admin = closing(
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers())));
    }

    @Test
    void formerReaderKeepsPositionInTheNewTopic() throws Exception {
        KafkaTransport transport =
                transport(options -> options.with(KafkaOptions.COMMIT_INTERVAL, LONGEST_WAIT)); // stores at the close
        String name = newTopic(transport);
        Connection connection = connect(transport);
        for (int i = 0; i < 3; i++) { // each reader's claim counts one more
            connection.openReader(name, TopicProbe.CONSUMER).close();
        }
        TopicProbe former = probe(name, connection);
        former.write("a");
        former.take(1);
        Connection next = connect(transport());
        FormerTopicTest.recreate(name, admin);
        KafkaReader reader = Awaitility.await()
                .atMost(LONGEST_WAIT)
                .pollInSameThread()
                .ignoreExceptions() // not all of the broker knows the new topic yet
                .until(() -> (KafkaReader) next.openReader(name, TopicProbe.CONSUMER), opened -> true);
        try {
            former.reader().close();
        } catch (TransportException noticed) {
            assertThat(noticed).hasMessageContaining("deleted and created again");
        }
        assertThat(stored(reader).metadata()).startsWith(reader.topicId().toString());
    }

    @Test
    void positionInFormerTopicIsReplaced() throws Exception {
        KafkaTransport transport =
                transport(options -> options.with(KafkaOptions.COMMIT_INTERVAL, Duration.ofMillis(10)));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        KafkaReader reader = (KafkaReader) topic.reader();
        OffsetAndMetadata former = new OffsetAndMetadata(7, Uuid.randomUuid() + ":7:0:0:another");
        admin.alterConsumerGroupOffsets(reader.group(), Map.of(reader.partition(), former))
                .all()
                .get(20, TimeUnit.SECONDS);
        topic.write("a");
        topic.take(1);
        turns(connection)
                .until("its own position", () -> stored(reader).metadata().startsWith(reader.topicId() + ":1:"));
        assertThat(reader.failure()).isNull();
    }

    private OffsetAndMetadata stored(KafkaReader reader) {
        try {
            return admin.listConsumerGroupOffsets(reader.group())
                    .partitionsToOffsetAndMetadata()
                    .get(20, TimeUnit.SECONDS)
                    .get(reader.partition());
        } catch (InterruptedException | ExecutionException | TimeoutException failure) {
            throw new AssertionError(failure);
        }
    }
}
