package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConnection;
import dev.baton.broken.heap.HeapFixture;
import dev.baton.broken.heap.HeapProvider;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapServer;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.broken.heap.NetworkFixture;
import dev.baton.broken.heap.NetworkHeap;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A defect planted in the transport in the heap, and who catches it.
 *
 * @param name what is wrong
 * @param caughtBy the class of the contract that fails
 * @param report a regular expression for the name of a test that fails, a colon, and the beginning of its message
 * @param fixture makes a fixture of the broken transport, given the longest time that anything awaited may take
 * @param provider by which the transport is found
 */
public record PlantedDefect(
        String name,
        Class<?> caughtBy,
        String report,
        Function<Duration, TransportFixture> fixture,
        HeapProvider provider) {
    /** Of a transport that is found as it should be. */
    public PlantedDefect(String name, Class<?> caughtBy, String report, Supplier<? extends HeapTransport> transport) {
        this(name, caughtBy, report, transport, new HeapProvider());
    }

    /** A defect of a transport without a network. */
    public PlantedDefect(
            String name,
            Class<?> caughtBy,
            String report,
            Supplier<? extends HeapTransport> transport,
            HeapProvider provider) {
        this(name, caughtBy, report, longestWait -> HeapFixture.broken(transport, longestWait), provider);
    }

    /** A defect of a transport behind a network. */
    public static PlantedDefect ofNetwork(
            String name, Class<?> caughtBy, String report, Function<HeapServer, NetworkHeap> transport) {
        return new PlantedDefect(
                name, caughtBy, report, longestWait -> new NetworkFixture(transport, longestWait), new HeapProvider());
    }

    /** Makes writers. */
    public interface Writers {
        HeapWriter open(HeapTopic topic, String topology);
    }

    /** Makes readers. */
    public interface Readers {
        HeapReader open(HeapTopic topic, String consumer);
    }

    /** Makes writers behind a network. */
    public interface NetworkWriters {
        NetworkHeap.Writer open(HeapServer server, HeapTopic topic, String topology);
    }

    /** Makes readers behind a network. */
    public interface NetworkReaders {
        NetworkHeap.Reader open(HeapServer server, HeapTopic topic, String consumer);
    }

    /** A transport behind a network whose writers are broken. */
    public static PlantedDefect ofNetworkWriter(String name, Class<?> caughtBy, String report, NetworkWriters writers) {
        return ofNetwork(name, caughtBy, report, server -> new NetworkHeap(server) {
            @Override
            public HeapWriter newWriter(HeapTopic topic, String topology) {
                return writers.open(server, topic, topology);
            }
        });
    }

    /** A transport behind a network whose readers are broken. */
    public static PlantedDefect ofNetworkReader(String name, Class<?> caughtBy, String report, NetworkReaders readers) {
        return ofNetwork(name, caughtBy, report, server -> new NetworkHeap(server) {
            @Override
            public HeapReader newReader(HeapTopic topic, String consumer) {
                return readers.open(server, topic, consumer);
            }
        });
    }

    /** A transport behind a network whose connections are broken. */
    public static PlantedDefect ofLink(
            String name, Class<?> caughtBy, String report, Function<NetworkHeap, NetworkHeap.Link> connections) {
        return ofNetwork(name, caughtBy, report, server -> new NetworkHeap(server) {
            @Override
            public Link newConnection() {
                return connections.apply(this);
            }
        });
    }

    /** A transport whose writers are broken. */
    public static Supplier<HeapTransport> writer(Writers writers) {
        return () -> new HeapTransport() {
            @Override
            public HeapWriter newWriter(HeapTopic topic, String topology) {
                return writers.open(topic, topology);
            }
        };
    }

    /** A transport whose readers are broken. */
    public static Supplier<HeapTransport> reader(Readers readers) {
        return () -> new HeapTransport() {
            @Override
            public HeapReader newReader(HeapTopic topic, String consumer) {
                return readers.open(topic, consumer);
            }
        };
    }

    /** A transport whose topics are broken. */
    public static Supplier<HeapTransport> topic(Function<String, HeapTopic> made) {
        return () -> new HeapTransport() {
            @Override
            public HeapTopic newTopic(String name) {
                return made.apply(name);
            }
        };
    }

    /** A transport whose connections are broken. */
    public static Supplier<HeapTransport> connection(Function<HeapTransport, HeapConnection> connections) {
        return () -> new HeapTransport() {
            @Override
            public HeapConnection newConnection() {
                return connections.apply(this);
            }
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
