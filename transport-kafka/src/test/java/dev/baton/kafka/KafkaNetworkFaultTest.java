package dev.baton.kafka;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.network.NetworkFaultTck;
import dev.baton.tck.network.StalledServerTck;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Faults of the network in front of a broker, and of a broker that stores nothing. */
@Tag("slow")
@Tag("long")
class KafkaNetworkFaultTest {
    private static BrokerCluster broker;

    @BeforeAll
    static void startBroker() {
        broker = BrokerCluster.start(BrokerProcessOptions.defaults()
                .withJvmFlags(List.of("-XX:TieredStopAtLevel=1"))
                .withKafka(EmbeddedKafkaOptions.defaults().withStartTimeout(Duration.ofMinutes(2)))
                .withLinks());
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    interface OnLink extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return new LinkedFixture(broker);
        }
    }

    @Nested
    class NetworkFaults extends NetworkFaultTck implements OnLink {}

    @Nested
    class StalledServers extends StalledServerTck implements OnLink {}
}
