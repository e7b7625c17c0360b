package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Others may write to a topic; a reader or writer that meets what they left is told where it lies. */
class ForeignRecordTest extends OnBroker {
    static Stream<byte[]> foreignValues() {
        byte[] unknownVersion = new byte[Frame.HEADER_BYTES];
        unknownVersion[0] = Frame.VERSION + 1;
        byte[] noWriter = new byte[Frame.HEADER_BYTES];
        noWriter[0] = Frame.VERSION;
        noWriter[Frame.SEQUENCE_OFFSET] = 2;
        byte[] noMarker = new byte[Frame.HEADER_BYTES];
        noMarker[0] = Frame.VERSION;
        return Stream.of(null, new byte[0], new byte[Frame.HEADER_BYTES - 1], unknownVersion, noWriter, noMarker);
    }

    @ParameterizedTest
    @MethodSource("foreignValues")
    void foreignRecordsStopReadersLaterReleasesStopWriters(byte[] value) throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a");
        }
        produce(name, value);

        Connection connection = connect(transport);
        if (value != null && value.length > 0 && value[0] > Frame.VERSION) {
            assertThatThrownBy(() -> connection.openWriter(name))
                    .as("it may be a frame of a later release")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(name, "offset 2", "not a frame", "start the release that wrote it");
        } else {
            assertThat(connection.openWriter(name).sequence())
                    .as("goes on behind what holds no frame")
                    .isEqualTo(1);
        }
        TopicProbe topic = probe(name, connection);
        assertThat(topic.read(1).texts()).as("frames before it").containsExactly("a");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> topic.read(1))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContainingAll(name, "offset 2", "not a frame");
        }
    }

    @Test
    void textsOfOtherProgramsStopNoWriter() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        for (String text :
                List.of("hello", "{\"id\": 1, \"text\": \"longer than the header of a frame\"}", "\t".repeat(50))) {
            produce(name, text.getBytes(StandardCharsets.UTF_8));
        }
        TopicProbe topic = probe(name, connect(transport));
        topic.write("a");
        for (int i = 0; i < 3; i++) {
            skip(topic);
        }
        assertThat(topic.read(1).sequences()).containsExactly(1L);
    }

    @Test
    void newConsumersReachForeignRecordsThatAreOldest() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        TopicProbe topic = probe(name, connect(transport));
        topic.write("a");
        topic.awaitStored();
        produce(name, new byte[1]);
        topic.write("b");
        topic.awaitStored();
        removeBefore(name, 2);

        assertThatThrownBy(() -> topic.read(1))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContainingAll(name, "offset 2", "not a frame");
        assertThat(topic.reader().skipUnreadable()).isTrue();
        assertThat(topic.read(1).sequences()).containsExactly(2L);
    }

    @Test
    void inspectorsContinueBehindForeignRecords() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        TopicProbe topic = probe(name, connect(transport));
        topic.write("a");
        topic.awaitStored();
        produce(name, new byte[1]);
        topic.write("b");
        topic.awaitStored();

        Recorder seen = new Recorder();
        try (TopicInspector inspector = transport.inspect(name)) {
            assertThat(inspector.newestSequence()).isEqualTo(2);
            assertThatThrownBy(() -> inspector.read(seen, 10)).isInstanceOf(DamagedTopicException.class);
            assertThat(inspector.read(seen, 10)).isEqualTo(1);
        }
        assertThat(seen.texts()).containsExactly("a", "b");
    }

    @Test
    void foreignRecordsBetweenFramesAreSkippedSingly() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        assertThat(topic.reader().skipUnreadable()).as("before any poll").isFalse();
        topic.write("a");
        topic.awaitStored();
        for (byte[] value : foreignValues().toList()) {
            produce(name, value);
        }
        topic.write("b", "c");

        assertThat(topic.read(1).texts()).containsExactly("a");
        assertThat(topic.reader().skipUnreadable()).as("nothing is wrong yet").isFalse();
        for (int offset = 2; offset <= 7; offset++) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> topic.read(1))
                        .isInstanceOf(DamagedTopicException.class)
                        .hasMessageContainingAll(name, "offset " + offset + ":", "not a frame");
            }
            assertThat(topic.reader().skipUnreadable()).isTrue();
            assertThat(topic.reader().skipUnreadable()).as("once for each").isFalse();
        }
        Recorder behind = topic.read(2);
        assertThat(behind.texts()).containsExactly("b", "c");
        assertThat(behind.sequences()).containsExactly(2L, 3L);
        topic.reader().acknowledge(behind.lastPosition() - 1);
        topic.reader().close();
        TopicProbe later = probe(name, connection);
        assertThat(later.reader().found().acknowledged()).isEqualTo(2);
        assertThat(later.read(1).texts()).containsExactly("c");
    }

    @Test
    void skippedRecordIsNotReadAgainAfterAcknowledgement() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        topic.writer();
        produce(name, new byte[1]);
        skip(topic);
        topic.reader().close();

        TopicProbe second = probe(name, connection);
        assertThat(second.reader().found().acknowledged()).isZero();
        topic.write("a");
        topic.awaitStored();
        produce(name, new byte[2]);
        assertThat(second.take(1)).containsExactly("a");
        skip(second);
        second.reader().close();

        TopicProbe third = probe(name, connection);
        assertThat(third.reader().found().acknowledged()).isEqualTo(1);
        topic.write("b");
        topic.awaitStored();
        produce(name, new byte[3]);
        third.read(1);
        skip(third);
        third.reader().close();
        assertThat(probe(name, connection).read(1).texts())
                .as("what is not acknowledged comes again")
                .containsExactly("b");
    }

    @Test
    void frameUnreadableToTheHandlerIsSkippedAlone() {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("a", "b", "c");
        topic.read(1);

        assertThatThrownBy(() ->
                        turns(connection).until("b", () -> topic.reader().poll(ForeignRecordTest::refuse, 1) > 0))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessage("altered");
        assertThat(topic.reader().skipUnreadable()).isTrue();
        Recorder behind = topic.read(1);
        assertThat(behind.texts()).containsExactly("c");
        topic.reader().acknowledge(behind.lastPosition());
    }

    @Test
    void frameOutOfSequenceIsNotSteppedOver() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        TopicProbe topic = probe(name, connect(transport));
        topic.write("a");
        topic.awaitStored();
        produce(name, new byte[1]);
        produce(name, third(topic.writer().incarnation().id()));

        topic.read(1);
        skip(topic);
        assertThatThrownBy(() -> topic.read(1))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "sequence 3 follows 1", "lost");
        assertThat(topic.reader().skipUnreadable()).isFalse();
    }

    private static Verdict refuse(Frame frame, long position) {
        throw new DamagedTopicException("altered", false);
    }

    private static void skip(TopicProbe topic) {
        assertThatThrownBy(() -> topic.read(1)).isInstanceOf(DamagedTopicException.class);
        assertThat(topic.reader().skipUnreadable()).isTrue();
    }

    @Test
    void aGapInTheSequenceIsTold() throws Exception {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        Connection connection = connect(transport);
        TopicProbe topic = probe(name, connection);
        topic.write("a");
        topic.awaitStored();
        produce(name, third(topic.writer().incarnation().id()));

        Recorder recorder = topic.read(1);
        assertThat(recorder.texts()).containsExactly("a");
        assertThatThrownBy(() -> topic.read(1))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "sequence 3 follows 1", "lost");
    }

    /** A frame with sequence 3. */
    static byte[] third(long writer) {
        byte[] value = new byte[Frame.HEADER_BYTES + Extension.bytes(Extension.WRITER_BYTES)];
        ByteBuffer memory = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        Frame frame = new Frame().wrap(memory, 0, value.length - Frame.HEADER_BYTES);
        frame.putFieldLong(frame.addField(Extension.WRITER, Extension.WRITER_BYTES), writer);
        frame.stamp(0, 0, 0, 0, 0);
        frame.sequence(3);
        return value;
    }

    private static void removeBefore(String topic, long offset) throws Exception {
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    static void produce(String topic, byte[] value) throws Exception {
        Map<String, Object> settings =
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) TestBroker.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get();
        }
    }
}
