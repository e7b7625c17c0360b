package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.connection.KafkaConnection;
import dev.baton.kafka.read.Positions;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/** Where writers and readers go on, beyond what every transport owes. */
class RecoveryTest extends OnBroker {
    @Test
    void nextWriterOfConnectionContinuesBehindUnstoredFrames() {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        String name = newTopic(transport);
        for (int round = 1; round <= 5; round++) {
            try (TopicWriter writer = connection.openWriter(name)) {
                assertThat(writer.sequence()).isEqualTo(3L * (round - 1));
                for (int i = 0; i < 3; i++) {
                    writer.claim(0).stamp(0, 0, 0, 0, 0);
                    writer.commit(0);
                }
            }
        }
        assertThat(probe(name, connection).read(15).sequences()).endsWith(14L, 15L);
    }

    @Test
    void sequenceAtOpenIsTheNewestAcknowledgedFrames() {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            assertThat(topic.reader().found().acknowledged()).isZero();
            topic.write("a", "b", "c");
            Recorder read = topic.read(3);
            topic.reader().acknowledge(read.frames().get(1).position());
        }
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        assertThat(topic.reader().found().acknowledged()).isEqualTo(2);
        assertThat(topic.read(1).texts()).containsExactly("c");
    }

    @Test
    void closingReaderStoresPositionForTheNext() {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("a", "b");
        topic.take(1);
        topic.reader().close();

        TopicReader next = connection.openReader(topic.name(), TopicProbe.CONSUMER);
        assertThat(topic.read(next, 1).texts()).containsExactly("b");
    }

    @Test
    void closeReportsAFailedStoreInFlight() {
        Duration interval = Duration.ofMillis(10);
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.COMMIT_INTERVAL, interval));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("a");
        topic.awaitStored();
        TopicReader reader = connection.openReader(topic.name(), "refused");
        long position = topic.read(reader, 1).lastPosition();
        closing(member("baton.refused", newTopic(transport)));
        reader.acknowledge(position);
        turns().until("the interval", Deadline.in(interval)::isOver);
        connection.doWork(); // begins to store what a group with a member refuses

        assertThatThrownBy(reader::close).isInstanceOf(TransportException.class).hasMessageContaining("baton.refused");
        assertThat(((KafkaConnection) connection).positions().isSettled()).isTrue();
    }

    /** Returns a member of a consumer group, which then takes positions from its members only. */
    private static KafkaConsumer<byte[], byte[]> member(String group, String topic) {
        KafkaConsumer<byte[], byte[]> member = new KafkaConsumer<>(
                Map.of("bootstrap.servers", TestBroker.bootstrapServers(), "group.id", group),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        member.subscribe(List.of(topic));
        turns().until("its membership", () -> {
            member.poll(Duration.ofMillis(100));
            return !member.assignment().isEmpty();
        });
        return member;
    }

    @Test
    void positionsAreStoredAtIntervalWithoutClose() {
        KafkaTransport transport =
                transport(options -> options.with(KafkaOptions.COMMIT_INTERVAL, Duration.ofMillis(20)));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("a", "b");
        topic.take(2);

        TopicInspector inspector = closing(transport.inspect(topic.name()));
        turns(connection)
                .until("a stored position", () -> inspector.acknowledged().get(TopicProbe.CONSUMER) == 2);
    }

    @Test
    void openingAReaderRenewsItsStoredPosition() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b");
            topic.take(2);
        }
        String before = storedBeside(name);
        assertThat(probe(name, connect(transport)).reader().found().acknowledged())
                .isEqualTo(2);
        assertThat(storedBeside(name)).as("claimed by the new reader").isNotEqualTo(before);
        assertThat(acknowledged(transport, name)).containsEntry(TopicProbe.CONSUMER, 2L);
    }

    @Test
    void onlyPositionsThatDoNotMoveAreRenewed() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        topic.write("a", "b");
        topic.take(2);
        Positions positions = ((KafkaConnection) connection).positions();
        positions.storeAll(Deadline.in(LONGEST_WAIT));

        expirePosition(name);
        positions.refresh();
        positions.storeAll(Deadline.in(LONGEST_WAIT));
        assertThat(acknowledged(transport, name)).doesNotContainKey(TopicProbe.CONSUMER);
        positions.refresh();
        positions.storeAll(Deadline.in(LONGEST_WAIT));
        assertThat(acknowledged(transport, name)).containsEntry(TopicProbe.CONSUMER, 2L);
    }

    private static Map<String, Long> acknowledged(KafkaTransport transport, String topic) {
        try (TopicInspector inspector = transport.inspect(topic)) {
            return inspector.acknowledged();
        }
    }

    private static String storedBeside(String topic) throws Exception {
        try (Admin admin = admin()) {
            return admin.listConsumerGroupOffsets("baton." + TopicProbe.CONSUMER)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(TopicNames.partitionOf(topic))
                    .metadata();
        }
    }

    /** As a broker does when nobody has stored it for offsets.retention.minutes. */
    private static void expirePosition(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteConsumerGroupOffsets("baton." + TopicProbe.CONSUMER, Set.of(TopicNames.partitionOf(topic)))
                    .all()
                    .get();
        }
    }

    @Test
    void secondConsumerGetsAllFramesFirstNoneTwice() {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("a", "b");
        assertThat(topic.read(1).texts()).containsExactly("a");

        TopicReader late = connection.openReader(topic.name(), "late");
        topic.write("c");
        assertThat(topic.read(late, 3).texts()).containsExactly("a", "b", "c");
        assertThat(topic.read(2).texts()).containsExactly("b", "c");
        assertThatThrownBy(() -> connection.openReader(topic.name(), "late"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(topic.name(), "late");
    }

    @Test
    void framesRemovedByRetentionAreNotCountedAgain() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b", "c");
            topic.take(3);
        }
        try (Admin admin = admin()) {
            admin.deleteRecords(Map.of(TopicNames.partitionOf(name), RecordsToDelete.beforeOffset(3)))
                    .all()
                    .get();
        }
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        assertThat(topic.writer().sequence()).isEqualTo(3);
        topic.write("d");
        assertThat(topic.read(1).sequences()).containsExactly(4L);
    }

    @Test
    void aTopicOfSeveralPartitionsIsRefused() throws Exception {
        KafkaTransport transport = transport();
        String name = "three-partitions";
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(3), Optional.of((short) 1))))
                    .all()
                    .get();
        }
        Connection connection = connect(transport);
        assertThatThrownBy(() -> connection.openWriter(name))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "3 partitions");
        assertThatThrownBy(() -> connection.openReader(name, "someone"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "3 partitions");
    }

    private static Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) TestBroker.bootstrapServers()));
    }
}
