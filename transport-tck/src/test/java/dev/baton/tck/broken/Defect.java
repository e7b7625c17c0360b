package dev.baton.tck.broken;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A defect planted in the memory transport, and who catches it.
 *
 * @param name what is wrong
 * @param caughtBy the class of the contract that fails
 * @param report a regular expression for the name of a test that fails, a colon, and the beginning of its message
 * @param transport makes the broken transport
 * @param provider by which the transport is found
 */
record Defect(
        String name,
        Class<?> caughtBy,
        String report,
        Supplier<? extends MemoryTransport> transport,
        MemoryProvider provider) {
    /** Of a transport that is found as it should be. */
    Defect(String name, Class<?> caughtBy, String report, Supplier<? extends MemoryTransport> transport) {
        this(name, caughtBy, report, transport, new MemoryProvider());
    }

    /** Makes writers. */
    interface Writers {
        MemoryWriter open(MemoryTopic topic, String topology);
    }

    /** Makes readers. */
    interface Readers {
        MemoryReader open(MemoryTopic topic, String consumer);
    }

    /** A transport whose writers are broken. */
    static Supplier<MemoryTransport> writer(Writers writers) {
        return () -> new MemoryTransport() {
            @Override
            MemoryWriter newWriter(MemoryTopic topic, String topology) {
                return writers.open(topic, topology);
            }
        };
    }

    /** A transport whose readers are broken. */
    static Supplier<MemoryTransport> reader(Readers readers) {
        return () -> new MemoryTransport() {
            @Override
            MemoryReader newReader(MemoryTopic topic, String consumer) {
                return readers.open(topic, consumer);
            }
        };
    }

    /** A transport whose topics are broken. */
    static Supplier<MemoryTransport> topic(Function<String, MemoryTopic> made) {
        return () -> new MemoryTransport() {
            @Override
            MemoryTopic newTopic(String name) {
                return made.apply(name);
            }
        };
    }

    /** A transport whose connections are broken. */
    static Supplier<MemoryTransport> connection(Function<MemoryTransport, MemoryConnection> connections) {
        return () -> new MemoryTransport() {
            @Override
            MemoryConnection newConnection() {
                return connections.apply(this);
            }
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
