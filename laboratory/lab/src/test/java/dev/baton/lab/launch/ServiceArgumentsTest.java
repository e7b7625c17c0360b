package dev.baton.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.KafkaTransport;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which lines of a service say that it is ready. */
class ServiceArgumentsTest {
    @Test
    void serviceWithoutBrokerIsNotReady() {
        try (Transport noBroker =
                KafkaTransport.at(KafkaOptions.at("127.0.0.1:1").with(KafkaOptions.TIMEOUT, Duration.ofMillis(200)))) {
            noBroker.createTopics(List.of("a"));
        } catch (TransportException refused) {
            assertThat(refused).hasMessageContaining("is it running");
            assertThat("five s3 waiting: again in 100 ms: " + refused.getMessage())
                    .doesNotContain(ServiceArguments.READY);
        }
        assertThat("five s3 running: reads five-2 after message 0").contains(ServiceArguments.READY);
    }
}
