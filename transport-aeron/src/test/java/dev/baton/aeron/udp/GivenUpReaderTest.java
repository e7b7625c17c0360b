package dev.baton.aeron.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.UdpOptions;
import dev.baton.aeron.UdpPorts;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers that ask for the end of a topic and are not opened, which leaves their consumer where it was. */
@Tag("long")
class GivenUpReaderTest {
    private static final String TOPIC = "orders";
    private static final String CONSUMER = "c";

    private final UdpOptions options = UdpPorts.options().with(UdpOptions.TIMEOUT, Duration.ofSeconds(1));
    private final UdpTopics writing = new UdpTopics(options);
    private final UdpTopics reading = new UdpTopics(options.with(UdpOptions.ROLE, UdpOptions.Role.READER));
    private final Connection here = writing.connect();
    private final Connection elsewhere = reading.connect();

    /** Writes two frames, of which the consumer acknowledges none. */
    @BeforeEach
    void write() {
        writing.create(List.of(TOPIC));
        reading.create(List.of(TOPIC));
        here.openReader(TOPIC, CONSUMER).close();
        TopicWriter writer = here.openWriter(TOPIC);
        for (int i = 0; i < 2; i++) {
            writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
            writer.commit(Long.BYTES);
        }
        writer.close();
    }

    @AfterEach
    void close() {
        elsewhere.close();
        here.close();
        reading.close();
        writing.close();
    }

    private static Opening<TopicReader> atTheEnd(Connection connection) {
        return connection.beginReader(TOPIC, CONSUMER, StartPosition.latest());
    }

    private long acknowledged() {
        return here.openReader(TOPIC, CONSUMER).found().acknowledged();
    }

    @Test
    void withdrawnReaderLeavesItsConsumer() throws Exception {
        Opening<TopicReader> local = atTheEnd(here);
        local.prepare();
        local.withdraw();
        Opening<TopicReader> remote = atTheEnd(elsewhere);
        CompletableFuture.runAsync(remote::prepare).get(10, TimeUnit.SECONDS);
        remote.withdraw();
        assertThat(acknowledged()).isZero();
    }

    @Test
    void requestsThatArriveLateLeaveTheirConsumer() throws Exception {
        HostedTopic hosted = writing.topic(TOPIC);
        Opening<TopicReader> opening = atTheEnd(elsewhere);
        synchronized (hosted) { // as if its process was suspended
            CompletableFuture<Void> late = CompletableFuture.runAsync(opening::prepare);
            assertThatThrownBy(() -> late.get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("has not answered");
        }
        Opening<TopicReader> next = elsewhere.beginReader(TOPIC, "next", StartPosition.stored());
        CompletableFuture.runAsync(next::prepare).get(10, TimeUnit.SECONDS); // all before it has arrived
        assertThat(hosted.isReadElsewhere(CONSUMER)).isFalse();
        assertThat(acknowledged()).isZero();
        next.finish();
    }
}
