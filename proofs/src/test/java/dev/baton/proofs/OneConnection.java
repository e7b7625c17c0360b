package dev.baton.proofs;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** A transport with one given connection and nothing else. Its thread rules are those of the connection. */
public final class OneConnection implements Transport {
    private final Connection connection;

    /** Creates a transport whose every connect returns this connection. */
    public OneConnection(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Connection connect() {
        return connection;
    }

    @Override
    public String name() {
        return "one connection";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of(Guarantee.IMMEDIATE);
    }

    @Override
    public int maxPayload() {
        return Long.BYTES;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        return Set.of();
    }

    @Override
    public Set<String> topics() {
        return Set.of();
    }

    @Override
    public void deleteTopics(Collection<String> names) {}

    @Override
    public void close() {}
}
