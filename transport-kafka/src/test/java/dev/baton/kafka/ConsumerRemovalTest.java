package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A consumer with a live reader is not removed; one that another process may read is watched before. */
class ConsumerRemovalTest extends OnBroker {
    private static final String CONSUMER = "gone";

    /** The time for which a position is watched at least. */
    private static final Duration WATCHED = Duration.ofSeconds(2);

    @Test
    void ownClosedConsumerIsForgottenWithoutAWatch() {
        KafkaTransport transport = transport();
        String topic = newTopic(transport);
        Connection connection = connect(transport);
        connection.openReader(topic, CONSUMER).close();

        long start = System.nanoTime();
        assertThat(transport.forgetConsumer(topic, CONSUMER)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(WATCHED);
        assertThat(transport.forgetConsumer(topic, CONSUMER)).isFalse();
    }

    @Test
    void consumerReadInAnotherProcessIsKept() throws Exception {
        KafkaTransport transport = transport();
        String topic = newTopic(transport);
        connect(transport).openReader(topic, CONSUMER).close(); // before the other one
        KafkaTransport other = transport(options -> options.with(KafkaOptions.COMMIT_INTERVAL, Duration.ofMillis(50)));
        Connection reading = connect(other);
        TopicProbe frames = probe(topic, reading);
        TopicReader reader = reading.openReader(topic, CONSUMER);
        CompletableFuture<Boolean> removal =
                CompletableFuture.supplyAsync(() -> transport.forgetConsumer(topic, CONSUMER));
        while (!removal.isDone()) {
            frames.write("a");
            reader.acknowledge(frames.read(reader, 1).lastPosition());
        }
        assertThatThrownBy(() -> removal.get(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS))
                .hasCauseInstanceOf(OccupiedException.class)
                .hasMessageContainingAll(topic, CONSUMER, "in another process");
        reader.close();
        assertThat(transport.forgetConsumer(topic, CONSUMER)).isTrue();
    }
}
