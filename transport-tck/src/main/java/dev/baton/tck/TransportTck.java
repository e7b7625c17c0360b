package dev.baton.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.tck.harness.NamedFailures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The base of contract classes: a fixture, its transport and a connection of the test's thread for each test. Confined to the thread of the
 * test.
 */
@Timeout(TransportTck.LIMIT_SECONDS)
@ExtendWith(NamedFailures.class)
public abstract class TransportTck implements FixtureSource {
    /** The time limit of a test, whatever its fixture allows for a single wait. */
    public static final long LIMIT_SECONDS = 120;

    /** A part that a test closes and opens again. */
    public enum Restart {
        /** The connection; its transport stays open. Every transport keeps its topics across this. */
        CONNECTION,
        /** The connection and its transport. Only durable transports keep their topics across this. */
        TRANSPORT
    }

    private final List<Connection> opened = new ArrayList<>();
    private TransportFixture fixture;
    private Transport transport;
    private Connection connection;

    /** Called by contract classes. */
    protected TransportTck() {}

    @BeforeEach
    final void openTransport() {
        fixture = newFixture();
        transport = fixture.open();
        connection = connect();
    }

    @AfterEach
    final void closeTransport() {
        try {
            if (transport != null) {
                closeConnections();
                transport.close();
            }
        } finally {
            if (fixture != null) {
                fixture.close();
            }
        }
    }

    /** Returns the fixture of this test. */
    protected final TransportFixture fixture() {
        return fixture;
    }

    /** Returns the transport of this test; another one after {@link Restart#TRANSPORT}. */
    protected final Transport transport() {
        return transport;
    }

    /** Returns the connection of this test; another one after {@link #restart}. */
    protected final Connection connection() {
        return connection;
    }

    /** Opens another connection of this thread, which is closed after the test. */
    protected final Connection connect() {
        Connection another = transport.connect();
        opened.add(another);
        return another;
    }

    /** Returns turns of this test's connection. */
    protected final Turns turns() {
        return new Turns(fixture.longestWait(), connection);
    }

    /** Creates a topic with a new name. */
    protected final TopicProbe newTopic() {
        String name = fixture.newTopic();
        transport.createTopics(List.of(name));
        return probe(name);
    }

    /** Creates a topic and opens its reader and its writer, so that the test itself does not have to. */
    protected final TopicProbe openTopic() {
        TopicProbe topic = newTopic();
        topic.reader();
        topic.writer();
        return topic;
    }

    /** Probes an existing topic through this test's connection. */
    protected final TopicProbe probe(String name) {
        return new TopicProbe(name, connection, turns());
    }

    /**
     * Closes all connections, and the transport if requested, and opens them again; skips the test if the transport would lose its topics.
     */
    protected final void restart(Restart what) {
        assumeTrue(what == Restart.CONNECTION || isDurable(), "this transport is not durable");
        closeConnections();
        if (what == Restart.TRANSPORT) {
            transport.close();
            transport = fixture.reopen();
        }
        connection = connect();
    }

    /** Closes all connections of this test. */
    protected final void closeConnections() {
        Collections.reverse(opened);
        opened.forEach(Connection::close);
        opened.clear();
    }

    /** {@return whether the transport under test guarantees DURABLE} */
    protected final boolean isDurable() {
        return transport.guarantees().contains(Guarantee.DURABLE);
    }
}
