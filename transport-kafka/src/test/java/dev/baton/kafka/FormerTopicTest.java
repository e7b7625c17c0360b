package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.tck.TopicProbe;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames in a topic whose writer began in a former topic of the name do not count, and stop readers. */
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
    void framesOfFormerWritersStopReadersUntilSkipped() throws Exception {
        ForeignRecordTest.produce(name, leftOver);
        ForeignRecordTest.produce(name, leftOver);

        TopicProbe topic = probe(name, connect(transport()));
        assertThat(topic.writer().sequence()).isZero();
        topic.write("c");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> topic.read(1))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContaining("former");
            assertThat(topic.reader().skipUnreadable()).isTrue();
        }
        assertThat(topic.read(1).sequences()).containsExactly(1L);
    }

    @Test
    void writersContinueAfterNoFormerFrame() throws Exception {
        for (int i = 0; i < 40; i++) {
            ForeignRecordTest.produce(name, leftOver); // more than a first look at the end reads
        }
        KafkaTransport small = transport(options -> options.with(KafkaOptions.WINDOW, 1));
        assertThat(connect(small).openWriter(name).sequence()).isZero();
    }

    @Test
    void formerFramesReplaceNoWriterOfReopenedReaders() throws Exception {
        Connection connection = connect(transport());
        TopicProbe topic = probe(name, connection);
        assertThat(whenKnown(topic::writer).sequence()).isZero();
        topic.write("a", "b", "c", "d");
        topic.take(4);
        topic.reader().close();
        ForeignRecordTest.produce(name, frameOf(Incarnation.id(3, 7))); // began farther back than the position
        topic.write("e");
        topic.awaitStored();

        TopicProbe again = probe(name, connection);
        assertThatThrownBy(() -> again.read(1))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContaining("former");
        assertThat(again.reader().skipUnreadable()).isTrue();
        assertThat(again.read(1).texts()).containsExactly("e");
    }

    /** Opens something in a topic that was just created again, which all of the broker learns a moment later. */
    private static <T> T whenKnown(Callable<T> opening) {
        return Awaitility.await()
                .atMost(LONGEST_WAIT)
                .pollInSameThread()
                .ignoreExceptions()
                .until(opening, opened -> true);
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
