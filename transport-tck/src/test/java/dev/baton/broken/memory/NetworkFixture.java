package dev.baton.broken.memory;

import dev.baton.spi.Transport;
import dev.baton.tck.NetworkFault;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** The memory transport behind a network, whole or broken, with a server of its own. */
public final class NetworkFixture implements TransportFixture {
    private final MemoryServer server = new MemoryServer();
    private final Function<MemoryServer, NetworkMemory> transport;
    private final Duration longestWait;

    public NetworkFixture(Function<MemoryServer, NetworkMemory> transport, Duration longestWait) {
        this.transport = transport;
        this.longestWait = longestWait;
    }

    /** The transport that keeps the contract. */
    public static NetworkFixture whole() {
        return new NetworkFixture(NetworkMemory::new, Duration.ofSeconds(10));
    }

    @Override
    public Transport open() {
        return transport.apply(server);
    }

    @Override
    public Transport reopen() {
        return open();
    }

    @Override
    public Transport openAnother() {
        return open();
    }

    @Override
    public Duration longestWait() {
        return longestWait;
    }

    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(MemoryTopic.SLOTS);
    }

    @Override
    public int manyFrames() {
        return 5_000;
    }

    @Override
    public Set<NetworkFault> networkFaults() {
        return EnumSet.allOf(NetworkFault.class);
    }

    @Override
    public void begin(NetworkFault fault) {
        server.begin(fault);
    }

    @Override
    public void heal() {
        server.heal();
    }

    @Override
    public boolean removesFrames() {
        return true;
    }

    @Override
    public void removeFrames(String topic, long upTo) {
        ((NetworkMemory.Topic) server.topics.get(topic)).remove(upTo);
    }

    @Override
    public void close() {
        // nothing is stored
    }
}
