package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that goes away for a while is waited for; one that stays away is told, and no gap is ever written. */
@Tag("slow")
@Timeout(120)
@Tag("long")
class BrokerStopTest {
    private static final Duration DELIVERY = Duration.ofMillis(1_500);
    private static final String TOPIC = "stopped";

    private EmbeddedKafka kafka;

    @BeforeEach
    void startBroker() {
        kafka = EmbeddedKafka.start();
    }

    @AfterEach
    void stopBroker() {
        kafka.close();
    }

    @Test
    void missingBrokerEndsTheWritersOfItsConnection() {
        try (KafkaTransport transport = open(DELIVERY)) {
            transport.createTopics(List.of(TOPIC, "other"));
            Connection connection = transport.connect();
            TopicProbe topic = probe(connection);
            TopicProbe other = new TopicProbe("other", connection, turns(connection));
            other.writer();
            topic.write("a");
            topic.awaitStored();
            kafka.stopNode(0);
            topic.write("b");

            turns(connection)
                    .until("the end of the writer", () -> topic.writer().failure() != null);
            assertThat(topic.writer().failure()).hasMessageContainingAll(TOPIC, "after 1 ");
            assertThat(other.writer().failure())
                    .as("its producer is gone, too")
                    .hasMessageContainingAll("other", TOPIC);
            assertThatThrownBy(() -> topic.writer().claim(1))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(TOPIC);
            assertThatThrownBy(() -> other.writer().claim(1))
                    .as("its producer is gone, too")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("other", TOPIC);
            long start = System.nanoTime();
            assertThatCode(connection::close).as("told before").doesNotThrowAnyException();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));

            kafka.startNode(0);
            try (Connection again = transport.connect()) {
                TopicProbe next = probe(again);
                long recovered = next.writer().sequence();
                next.write("c");
                assertThat(next.read((int) recovered + 1).sequences())
                        .isEqualTo(
                                LongStream.rangeClosed(1, recovered + 1).boxed().toList());
            }
        }
    }

    @Test
    void brokerBackInTimeLosesAndRepeatsNothing() {
        try (KafkaTransport transport = open(Duration.ofSeconds(60))) {
            transport.createTopics(List.of(TOPIC));
            try (Connection connection = transport.connect()) {
                TopicProbe topic = probe(connection);
                topic.reader();
                topic.write("before 1", "before 2");
                kafka.stopNode(0);
                topic.write("while 1", "while 2");
                turns(connection).settle(Duration.ofMillis(300));
                kafka.startNode(0);
                topic.write("after");

                assertThat(topic.read(5).texts())
                        .containsExactly("before 1", "before 2", "while 1", "while 2", "after");
            }
        }
    }

    @Test
    void positionsOutlastingARequestTimeoutAreStoredLater() {
        KafkaTransport transport = KafkaTransport.at(KafkaOptions.at(kafka.bootstrapServers())
                .with(KafkaOptions.TIMEOUT, Duration.ofSeconds(2))
                .with(KafkaOptions.COMMIT_INTERVAL, Duration.ofMillis(50))
                .with(KafkaOptions.DELIVERY_TIMEOUT, Duration.ofSeconds(60)));
        try (transport) {
            transport.createTopics(List.of(TOPIC));
            try (Connection connection = transport.connect()) {
                TopicProbe topic = probe(connection);
                topic.write("a", "b");
                Recorder recorder = topic.read(2);
                kafka.stopNode(0);
                topic.reader().acknowledge(recorder.lastPosition());
                turns(connection).settle(Duration.ofMillis(4_500)); // two requests have timed out
                kafka.startNode(0);
                turns(connection)
                        .until(
                                "the position",
                                () -> Long.valueOf(2)
                                        .equals(acknowledged(transport).get(TopicProbe.CONSUMER)));
            }
        }
    }

    private static Map<String, Long> acknowledged(KafkaTransport transport) {
        try (TopicInspector inspector = transport.inspect(TOPIC)) {
            return inspector.acknowledged();
        } catch (TransportException notYet) {
            return Map.of();
        }
    }

    @Test
    void closeThatCannotStoreFailsInTime() {
        try (KafkaTransport transport = open(Duration.ofSeconds(60))) {
            transport.createTopics(List.of(TOPIC));
            Connection connection = transport.connect();
            TopicProbe topic = probe(connection);
            topic.writer();
            kafka.stopNode(0);
            topic.commit("lost");

            long start = System.nanoTime();
            assertThatThrownBy(connection::close)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(TOPIC);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    private KafkaTransport open(Duration delivery) {
        return KafkaTransport.at(KafkaOptions.at(kafka.bootstrapServers())
                .with(KafkaOptions.TIMEOUT, Duration.ofSeconds(5))
                .with(KafkaOptions.DELIVERY_TIMEOUT, delivery));
    }

    private static TopicProbe probe(Connection connection) {
        return new TopicProbe(TOPIC, connection, turns(connection));
    }

    private static Turns turns(Connection connection) {
        return new Turns(Duration.ofSeconds(30), connection);
    }
}
