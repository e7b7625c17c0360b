package dev.baton.kafka.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.topics.CommittedPosition;
import dev.baton.kafka.topics.ReaderClaim;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class PositionStoresTest {
    private final PositionStores stores = new PositionStores();

    @Test
    void timeOfFailuresRunsFromFirstInRow() {
        assertThat(stores.failedForNanos(100)).isZero();
        assertThat(stores.failedForNanos(350)).isEqualTo(250);
        stores.succeeded();
        assertThat(stores.failedForNanos(1_000)).isZero();
    }

    @Test
    void nextStoreAwaitsTheOneInFlight() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            KafkaOptions options = KafkaOptions.at("127.0.0.1:" + silent.getLocalPort())
                    .with(KafkaOptions.COMMIT_INTERVAL, Duration.ofMillis(10));
            try (Cluster cluster = new Cluster(options, new ClientSettings(options), "position-stores")) {
                Positions positions = new Positions(cluster, options);
                KafkaReader reader = reader(positions);
                for (int i = 0; i < 2; i++) {
                    reader.storeAgain();
                    Deadline interval = Deadline.in(Duration.ofMillis(20));
                    while (!interval.isOver()) {
                        Deadline.pause();
                    }
                    positions.doWork();
                }
                assertThat(reader.stores().isAnyInFlight()).isTrue();
                reader.stores().ended();
                assertThat(reader.stores().isAnyInFlight()).isFalse();
            }
        }
    }

    private static KafkaReader reader(Positions positions) {
        KafkaReader.Owner owner = (KafkaReader.Owner) Proxy.newProxyInstance(
                KafkaReader.Owner.class.getClassLoader(),
                new Class<?>[] {KafkaReader.Owner.class},
                (self, method, arguments) -> method.getName().equals("positions") ? positions : false);
        return new KafkaReader(
                owner,
                new TopicPartition("t", 0),
                "c",
                "baton.c",
                new ReaderStart(new CommittedPosition(Uuid.ZERO_UUID, 0, 0, 0, ReaderClaim.NONE), null),
                ReaderClaim.NONE.next("test"),
                10);
    }
}
