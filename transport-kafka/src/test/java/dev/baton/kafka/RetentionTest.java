package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TransportException;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A broker whose retention removes what has not been read: a reader that misses it is told, and a new consumer begins after. */
class RetentionTest extends OnBroker {
    private static final long EVERYTHING = -1;

    @Test
    void framesThatWereRemovedUnreadAreAnErrorWithTheRemedy() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b", "c", "d", "e");
            topic.awaitStored();
            topic.reader().acknowledge(topic.read(2).lastPosition());
        }
        removeBefore(name, 5);

        Connection connection = connect(transport);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> connection.openReader(name, TopicProbe.CONSUMER))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(
                            name,
                            "offset 3",
                            "left is at 5",
                            "removed 2 unread",
                            "topic.retention.ms",
                            "--to-earliest");
        }
    }

    @Test
    void framesThatWereReadMayBeRemoved() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b", "c");
            topic.awaitStored();
            topic.reader().acknowledge(topic.read(2).lastPosition());
        }
        removeBefore(name, 3);
        assertThat(probe(name, connect(transport)).read(1).texts()).containsExactly("c");
    }

    @Test
    void framesThatAreRemovedUnderALiveReaderAreAnErrorAndNoneIsSkipped() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        TopicProbe writing = probe(name, connect(transport));
        writing.write("1");
        writing.awaitStored();
        TopicProbe reading = probe(name, connect(transport));
        assertThat(reading.read(1).texts()).containsExactly("1");
        for (int i = 2; i <= 6; i++) {
            writing.write(Integer.toString(i));
            writing.awaitStored();
        }
        removeBefore(name, 7);
        writing.write("7");
        writing.awaitStored();

        List<String> read = new ArrayList<>(List.of("1"));
        assertThatThrownBy(() -> {
                    while (read.size() < 7) {
                        read.addAll(reading.read(1).texts());
                    }
                })
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("retention");
        assertThat(read).isEqualTo(List.of("1", "2", "3", "4", "5", "6").subList(0, read.size()));
    }

    @Test
    void aConsumerThatIsNewBeginsAtTheOldestFrameLeft() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b", "c");
            topic.awaitStored();
        }
        removeBefore(name, 3);
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        assertThat(topic.read(1).texts()).containsExactly("c");
        assertThat(topic.writer().sequence()).isEqualTo(3);
    }

    @Test
    void aServiceAndAnOutletThatAreNewBeginAtTheOldestFrameLeft() throws Exception {
        KafkaTransport transport = transport();
        Chain chain = Chain.named("retained-" + TransportFixture.TOPICS.incrementAndGet())
                .then("first", () -> (in, out) -> out.forward(in))
                .build();
        transport.createTopics(List.of(chain.topic(0, 0), chain.topic(0, 1)));
        try (Connection connection = transport.connect()) {
            for (int topic = 0; topic <= 1; topic++) {
                TopicProbe written = probe(chain.topic(0, topic), connection);
                written.write("1", "2", "3");
                written.awaitStored();
            }
        }
        removeBefore(chain.topic(0, 0), 3);
        removeBefore(chain.topic(0, 1), 2);

        List<Long> delivered = new ArrayList<>();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(message -> delivered.add(message.sequence()))
                        .start()) {
            running.inlet().tryClaim(0).commit(0);
            assertThat(running.close(LONGEST_WAIT)).isTrue();
            assertThat(running.failure()).isEmpty();
        }
        assertThat(delivered).containsExactly(2L, 3L, 4L, 5L);
    }

    @Test
    void aConsumerThatIsNewBeginsWithTheNextFrameWhereNoneIsLeft() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        TopicProbe writing = probe(name, connect(transport));
        writing.write("a", "b");
        writing.awaitStored();
        removeBefore(name, 3);

        TopicProbe reading = probe(name, connect(transport));
        assertThat(reading.reader().sequenceAtOpen()).isEqualTo(TopicReader.UNKNOWN);
        writing.write("c");
        assertThat(reading.read(1).sequences()).containsExactly(3L);
    }

    @Test
    void whereTransactionsWereReadAndRemovedReadersAndWritersGoOn() throws Exception {
        KafkaTransport transport = transactional();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            for (String text : List.of("a", "b", "c")) {
                topic.write(text);
                topic.awaitStored();
            }
            assertThat(topic.take(3)).containsExactly("a", "b", "c");
        }
        removeBefore(name, EVERYTHING);

        TopicProbe topic = probe(name, connect(transactional()));
        assertThat(topic.reader().sequenceAtOpen()).isEqualTo(3);
        assertThat(topic.writer().sequence()).isEqualTo(3);
        topic.write("d");
        assertThat(topic.read(1).sequences()).containsExactly(4L);
    }

    @Test
    void aPositionBeforeAMarkerThatWasRemovedMissesNothing() throws Exception {
        KafkaTransport transport = transactional();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a");
            topic.awaitStored();
            topic.take(1);
            topic.write("b");
            topic.awaitStored();
        }
        storeOffset(name, 3); // behind the frame; its transaction's marker has this offset
        removeBefore(name, 4);

        TopicProbe topic = probe(name, connect(transactional()));
        assertThat(topic.reader().sequenceAtOpen()).isEqualTo(1);
        assertThat(topic.read(1).texts()).containsExactly("b");
    }

    @Test
    void aFrameThatWasRemovedUnreadIsMissedThoughNoneIsLeft() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b");
            topic.awaitStored();
            topic.take(1);
        }
        removeBefore(name, EVERYTHING);

        Connection connection = connect(transport);
        assertThatThrownBy(() -> connection.openReader(name, TopicProbe.CONSUMER))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("offset 2", "left is at 3", "removed 1 unread");
    }

    private KafkaTransport transactional() {
        return transport(options -> options.withWrite(write -> write.withTransactions(true)));
    }

    /** Moves the consumer's stored offset and leaves the sequence beside it as it is. */
    private static void storeOffset(String topic, long offset) throws Exception {
        String group = "baton." + TopicProbe.CONSUMER;
        TopicPartition partition = new TopicPartition(topic, 0);
        try (Admin admin = admin()) {
            OffsetAndMetadata stored = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(20, TimeUnit.SECONDS)
                    .get(partition);
            admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset, stored.metadata())))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()));
    }

    private static void removeBefore(String topic, long offset) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }
}
