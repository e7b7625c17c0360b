package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.log.WriterMarker;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.RepairReport;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.tck.TopicProbe;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.errors.TopicExistsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames in a topic whose writer began in a former topic of the name are refused, and a repair drops them. */
class FormerTopicTest extends OnBroker {
    private String name;
    private byte[] leftOver; // a frame that the former topic's writer may still have had in flight
    private Admin admin;

    @BeforeEach
    void recreateATopicThatHadAWriter() throws Exception {
        admin = closing(
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers())));
        KafkaTransport transport = transport();
        name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b");
            topic.awaitStored();
            leftOver = frameOf(topic.writer().incarnation().id());
        }
        recreate(name, admin);
    }

    @Test
    void framesOfAFormerTopicsWriterAreRefusedUntilRepaired() throws Exception {
        ForeignRecordTest.produce(name, leftOver);
        ForeignRecordTest.produce(name, leftOver);

        KafkaTransport transport = transport();
        assertThatThrownBy(() -> connect(transport).openWriter(name))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContaining("former");
        TopicProbe reader = probe(name, connect(transport));
        assertThatThrownBy(() -> reader.read(1))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContaining("former");

        assertThat(String.join("\n", transport.repair(name, true).lines()))
                .contains("would drop: 2 frames of writers that began in a former topic", "sequences 3 to 3");
        assertThat(transport().repair(name, false).dropped()).isEqualTo(2);
        TopicProbe next = probe(name, connect(transport()));
        assertThat(next.writer().sequence()).isZero();
        next.write("c");
        assertThat(next.read(1).sequences()).containsExactly(1L);
    }

    @Test
    void manyLeftOverFramesAreFoundFromTheEnd() throws Exception {
        for (int i = 0; i < 40; i++) {
            ForeignRecordTest.produce(name, leftOver); // more than a first look at the end reads
        }
        KafkaTransport small = transport(options -> options.withWrite(write -> write.withWindow(1)));
        assertThatThrownBy(() -> connect(small).openWriter(name))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContaining("former");
    }

    @Test
    void whatAnEarlierBuildWroteBehindThemIsReadAfterAReset() throws Exception {
        ForeignRecordTest.produce(name, leftOver);
        Incarnation next = WriterMarker.draft(Incarnation.NO_TOPOLOGY, "an earlier build");
        ForeignRecordTest.produce(
                name, WriterMarker.record(TopicNames.partitionOf(name), next).value());
        byte[] fourth = frameOf(WriterMarker.at(1, next).id());
        fourth[Frame.SEQUENCE_OFFSET] = 4;
        ForeignRecordTest.produce(name, fourth);

        RepairReport repair = transport().repair(name, false);
        assertThat(repair.dropped()).isEqualTo(1);
        assertThat(repair.isReadable()).isFalse();
        assertThat(String.join("\n", repair.lines()))
                .contains("not repaired: offset 2: sequence 4 is the first", "--to-offset");
        admin.alterConsumerGroupOffsets(
                        "baton." + TopicProbe.CONSUMER, Map.of(TopicNames.partitionOf(name), new OffsetAndMetadata(2)))
                .all()
                .get(20, TimeUnit.SECONDS);
        TopicProbe reader = probe(name, connect(transport()));
        reader.write("next");
        assertThat(reader.read(2).sequences()).containsExactly(4L, 5L);
    }

    /** Sequence 3 of a writer. */
    private static byte[] frameOf(long writer) {
        return ForeignRecordTest.third(writer);
    }

    /** Deletes a topic and creates it again. */
    static void recreate(String name, Admin admin) throws Exception {
        admin.deleteTopics(List.of(name)).all().get(20, TimeUnit.SECONDS);
        turns().until("the topic to be created again", () -> {
            try {
                admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty())))
                        .all()
                        .get(20, TimeUnit.SECONDS);
                return true;
            } catch (ExecutionException notYet) {
                assertThat(notYet).hasCauseInstanceOf(TopicExistsException.class);
                return false;
            } catch (InterruptedException | TimeoutException failure) {
                throw new AssertionError(failure);
            }
        });
    }
}
