package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.write.KafkaWriter;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lost frame ends the producer that it was given to, and with it the writers of that time, but not the connection. */
class LostFrameTest extends OnBroker {
    private static final int MOST_OF_TOPIC = 2_000;

    private Connection connection;
    private TopicProbe a;
    private TopicProbe b;

    @BeforeEach
    void connectTwoTopics() {
        KafkaTransport transport =
                transport(options -> options.withPassed("topic.max.message.bytes", Integer.toString(MOST_OF_TOPIC)));
        connection = connect(transport);
        a = probe(newTopic(transport), connection);
        b = probe(newTopic(transport), connection);
        a.write("a 1");
        b.write("b 1");
        a.awaitStored();
        b.awaitStored();
    }

    @Test
    void writersReopenWhileOthersAreOpen() {
        a.reader();
        b.reader();
        Set<String> producersBefore = KafkaClients.producerThreads();
        loseFrameOf(a);
        turns(connection).until("the end of the writer", () -> a.writer().failure() != null);
        assertThat(a.writer().failure()).hasMessageContainingAll(a.name(), "after 1 ");
        assertThat(b.writer().failure()).hasMessageContainingAll(b.name(), a.name());

        a.writer().close();
        TopicProbe nextA = probe(a.name(), connection);
        assertThat(nextA.writer().sequence()).isEqualTo(1);
        nextA.write("a 2");
        nextA.awaitStored();
        assertThatThrownBy(() -> b.writer().claim(1))
                .as("of the producer that was lost")
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(b.name(), a.name());

        b.writer().close();
        TopicProbe nextB = probe(b.name(), connection);
        nextB.write("b 2");
        nextB.awaitStored();
        assertThat(a.read(2).texts()).containsExactly("a 1", "a 2");
        assertThat(b.read(2).sequences()).containsExactly(1L, 2L);
        assertThat(KafkaClients.producerThreads()).hasSameSizeAs(producersBefore);
    }

    @Test
    void endedWriterLeavesItsSuccessorOpen() {
        loseFrameOf(a);
        awaitFailure(a);

        a.writer().close();
        TopicProbe nextA = probe(a.name(), connection);
        nextA.writer();
        assertThatCode(connection::doWork).doesNotThrowAnyException();
        assertThat(nextA.writer().failure()).isNull();
        assertThat(a.writer().failure()).as("also after its close").hasMessageContainingAll(a.name(), "after 1 ");
        nextA.write("a 2");
        nextA.awaitStored();

        loseFrameOf(nextA);
        turns(connection).until("the end of the writer", () -> nextA.writer().failure() != null);
        assertThat(nextA.writer().failure()).as("of the second producer").hasMessageContainingAll(a.name(), "after 2 ");
    }

    @Test
    void closeThrowsEachUnreportedFailure() {
        loseFrameOf(a);
        awaitFailure(a);
        a.writer().close();
        TopicProbe nextA = probe(a.name(), connection);
        loseFrameOf(nextA);
        awaitFailure(nextA);
        nextA.writer().close();
        b.writer().close();
        probe(b.name(), connection).writer();

        assertThatThrownBy(connection::close)
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(a.name(), "after 1 ")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    }

    private static void awaitFailure(TopicProbe topic) {
        Awaitility.await()
                .pollInSameThread()
                .until(() -> ((KafkaWriter) topic.writer()).hasFailed()); // which reports nothing
    }

    /** The broker refuses a frame that is larger than the topic takes. */
    private static void loseFrameOf(TopicProbe topic) {
        topic.commit(new byte[2 * MOST_OF_TOPIC], 0, 0, 0, 0, 0);
        topic.writer().flush();
    }
}
