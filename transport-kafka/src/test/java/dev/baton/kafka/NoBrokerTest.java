package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that is not there, or there and silent, is named within the stated time, and nobody goes on knocking. */
@Timeout(60)
class NoBrokerTest {
    private static final Duration LIMIT = Duration.ofMillis(800);

    @Test
    void portWithoutListenerIsNamedInTime() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertEverythingSaysSo("127.0.0.1:" + port);
    }

    @Test
    void silentBrokerIsNamedInTime() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertEverythingSaysSo("127.0.0.1:" + silent.getLocalPort());
        }
    }

    @Test
    void aHostThatCannotBeResolvedIsNamed() {
        try (KafkaTransport transport = open("no-such-host.invalid:9092")) {
            assertThatThrownBy(transport::connect)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("no-such-host.invalid:9092");
        }
    }

    @Test
    void aClosedTransportConnectsNoMore() {
        KafkaTransport transport = open("127.0.0.1:1");
        transport.close();
        transport.close();

        assertThatThrownBy(transport::connect)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private static void assertEverythingSaysSo(String address) {
        Set<Thread> before = Thread.getAllStackTraces().keySet(); // of the broker that other tests share, too
        try (KafkaTransport transport = open(address)) {
            assertSaysSo(address, transport::connect);
            assertSaysSo(address, transport::topics);
            assertSaysSo(address, () -> transport.createTopics(List.of("a")));
            assertSaysSo(address, () -> transport.deleteTopics(List.of("a")));
            Awaitility.await("nobody knocks any more")
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                            .noneMatch(thread -> thread.getName().contains("baton-") && !before.contains(thread)));
        }
    }

    private static void assertSaysSo(String address, ThrowingCallable call) {
        long start = System.nanoTime();
        assertThatThrownBy(call)
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(address, LIMIT.toMillis() + " ms");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT.multipliedBy(4));
    }

    private static KafkaTransport open(String address) {
        return KafkaTransport.at(KafkaOptions.at(address).with(KafkaOptions.TIMEOUT, LIMIT));
    }
}
