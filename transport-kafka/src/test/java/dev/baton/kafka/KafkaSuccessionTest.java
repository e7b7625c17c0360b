package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.RestartPolicy;
import dev.baton.spi.Connection;
import dev.baton.spi.Incarnation;
import dev.baton.spi.Opening;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writers of two processes over one topic, beyond what every transport owes: what is said, and what retention removes. */
class KafkaSuccessionTest extends OnBroker {
    private String name;
    private TopicProbe older;
    private Connection connectionOfOlder;

    @BeforeEach
    void writeTwoFrames() {
        KafkaTransport transport = transport();
        name = newTopic(transport);
        connectionOfOlder = connect(transport);
        older = probe(name, connectionOfOlder);
        older.write("a 1", "a 2"); // offsets 1 and 2 behind the marker
        older.awaitStored();
    }

    @Test
    void olderWriterNamesNewerOneAndDroppedSequences() {
        String newer = rival().writer().incarnation().process();
        older.write("late 1", "late 2", "late 3");
        assertThatThrownBy(older::awaitStored)
                .as("the connection has nothing else to do")
                .isInstanceOf(ReplacedException.class)
                .hasMessageContainingAll(
                        name,
                        newer + ", has begun at offset 3",
                        older.writer().incarnation().process(),
                        "up to sequence 2 count",
                        "drops the 3 that the brokers stored",
                        "sequences 3 to 5");
    }

    @Test
    void secondWriterOfTheProcessStandsBy() {
        KafkaTransport transport = transport();
        String topic = newTopic(transport);
        TopicProbe first = probe(topic, connect(transport));
        first.writer();
        first.reader();
        Connection another = connect(transport);

        assertThatThrownBy(() -> another.openWriter(topic))
                .isInstanceOf(OccupiedException.class)
                .hasMessageContaining(topic);
        assertThatThrownBy(() -> another.openReader(topic, TopicProbe.CONSUMER))
                .isInstanceOf(OccupiedException.class)
                .hasMessageContainingAll(topic, TopicProbe.CONSUMER);
    }

    @Test
    void closeReportsReplacedWriterOnce() {
        rival().writer();
        older.write("late");
        assertThatThrownBy(connectionOfOlder::close)
                .isInstanceOf(ReplacedException.class)
                .hasMessageContaining(name);
        assertThat(rival().read(2).texts()).containsExactly("a 1", "a 2");
    }

    @Test
    void newConsumerDropsLateFramesAfterMarkerRemoval() throws Exception {
        TopicProbe newer = rival();
        newer.writer(); // offset 3
        lateFrame(); // offset 4
        newer.write("b 1");
        newer.awaitStored();
        removeBefore(4);

        TopicProbe reading = rival();
        Recorder read = reading.read(1);
        assertThat(read.texts()).containsExactly("b 1");
        assertThat(read.sequences()).containsExactly(3L);
        assertThat(reading.reader().writer().id())
                .isEqualTo(newer.writer().incarnation().id());
        assertThat(reading.reader().writer().process()).isEqualTo("unknown");
        newer.writer().close(); // its connection's close may report that the next line has replaced it
        assertThat(reading.writer().sequence()).isEqualTo(3);
    }

    @Test
    void resumedConsumerKnowsOwnerAfterMarkerRemoval() throws Exception {
        TopicProbe newer = rival();
        newer.write("b 1", "b 2"); // offsets 4 and 5
        newer.awaitStored();
        TopicProbe reading = rival();
        reading.take(3);
        reading.reader().close();
        lateFrame(); // offset 6
        newer.write("b 3");
        newer.awaitStored();
        removeBefore(5);

        TopicProbe again = rival();
        assertThat(again.reader().found().acknowledged()).isEqualTo(3);
        assertThat(again.read(2).texts()).containsExactly("b 2", "b 3");
    }

    @Test
    void positionsBehindMarkersProtectUnreadFramesFromRetention() throws Exception {
        connectionOfOlder.close(); // later the close may report that the writer was replaced
        Connection connection = connect(transport());
        TopicProbe reading = probe(name, connection);
        reading.take(2);
        TopicProbe newer = rival();
        newer.writer(); // a marker, and nothing else
        turns(connection).settle(Duration.ofMillis(100));
        turns(connection).until("the marker", () -> reading.reader().backlog() == 0);
        reading.reader().close();
        removeBefore(4);

        TopicProbe again = rival();
        assertThat(again.reader().found().acknowledged()).isIn(2L, TopicReader.UNKNOWN);
        newer.write("b 1");
        assertThat(again.read(1).sequences()).containsExactly(3L);
    }

    @Test
    void rivalThatOpensMidwayIsTheNewerWriter() {
        Connection connection = connect(transport());
        Opening<TopicWriter> opening = connection.beginWriter(name, Incarnation.NO_TOPOLOGY);
        opening.prepare();
        TopicProbe newer = rival();
        newer.write("b 1");
        newer.awaitStored();

        TopicWriter replaced = opening.finish();
        assertThatThrownBy(() -> turns(connection).until("it is told", () -> replaced.remainingCapacity() < 0))
                .isInstanceOf(ReplacedException.class);
        assertThatThrownBy(() -> turns(connectionOfOlder)
                        .until("so is the first", () -> older.writer().remainingCapacity() < 0))
                .isInstanceOf(ReplacedException.class);
        newer.write("b 2");
        newer.awaitStored();
        assertThat(rival().read(4).texts()).containsExactly("a 1", "a 2", "b 1", "b 2");
    }

    /** The order of steps of two processes that start together: each writes the topic and reads it. */
    @Test
    void oneOfTwoThatStartTogetherContinues() {
        connectionOfOlder.close(); // later the close may report that the writer was replaced
        Connection connection = connectionOfReplaced();
        TopicProbe first = probe(name, connection);
        TopicProbe second = probe(name, connectionOfReplaced());
        first.writer();
        second.writer();
        TopicReader replaced = second.reader();
        first.reader();
        second.write("b 1");
        second.awaitStored();
        turns(connection).until("the first one's writer", () -> first.writer().failure() != null);
        replaced.acknowledge(second.read(3).lastPosition());
        assertThatThrownBy(replaced::close).isInstanceOf(ReplacedException.class);

        assertThat(kind(first.writer().failure())).isEqualTo(RestartPolicy.Attempts.Step.Kind.REPLACED);
        assertThat(kind(replaced.failure())).isEqualTo(RestartPolicy.Attempts.Step.Kind.RESTART);
    }

    private RestartPolicy.Attempts.Step.Kind kind(Throwable failure) {
        return RestartPolicy.backoff(Duration.ofMillis(100), Duration.ofSeconds(5))
                .attempts(name, true)
                .after(failure, 0, 0)
                .kind();
    }

    /** A connection whose close may report what was replaced. */
    private Connection connectionOfReplaced() {
        Connection connection = transport().connect();
        closing(() -> {
            try {
                connection.close();
            } catch (ReplacedException expected) {
                // as the test has it
            }
        });
        return connection;
    }

    /** Of the older writer, which is told. */
    private void lateFrame() {
        older.write("late");
        assertThatThrownBy(older::awaitStored).isInstanceOf(ReplacedException.class);
    }

    /** The topic as another process has it. */
    private TopicProbe rival() {
        return probe(name, connect(transport()));
    }

    private void removeBefore(long offset) throws Exception {
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(name, 0), RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }
}
