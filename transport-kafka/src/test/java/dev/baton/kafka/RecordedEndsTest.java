package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics whose broker found a damaged batch when it started, and cut the log there. */
@Tag("long")
class RecordedEndsTest extends OnBroker {
    private static final String GROUP = "baton.@end";

    @TempDir
    private static Path directory;

    private static EmbeddedKafka kafka;
    private static KafkaTransport following;
    private static Connection follower;
    private static TopicProbe followed;

    @BeforeAll
    static void damageTopics() throws IOException {
        kafka = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults().withDirectory(directory));
        writeByTwo("overtaken");
        List<String> topics = List.of("plain", "forgotten", "verified", "transactional", "one-ack");
        for (String topic : topics) {
            try (KafkaTransport transport = KafkaTransport.at(optionsOf(topic))) {
                transport.createTopics(List.of(topic));
                try (Connection connection = transport.connect()) {
                    TopicProbe probe = probe(topic, connection);
                    for (int i = 1; i <= 5; i++) {
                        probe.write("frame " + i);
                        probe.awaitStored();
                    }
                }
            }
        }
        follow("followed");
        kafka.stopNode(0);
        Path node = directory.resolve("node-0");
        Files.delete(node.resolve(".kafka_cleanshutdown")); // as after a crash: the broker checks its logs
        damage(node.resolve("followed-0").resolve("00000000000000000000.log"), "frame 4");
        for (String topic : topics) {
            damage(node.resolve(topic + "-0").resolve("00000000000000000000.log"), "frame 4");
        }
        damage(node.resolve("overtaken-0").resolve("00000000000000000000.log"), "frame 3");
        kafka.startNode(0);
    }

    @AfterAll
    static void stop() {
        follower.close();
        following.close();
        kafka.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "transactional"})
    void cutTopicsAreRefusedWithBothNumbers(String topic) {
        Connection connection = connectTo(topic);
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> connection.openWriter(topic))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(
                            "topic '" + topic + "'",
                            "ends at sequence 3",
                            "sequence 5",
                            "was reported as stored",
                            "one replica",
                            "kafka-consumer-groups --group " + GROUP + " --topic " + topic + ":0 --delete-offsets");
        }
    }

    @Test
    void topicsContinueWithoutTheirDeletedRecord() throws Exception {
        try (Admin admin = admin(kafka.bootstrapServers())) {
            admin.deleteConsumerGroupOffsets(GROUP, Set.of(TopicNames.partitionOf("forgotten")))
                    .all()
                    .get();
        }
        assertContinuesAfterThree("forgotten");
    }

    @Test
    void announcedLossesWithOneAckAreNotRefused() {
        assertContinuesAfterThree("one-ack");
    }

    @Test
    void consumersNoticeFramesThatTookTheirPlace() {
        Connection connection = connectTo("overtaken");
        TopicProbe probe = probe("overtaken", connection);
        assertThat(probe.writer().sequence()).isEqualTo(2);
        probe.write("new 3", "new 4", "new 5", "new 6"); // at the offsets of those that were lost
        probe.awaitStored();
        assertThatThrownBy(() -> connection.openReader("overtaken", TopicProbe.CONSUMER))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("topic 'overtaken'", "offset 7", "offset 4", "the brokers have lost frames");
    }

    @Test
    void inspectionsRefuseCutTopicsToo() {
        KafkaTransport transport = closing(KafkaTransport.at(optionsOf("verified")));
        TopicInspector inspector = closing(transport.inspect("verified"));
        assertThat(inspector.read((frame, position) -> Verdict.DONE, 3)).isEqualTo(3);
        assertThatThrownBy(() -> inspector.read((frame, position) -> Verdict.DONE, 3))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContainingAll("topic 'verified'", "ends at sequence 3", "sequence 5");
    }

    @Test
    void endsAreRecordedWhileWritersAreOpen() {
        KafkaTransport transport = transport();
        TopicProbe topic = probe(newTopic(transport), connect(transport));
        topic.write("a", "b");
        topic.awaitStored();
        Awaitility.await()
                .atMost(LONGEST_WAIT)
                .until(() -> recorded(topic.name()).endsWith(":2"));
    }

    @Test
    void topicsEmptiedByRetentionAreNotRefused() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        writeThree(transport, name);
        assertThat(recorded(name)).endsWith(":3");
        try (Admin admin = admin(TestBroker.bootstrapServers())) {
            admin.deleteRecords(Map.of(TopicNames.partitionOf(name), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
        }
        assertThat(probe(name, connect(transport)).writer().sequence()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void readersBehindTheCutNameTheLoss() {
        turns(follower).until("the reader has ended", () -> followed.reader().failure() != null);
        assertThat(followed.reader().failure())
                .hasMessageContainingAll("the brokers have lost frames", "followed")
                .hasMessageNotContaining("retention");
    }

    @Test
    void topicsCreatedAgainAreNotRefused() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        writeThree(transport, name);
        TopicPartition partition = TopicNames.partitionOf(name);
        String former = recorded(name);
        transport.deleteTopics(List.of(name));
        transport.createTopics(List.of(name));
        try (Admin admin = admin(TestBroker.bootstrapServers())) {
            admin.alterConsumerGroupOffsets(GROUP, Map.of(partition, new OffsetAndMetadata(4, former)))
                    .all()
                    .get();
        }
        assertThat(probe(name, connect(transport)).writer().sequence()).isZero();
    }

    private void assertContinuesAfterThree(String topic) {
        for (int sequence = 3; sequence <= 4; sequence++) {
            Connection connection = connectTo(topic);
            TopicProbe probe = probe(topic, connection);
            assertThat(probe.writer().sequence()).isEqualTo(sequence);
            probe.write("after the loss");
            probe.awaitStored();
            connection.close();
        }
    }

    /** Writes five frames, the last two by a second writer, all of which a consumer acknowledges. */
    private static void writeByTwo(String topic) {
        try (KafkaTransport transport = KafkaTransport.at(optionsOf(topic))) {
            transport.createTopics(List.of(topic));
            for (int sequence = 1; sequence <= 5; sequence += 3) {
                try (Connection connection = transport.connect()) {
                    TopicProbe probe = probe(topic, connection);
                    for (int i = sequence; i <= Math.min(5, sequence + 2); i++) {
                        probe.write("frame " + i);
                        probe.awaitStored();
                        probe.take(1);
                    }
                }
            }
        }
    }

    private static void writeThree(KafkaTransport transport, String name) {
        try (Connection connection = transport.connect()) {
            probe(name, connection).write("a", "b", "c");
        }
    }

    /** Leaves a reader open that has read five frames, of which the last two will be cut off. */
    private static void follow(String topic) {
        following = KafkaTransport.at(optionsOf(topic));
        following.createTopics(List.of(topic));
        follower = following.connect();
        followed = probe(topic, follower);
        for (int i = 1; i <= 5; i++) {
            followed.write("frame " + i);
            followed.awaitStored();
        }
        followed.take(5);
        followed.writer().close();
    }

    private Connection connectTo(String topic) {
        return connect(closing(KafkaTransport.at(optionsOf(topic))));
    }

    private static KafkaOptions optionsOf(String topic) {
        KafkaOptions options = KafkaOptions.at(kafka.bootstrapServers());
        return switch (topic) {
            case "transactional" -> options.with(KafkaOptions.TRANSACTIONS, true);
            case "one-ack", "overtaken" -> options.with(KafkaOptions.ACKS, Acks.LEADER);
            default -> options;
        };
    }

    private static String recorded(String topic) throws Exception {
        try (Admin admin = admin(TestBroker.bootstrapServers())) {
            OffsetAndMetadata stored = admin.listConsumerGroupOffsets(GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(TopicNames.partitionOf(topic));
            return stored == null ? "" : stored.metadata();
        }
    }

    private static Admin admin(String servers) {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) servers));
    }

    private static void damage(Path log, String text) throws IOException {
        int at = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).indexOf(text);
        assertThat(at).as("place of '%s' in %s", text, log).isPositive();
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {'F'}), at);
        }
    }
}
