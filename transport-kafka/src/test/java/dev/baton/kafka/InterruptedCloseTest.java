package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Transports and inspectors that are closed by a thread which was interrupted, as when an executor is shut down. */
class InterruptedCloseTest extends OnBroker {
    @Test
    void interruptedCloseLeavesNoClient() {
        Set<Thread> before = clients();
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        for (int i = 0; i < 2; i++) { // the second writer reads what the first one stored
            try (Connection connection = transport.connect()) {
                TopicProbe topic = probe(name, connection);
                topic.write("a");
                topic.awaitStored();
            }
        }

        Thread.currentThread().interrupt();
        try {
            transport.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        Awaitility.await().atMost(LONGEST_WAIT).untilAsserted(() -> {
            Set<Thread> left = new HashSet<>(clients());
            left.removeAll(before);
            assertThat(left).isEmpty();
        });
    }

    @Test
    void interruptedThreadsCloseInspectors() {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a");
            topic.awaitStored();
        }
        TopicInspector inspector = transport.inspect(name);
        assertThat(inspector.read(new Recorder(), 1)).isEqualTo(1); // the consumer has connected

        Thread.currentThread().interrupt();
        try {
            inspector.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static Set<Thread> clients() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("kafka-admin-client-thread \\| baton-.*"))
                .collect(Collectors.toSet());
    }
}
