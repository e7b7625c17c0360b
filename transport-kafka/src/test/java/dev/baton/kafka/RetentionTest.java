package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.RunningChain;
import dev.baton.deadletters.Redrive;
import dev.baton.kafka.connection.KafkaConnection;
import dev.baton.kafka.read.KafkaReader;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
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
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A broker whose retention removes what has not been read: a reader that misses it is told, and a new consumer begins after. */
class RetentionTest extends OnBroker {
    private static final long EVERYTHING = -1;

    @Test
    void framesRemovedUnreadAreAnErrorWithRemedy() throws Exception {
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
    void framesRemovedUnderLiveReaderAreAnError() throws Exception {
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
    void removalBeforeLaterReaderLeavesEarlierOneAlone() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        topic.write("a", "b", "c");
        topic.awaitStored();
        assertThat(topic.read(3).texts()).containsExactly("a", "b", "c");

        Opening<TopicReader> opening = connection.beginReader(name, "later", StartPosition.stored());
        opening.prepare();
        removeBefore(name, 3);
        TopicReader later = opening.finish();
        turns(connection).until("the later reader to fail", () -> later.failure() != null);
        assertThat(later.failure()).hasMessageContaining("retention");

        topic.write("d");
        assertThat(topic.read(1).texts()).containsExactly("d");
    }

    @Test
    void newConsumerBeginsAtOldestFrameLeft() throws Exception {
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
    void newServiceAndOutletBeginAtOldestFrame() throws Exception {
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
    void newConsumerOfEmptyTopicBeginsAtNext() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        TopicProbe writing = probe(name, connect(transport));
        writing.write("a", "b");
        writing.awaitStored();
        removeBefore(name, 3);

        TopicProbe reading = probe(name, connect(transport));
        assertThat(reading.reader().found().acknowledged()).isEqualTo(TopicReader.UNKNOWN);
        writing.write("c");
        assertThat(reading.read(1).sequences()).containsExactly(3L);
    }

    @Test
    void readersAndWritersContinueBehindRemovedTransactions() throws Exception {
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
        assertThat(topic.reader().found().acknowledged()).isEqualTo(3);
        assertThat(topic.writer().sequence()).isEqualTo(3);
        topic.write("d");
        assertThat(topic.read(1).sequences()).containsExactly(4L);
    }

    @Test
    void removedMarkersBehindTransactionsAreNotMissed() throws Exception {
        KafkaTransport transport = transactional();
        String input = newTopic(transport);
        String output = newTopic(transport);
        try (Connection service = transport.connect()) {
            TopicReader reader = service.openReader(input, TopicProbe.CONSUMER);
            TopicProbe outputs = probe(output, service);
            try (Connection connection = transport.connect()) {
                TopicProbe inputs = probe(input, connection);
                inputs.write("a");
                inputs.awaitStored();
            }
            long[] position = {-1};
            turns(service)
                    .until(
                            "the input is read",
                            () -> reader.poll(
                                            (frame, at) -> {
                                                position[0] = at; // offset 2, as the first transaction has the others
                                                return Verdict.DONE;
                                            },
                                            1)
                                    == 1);
            outputs.commit("A");
            outputs.writer().flush(reader, position[0]); // stored with its position
            outputs.awaitStored();
            reader.acknowledge(position[0]);

            try (Connection connection = transport.connect()) {
                connection.openWriter(input); // a restart that sends nothing: a marker
            }
            turns(service)
                    .until(
                            "the marker is passed",
                            () -> ((KafkaReader) reader).positionAt(position[0]).nextOffset() == 6);
        }
        removeBefore(input, EVERYTHING);

        assertThat(connect(transport)
                        .openReader(input, TopicProbe.CONSUMER)
                        .found()
                        .acknowledged())
                .isEqualTo(1);
    }

    @Test
    void removedAbortedTransactionMissesNothing() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a");
            topic.awaitStored();
            topic.take(1);
            turns(connection).until("the position is stored", ((KafkaConnection) connection).positions()::isSettled);
            abortOneRecord(name); // as when a writer is killed and its transaction times out
            turns(connection)
                    .until(
                            "the aborted record is passed",
                            () -> ((KafkaReader) topic.reader()).positionAt(1).nextOffset() == 4);
        }
        removeBefore(name, EVERYTHING);

        assertThat(connect(transport)
                        .openReader(name, TopicProbe.CONSUMER)
                        .found()
                        .acknowledged())
                .isEqualTo(1);
    }

