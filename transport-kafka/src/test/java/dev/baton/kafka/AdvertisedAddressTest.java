package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that answers, and names another address where nobody is, is distinguished from one that is not there. */
@Tag("slow")
@Timeout(120)
class AdvertisedAddressTest {
    private static final Duration LIMIT = Duration.ofSeconds(3);

    @Test
    void addressThatTheBrokerAdvertisesIsNamed() {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaOptions.defaults()
                        .withProperty("advertised.listeners", "BROKER://broker.invalid:9999"));
                KafkaTransport transport = KafkaTransport.at(
                        KafkaOptions.at(kafka.bootstrapServers()).with(KafkaOptions.TIMEOUT, LIMIT))) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> transport.createTopics(List.of("a")))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(
                            kafka.bootstrapServers(), "broker.invalid:9999", "advertised.listeners", "3000 ms")
                    .hasMessageNotContaining("no Kafka broker answered");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT.multipliedBy(2));
        }
    }
}
