package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.StartPosition;
import dev.baton.spi.errors.TransportException;
import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
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

    private UdpTransport transport;
    private Connection connection;

    @BeforeEach
    void open() {
        transport = UdpTransport.open(UdpPorts.options());
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
}