    @Test
    void positionBeforeMarkerThatWasRemovedMissesNothing() throws Exception {
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
        assertThat(topic.reader().found().acknowledged()).isEqualTo(1);
        assertThat(topic.read(1).texts()).containsExactly("b");
    }

    @Test
    void frameRemovedUnreadIsMissedInEmptyTopic() throws Exception {
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

    @Test
    void removedMarkersOfWritersAreNotMissed() throws Exception {
        for (boolean isWriterFirst : new boolean[] {false, true}) {
            KafkaTransport transport = transport();
            String name = newTopic(transport);
            try (Connection connection = transport.connect()) {
                TopicProbe topic = probe(name, connection);
                topic.write("a", "b");
                topic.awaitStored();
                topic.take(2);
            }
            try (Connection connection = transport.connect()) {
                connection.openWriter(name); // a restart that sends nothing, while the consumer is away
            }
            removeBefore(name, EVERYTHING);

            Connection connection = connect(transport());
            if (isWriterFirst) {
                connection.openWriter(name);
            }
            TopicProbe topic = probe(name, connection);
            assertThat(topic.reader().found().acknowledged()).isEqualTo(2);
        }
    }

    @Test
    void halfALetterIsSentAgain() throws Exception {
        KafkaTransport transport = transport();
        Chain chain = failing();
        String letters = chain.deadLetterTopic(0, "first");
        send(transport, chain, 2); // offsets 1 and 2 are a letter, and so are 3 and 4
        removeBefore(letters, 2);
        assertThat(redrive(transport, letters)).containsExactly(1L, 2L);

        send(transport, chain, 2); // behind another marker and with those sent again: 6 and 7 to 12 and 13
        removeBefore(letters, 7);
        assertThat(redrive(transport, letters)).containsExactly(3L, 4L, 5L, 6L);
        assertThat(redrive(transport, letters)).isEmpty();
    }

    @Test
    void lettersThatRetentionRemovedHoldUpNoRedrive() throws Exception {
        KafkaTransport transport = transport();
        Chain chain = failing();
        String letters = chain.deadLetterTopic(0, "first");
        send(transport, chain, 1);
        redrive(transport, letters);
        send(transport, chain, 2); // 4 and 5, 6 and 7, 8 and 9
        removeBefore(letters, 7);
        Redrive.Report report = Redrive.run(transport, letters, (letter, sequence) -> {});
        assertThat(report.sent()).isEqualTo(2);
        assertThat(report.removed()).isEqualTo(3);

        removeBefore(letters, EVERYTHING);
        assertThat(redrive(transport, letters)).isEmpty();
    }

    /** Gives up on every message. */
    private static Chain failing() {
        return Chain.named("failing-" + TransportFixture.TOPICS.incrementAndGet())
                .then("first", () -> (in, out) -> {
                    throw new IllegalStateException("no");
                })
                .build();
    }

    private static void send(KafkaTransport transport, Chain chain, int messages) {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .start()) {
            for (int i = 0; i < messages; i++) {
                running.inlet().send(new byte[1]);
            }
            assertThat(running.close(LONGEST_WAIT)).isTrue();
            assertThat(running.failure()).isEmpty();
        }
    }

    private static List<Long> redrive(KafkaTransport transport, String letters) {
        List<Long> sent = new ArrayList<>();
        Redrive.run(transport, letters, (letter, sequence) -> sent.add(letter.sequence()));
        return sent;
    }

    private KafkaTransport transactional() {
        return transport(options -> options.with(KafkaOptions.TRANSACTIONS, true));
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

    private static void abortOneRecord(String topic) {
        Map<String, Object> settings = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                TestBroker.bootstrapServers(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                "killed-" + topic);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, new byte[0]));
            producer.flush();
            producer.abortTransaction();
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
