package dev.baton.tck.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import dev.baton.tck.chain.WholeChainTck;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The base of contract classes on rivals: two processes that each act as the one writer of a topic, or as the one reader of a consumer. The
 * classes are {@link RivalWritersTck}, {@link RivalReadersTck}, {@link RivalChainsTck}, {@link FailuresTck}. For transports that cross
 * processes and do not refuse rivals; with others their tests are skipped.
 */
public abstract class RivalsTck extends WholeChainTck {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Map<TopicProbe, Connection> connections = new IdentityHashMap<>();

    /** Called by contract classes. */
    protected RivalsTck() {}

    @BeforeEach
    final void skipWhereRivalsAreKeptOut() {
        Set<Guarantee> guarantees = transport.guarantees();
        assumeTrue(guarantees.contains(Guarantee.CROSS_PROCESS), "stays in its process");
        assumeFalse(guarantees.contains(Guarantee.EXCLUSIVE), "refuses rivals");
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** Returns the connection of a probe. */
    final Connection connectionOf(TopicProbe probe) {
        return connections.get(probe);
    }

    /** Creates the topic and probes it. */
    final TopicProbe newTopic() {
        transport.createTopics(List.of(name));
        return probe(connect(transport), name);
    }

    /** Probes the topic as another process. */
    final TopicProbe rival() {
        return probe(connect(closing(fixture.openAnother())), name);
    }

    /** Opens another connection, which is closed after the test; that close may report a writer that the test has replaced. */
    final Connection connect(Transport through) {
        Connection connection = through.connect();
        closing(() -> {
            try {
                connection.close();
            } catch (ReplacedException byTheTest) {
                assertThat(byTheTest).hasMessageContaining(name);
            }
        });
        return connection;
    }

    /** Probes a topic through a connection of this test. */
    final TopicProbe probe(Connection connection, String topic) {
        TopicProbe probe = new TopicProbe(topic, connection, new Turns(fixture.longestWait(), connection));
        connections.put(probe, connection);
        return probe;
    }

    /** Closes a resource after the test, the newest first. */
    final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }
}
