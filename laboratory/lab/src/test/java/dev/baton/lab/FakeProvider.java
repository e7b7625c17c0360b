package dev.baton.lab;

import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A transport that can be listed, set and opened, and carries nothing. */
public record FakeProvider(String name, boolean hasDirectory, boolean hasBroker) implements TransportProvider {
    /** The longest payload of {@link #open}'s transport. */
    static final int MOST_PAYLOAD = 500;

    @Override
    public String summary() {
        return "a stand-in called " + name;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return hasDirectory || hasBroker ? Set.of(Guarantee.DURABLE, Guarantee.CROSS_PROCESS) : Set.of();
    }

    @Override
    public List<OptionSpec> options() {
        OptionSpec size = new OptionSpec("size", "4", "1 to 10", "how big");
        OptionSpec act = new OptionSpec("do", "pass", "anything", "what the child does");
        if (hasDirectory) {
            return List.of(size, act, new OptionSpec("dir", "", "a directory", "where it keeps files"));
        }
        return hasBroker
                ? List.of(act, new OptionSpec("bootstrap-servers", "", "HOST:PORT", "where the brokers are"))
                : List.of(size, act);
    }

    @Override
    public List<String> jvmFlags(int featureVersion) {
        return List.of("-Dfake.flag=" + featureVersion);
    }

    @Override
    public Transport open(Map<String, String> typed) {
        Options options = new Options(name, options(), typed);
        if (!hasBroker) {
            options.integer("size", 1, 10);
        }
        return new Fake(name);
    }

    private record Fake(String name) implements Transport {
        @Override
        public Set<Guarantee> guarantees() {
            return Set.of();
        }

        @Override
        public int maxPayload() {
            return MOST_PAYLOAD;
        }

        @Override
        public Map<String, String> properties() {
            return Map.of();
        }

        @Override
        public Connection connect() {
            throw new UnsupportedOperationException();
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
}
