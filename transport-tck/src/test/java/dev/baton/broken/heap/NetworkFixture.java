package dev.baton.broken.heap;

import dev.baton.spi.Transport;
import dev.baton.tck.NetworkFault;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** The transport in the heap behind a network, whole or broken, with a server of its own. */
public final class NetworkFixture implements TransportFixture {
    private final HeapServer server = new HeapServer();
    private final Function<HeapServer, NetworkHeap> transport;
    private final Duration longestWait;

    public NetworkFixture(Function<HeapServer, NetworkHeap> transport, Duration longestWait) {
        this.transport = transport;
        this.longestWait = longestWait;
    }

    /** The transport that keeps the contract. */
    public static NetworkFixture whole() {
        return new NetworkFixture(NetworkHeap::new, Duration.ofSeconds(10));
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
        return OptionalInt.of(HeapTopic.SLOTS);
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
        ((NetworkHeap.Topic) server.topics.get(topic)).remove(upTo);
    }

    @Override
    public void close() {
        // nothing is stored
    }
}
