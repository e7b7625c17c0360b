package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryConnection;
import dev.baton.broken.memory.MemoryFixture;
import dev.baton.broken.memory.MemoryProvider;
import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryServer;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.broken.memory.MemoryWriter;
import dev.baton.broken.memory.NetworkFixture;
import dev.baton.broken.memory.NetworkMemory;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A defect planted in the memory transport, and who catches it.
 *
 * @param name what is wrong
 * @param caughtBy the class of the contract that fails
 * @param report a regular expression for the name of a test that fails, a colon, and the beginning of its message
 * @param fixture makes a fixture of the broken transport, given the longest time that anything awaited may take
 * @param provider by which the transport is found
 */
public record Defect(
        String name,
        Class<?> caughtBy,
        String report,
        Function<Duration, TransportFixture> fixture,
        MemoryProvider provider) {
    /** Of a transport that is found as it should be. */
    public Defect(String name, Class<?> caughtBy, String report, Supplier<? extends MemoryTransport> transport) {
        this(name, caughtBy, report, transport, new MemoryProvider());
    }

    /** A defect of a transport without a network. */
    public Defect(
            String name,
            Class<?> caughtBy,
            String report,
            Supplier<? extends MemoryTransport> transport,
            MemoryProvider provider) {
        this(name, caughtBy, report, longestWait -> MemoryFixture.broken(transport, longestWait), provider);
    }

    /** A defect of a transport behind a network. */
    public static Defect ofNetwork(
            String name, Class<?> caughtBy, String report, Function<MemoryServer, NetworkMemory> transport) {
        return new Defect(
                name,
                caughtBy,
                report,
                longestWait -> new NetworkFixture(transport, longestWait),
                new MemoryProvider());
    }

    /** Makes writers. */
    public interface Writers {
        MemoryWriter open(MemoryTopic topic, String topology);
    }

    /** Makes readers. */
    public interface Readers {
        MemoryReader open(MemoryTopic topic, String consumer);
    }

    /** Makes writers behind a network. */
    public interface NetworkWriters {
        NetworkMemory.Writer open(MemoryServer server, MemoryTopic topic, String topology);
    }

    /** Makes readers behind a network. */
    public interface NetworkReaders {
        NetworkMemory.Reader open(MemoryServer server, MemoryTopic topic, String consumer);
    }

    /** A transport behind a network whose writers are broken. */
    public static Defect ofNetworkWriter(String name, Class<?> caughtBy, String report, NetworkWriters writers) {
        return ofNetwork(name, caughtBy, report, server -> new NetworkMemory(server) {
            @Override
            public MemoryWriter newWriter(MemoryTopic topic, String topology) {
                return writers.open(server, topic, topology);
            }
        });
    }

    /** A transport behind a network whose readers are broken. */
    public static Defect ofNetworkReader(String name, Class<?> caughtBy, String report, NetworkReaders readers) {
        return ofNetwork(name, caughtBy, report, server -> new NetworkMemory(server) {
            @Override
            public MemoryReader newReader(MemoryTopic topic, String consumer) {
                return readers.open(server, topic, consumer);
            }
        });
    }

    /** A transport behind a network whose connections are broken. */
    public static Defect ofLink(
            String name, Class<?> caughtBy, String report, Function<NetworkMemory, NetworkMemory.Link> connections) {
        return ofNetwork(name, caughtBy, report, server -> new NetworkMemory(server) {
            @Override
            public Link newConnection() {
                return connections.apply(this);
            }
        });
    }

    /** A transport whose writers are broken. */
    public static Supplier<MemoryTransport> writer(Writers writers) {
        return () -> new MemoryTransport() {
            @Override
            public MemoryWriter newWriter(MemoryTopic topic, String topology) {
                return writers.open(topic, topology);
            }
        };
    }

    /** A transport whose readers are broken. */
    public static Supplier<MemoryTransport> reader(Readers readers) {
        return () -> new MemoryTransport() {
            @Override
            public MemoryReader newReader(MemoryTopic topic, String consumer) {
                return readers.open(topic, consumer);
            }
        };
    }

    /** A transport whose topics are broken. */
    public static Supplier<MemoryTransport> topic(Function<String, MemoryTopic> made) {
        return () -> new MemoryTransport() {
            @Override
            public MemoryTopic newTopic(String name) {
                return made.apply(name);
            }
        };
    }

    /** A transport whose connections are broken. */
    public static Supplier<MemoryTransport> connection(Function<MemoryTransport, MemoryConnection> connections) {
        return () -> new MemoryTransport() {
            @Override
            public MemoryConnection newConnection() {
                return connections.apply(this);
            }
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
