package dev.baton.kafka;

import dev.baton.spi.Connection;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** What tests against the shared broker have in common: transports with options of their own, closed after each test. */
@Tag("slow")
@Timeout(120)
abstract class OnBroker {
    static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** Has something closed after the test, before what was opened earlier. */
    final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    final KafkaTransport transport() {
        return transport(options -> options);
    }

    final KafkaTransport transport(UnaryOperator<KafkaOptions> change) {
        return closing(KafkaTransport.at(change.apply(KafkaOptions.at(TestBroker.bootstrapServers()))));
    }

    final Connection connect(KafkaTransport transport) {
        return closing(transport.connect());
    }

    static Turns turns(Connection... connections) {
        return new Turns(LONGEST_WAIT, connections);
    }

    static TopicProbe probe(String topic, Connection connection) {
        return new TopicProbe(topic, connection, turns(connection));
    }

    /** A topic that no test has used yet. */
    static String newTopic(KafkaTransport transport) {
        String name = "kafka-" + TransportFixture.TOPICS.incrementAndGet();
        transport.createTopics(List.of(name));
        return name;
    }
}
