package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deletion of topics over UDP in the process that writes them. */
@Tag("long")
class UdpDeletionTest {
    private static final String FIRST = "orders";
    private static final String SECOND = "trades";

    private final UdpOptions options = UdpPorts.options();
    private UdpTransport transport;
    private Connection connection;

    @BeforeEach
    void open() {
        transport = UdpTransport.open(options);
        transport.createTopics(List.of(FIRST, SECOND));
        connection = transport.connect();
    }

    @AfterEach
    void close() {
        connection.close();
        transport.close();
    }

    /** Returns both topics, and opens something of the first one when the deletion comes to the second one. */
    private static Collection<String> namesWith(Runnable opening) {
        return new AbstractList<>() {
            @Override
            public String get(int index) {
                if (index == 1) {
                    opening.run();
                }
                return index == 0 ? FIRST : SECOND;
            }

            @Override
            public int size() {
                return 2;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingOpensOnATopicBeingDeleted(boolean isWriter) {
        Consumer<Connection> open = isWriter
                ? from -> from.openWriter(FIRST)
                : from -> from.openReader(FIRST, UdpSide.CONSUMER, StartPosition.stored());
        transport.deleteTopics(namesWith(() -> assertThatThrownBy(() -> open.accept(connection))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(FIRST)));
        assertThat(transport.topics()).isEmpty();
    }

    @Test
    void refusedDeletionLeavesAllTopicsUsable() {
        connection.openWriter(SECOND);
        assertThatThrownBy(() -> transport.deleteTopics(List.of(FIRST, SECOND)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(SECOND)
                .hasMessageContaining("in use");
        assertThat(transport.topics()).containsExactly(FIRST, SECOND);
        assertThat(UdpSide.offer(connection.openWriter(FIRST))).isTrue();
    }

    @Test
    void openFromElsewhereWaitsForTheNextTopic() throws Exception {
        try (UdpSide reading = new UdpSide(options.with(UdpOptions.ROLE, UdpOptions.Role.READER))) {
            Opening<TopicReader> opening =
                    reading.connection.beginReader(UdpSide.TOPIC, UdpSide.CONSUMER, StartPosition.stored());
            AtomicReference<CompletableFuture<Void>> prepared = new AtomicReference<>();
            transport.deleteTopics(namesWith(() -> {
                if (prepared.get() == null) { // the first one is marked as deleted, and not removed yet
                    prepared.set(CompletableFuture.runAsync(opening::prepare));
                    assertThatThrownBy(() -> prepared.get().get(500, TimeUnit.MILLISECONDS))
                            .isInstanceOf(TimeoutException.class);
                }
            }));
            transport.createTopics(List.of(FIRST));
            prepared.get().get(10, TimeUnit.SECONDS);
            assertThat(opening.finish().found().newest()).isZero();
        }
    }
}
