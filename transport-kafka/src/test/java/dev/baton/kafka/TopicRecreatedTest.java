package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A topic that is deleted, or deleted and created again, ends who uses it, within ten seconds and with the reason. */
@Tag("long")
class TopicRecreatedTest extends OnBroker {
    private static final Duration STATED = Duration.ofSeconds(10);

    private KafkaTransport transport;
    private Connection connection;
    private TopicProbe topic;
    private Admin admin;
    private Uuid formerId;

    @BeforeEach
    void openATopic() throws Exception {
        transport = transport();
        connection = connect(transport);
        topic = probe(newTopic(transport), connection);
        admin = closing(
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers())));
        formerId = id(topic.name());
    }

    @Test
    void recreatedTopicEndsIdleWriterWithBothIds() throws Exception {
        topic.write("a", "b");
        topic.awaitStored();
        recreate();
        assertThat(awaitMismatch(topic.writer()::failure))
                .hasMessageContainingAll("Frames up to 2 were stored", "delete the topic", "HANDLE_ALL");
        assertThatThrownBy(() -> topic.writer().claim(1)).hasMessageContaining(formerId.toString());
        assertThat(topic.writer().storedSequence()).isEqualTo(2);
    }

    @Test
    void recreatedTopicEndsIdleReaderWithBothIds() throws Exception {
        topic.reader();
        recreate();
        awaitMismatch(topic.reader()::failure);
        assertThatThrownBy(() -> topic.reader().poll(new Recorder(), 1)).hasMessageContaining(formerId.toString());
    }

    @Test
    void framesInNewTopicNeverCountAsStored() throws Exception {
        topic.write("a", "b", "c");
        topic.awaitStored();
        recreate();
        Throwable failure = catchThrowable(() -> new Turns(STATED, connection).until("a failure", () -> {
            if (topic.writer().remainingCapacity() > 0) {
                topic.write("more");
            }
            assertThat(topic.writer().storedSequence()).isEqualTo(3);
            return false;
        }));
        assertThat(failure).isInstanceOf(TransportException.class).hasMessageContaining(formerId.toString());
        assertThat(topic.writer().storedSequence()).isEqualTo(3);
    }

    @Test
    void readerBehindEndOfNewTopicNamesIt() throws Exception {
        topic.write("a", "b", "c");
        topic.read(3);
        topic.writer().close();
        recreate();
        awaitMismatch(topic.reader()::failure);
        assertThatThrownBy(() -> topic.reader().poll(new Recorder(), 1)).hasMessageContaining(formerId.toString());
    }

    @Test
    void otherWritersAndReadersContinue() throws Exception {
        TopicProbe other = probe(newTopic(transport), connection);
        other.write("a");
        assertThat(other.read(1).texts()).containsExactly("a");
        topic.write("lost");
        topic.awaitStored();
        recreate();
        awaitMismatch(topic.writer()::failure);
        other.write("b");
        other.awaitStored();
        assertThat(other.read(1).texts()).containsExactly("b");
    }

    @Test
    void deletedTopicEndsItsIdleWriter() throws Exception {
        topic.write("a");
        topic.awaitStored();
        delete();
        assertThat(awaitFailure(topic.writer()::failure))
                .hasMessageContainingAll(topic.name(), "was deleted", "Frames up to 1 were stored");
        assertThatThrownBy(() -> topic.writer().claim(1)).hasMessageContaining("was deleted");
    }

    @Test
    void deletedTopicEndsItsIdleReader() throws Exception {
        topic.reader();
        delete();
        assertThat(awaitFailure(topic.reader()::failure)).hasMessageContainingAll(topic.name(), "was deleted");
        assertThatThrownBy(() -> topic.reader().poll(new Recorder(), 1)).hasMessageContaining("was deleted");
    }

    @Test
    void writersNameTheirOwnDeletedTopics() throws Exception {
        TopicProbe other = probe(newTopic(transport), connection);
        topic.writer();
        other.writer();
        admin.deleteTopics(List.of(topic.name(), other.name())).all().get(20, TimeUnit.SECONDS);
        assertThat(awaitFailure(topic.writer()::failure)).hasMessageContaining("'" + topic.name() + "'");
        assertThat(awaitFailure(other.writer()::failure)).hasMessageContaining("'" + other.name() + "'");
    }

    @Test
    void idleChainFailsWithTheReason() throws Exception {
        String name = topic.name() + "-idle";
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named(name)
                        .then("one", () -> (in, out) -> out.forward(in))
                        .then("two", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onFailure(cause -> {})
                        .start()) {
            Awaitility.await().until(() -> running.status().parts().size() == 2);
            admin.deleteTopics(List.of(name + "-1")).all().get(20, TimeUnit.SECONDS);
            Awaitility.await().atMost(STATED).until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow())
                    .hasMessageContainingAll("topic '" + name + "-1' was deleted while it was in use");
            running.close(Duration.ofMillis(1));
        }
    }

    private TransportException awaitMismatch(Supplier<TransportException> failure) throws Exception {
        TransportException found = awaitFailure(failure);
        assertThat(found)
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll(
                        "topic '" + topic.name() + "'",
                        formerId.toString(),
                        id(topic.name()).toString());
        return found;
    }

    private TransportException awaitFailure(Supplier<TransportException> failure) {
        new Turns(STATED, connection).until("a failure", () -> failure.get() != null);
        return failure.get();
    }

    private void delete() throws Exception {
        admin.deleteTopics(List.of(topic.name())).all().get(20, TimeUnit.SECONDS);
    }

    private void recreate() throws Exception {
        FormerTopicTest.recreate(topic.name(), admin);
    }

    private Uuid id(String name) throws Exception {
        return admin.describeTopics(List.of(name))
                .topicNameValues()
                .get(name)
                .get(20, TimeUnit.SECONDS)
                .topicId();
    }
}
