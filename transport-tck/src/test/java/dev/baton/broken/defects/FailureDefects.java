package dev.baton.broken.defects;

import dev.baton.broken.memory.Confined;
import dev.baton.broken.memory.MemoryConnection;
import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.broken.memory.RivalMemory;
import dev.baton.spi.ReplacedException;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TransportException;
import dev.baton.tck.fencing.FailuresTck;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Defects of transports in the failure of one writer or one reader. Stateless. */
public final class FailureDefects {
    private FailureDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(
                connection(
                        "a connection throws for one writer's failure",
                        "onlyAReplacedWriter.*exception of Connection.doWork",
                        transport -> new ThrowingConnection(transport, true, false)),
                connection(
                        "a connection throws for one reader's failure",
                        "onlyAReplacedReader.*exception of Connection.doWork",
                        transport -> new ThrowingConnection(transport, false, true)),
                connection(
                        "a replaced writer fails every chain of its loop",
                        "onlyTheChain.*the failure of (another chain|a chain that was not replaced)",
                        transport -> new ThrowingConnection(transport, true, true)),
                writer(
                        "a writer's failure is never reported",
                        "onlyAReplacedWriter.*the failure of a writer that was replaced",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            @Override
                            public TransportException failure() {
                                return null;
                            }
                        }),
                writer(
                        "a writer's failure is reported with another reason",
                        "onlyAReplacedWriter.*ReplacedException.*unknown error",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            @Override
                            public TransportException failure() {
                                return isReplaced() ? new TransportException("unknown error in " + topic.name) : null;
                            }
                        }),
                writer(
                        "a writer's failure is reported without the topic's name",
                        "onlyAReplacedWriter.*to contain",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            @Override
                            public TransportException failure() {
                                return isReplaced() ? new ReplacedException(topic.name, "another one is here") : null;
                            }
                        }),
                writer(
                        "a writer's failure is reported once",
                        "onlyAReplacedWriter.*the failure of a writer that was replaced",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            private boolean isTold;

                            @Override
                            public TransportException failure() {
                                TransportException failure = isTold ? null : super.failure();
                                isTold = failure != null;
                                return failure;
                            }
                        }),
                writer(
                        "a closed writer has no failure",
                        "aFailureStays.*the failure of a closed writer",
                        (topic, topology) -> new RivalMemory.Writer(topic, topology) {
                            @Override
                            public TransportException failure() {
                                return isOpen() ? super.failure() : null;
                            }
                        }),
                reader(
                        "a reader's failure is never reported",
                        "onlyAReplacedReader.*the failure of a reader that was replaced",
                        (topic, consumer) -> new RivalMemory.Reader(topic, consumer) {
                            @Override
                            public TransportException failure() {
                                return null;
                            }
                        }),
                connection(
                        "a writer that was replaced ends all writers of its connection",
                        "onlyAReplacedWriter.*the failure of another writer",
                        SharedFate::new));
    }

    private static Defect connection(String name, String report, Function<RivalMemory, MemoryConnection> connections) {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return new Defect(name, FailuresTck.class, report, () -> new RivalMemory(kept) {
            @Override
            public MemoryConnection newConnection() {
                return connections.apply(this);
            }
        });
    }

    private static Defect writer(
            String name, String report, BiFunction<MemoryTopic, String, RivalMemory.Writer> writer) {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return new Defect(name, FailuresTck.class, report, () -> new RivalMemory(kept) {
            @Override
            public Writer rivalWriter(MemoryTopic topic, String topology) {
                return writer.apply(topic, topology);
            }
        });
    }

    private static Defect reader(String name, String report, BiFunction<MemoryTopic, String, MemoryReader> reader) {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return new Defect(name, FailuresTck.class, report, () -> new RivalMemory(kept) {
            @Override
            public MemoryReader newReader(MemoryTopic topic, String consumer) {
                return reader.apply(topic, consumer);
            }
        });
    }

    /** Throws in its turns what one of its writers or readers has ended with. Confined to the thread that connected. */
    private static final class ThrowingConnection extends MemoryConnection {
        private final boolean ofWriters;
        private final boolean ofReaders;

        ThrowingConnection(MemoryTransport transport, boolean ofWriters, boolean ofReaders) {
            super(transport);
            this.ofWriters = ofWriters;
            this.ofReaders = ofReaders;
        }

        @Override
        public int doWork() {
            for (Confined each : opened) {
                TransportException failure = ofWriters && each instanceof TopicWriter writer
                        ? writer.failure()
                        : ofReaders && each instanceof TopicReader reader ? reader.failure() : null;
                if (failure != null) {
                    throw failure;
                }
            }
            return 0;
        }
    }

    /** Its writers end together. Confined to the thread that connected. */
    private static final class SharedFate extends MemoryConnection {
        SharedFate(RivalMemory transport) {
            super(transport);
        }

        @Override
        public TopicWriter openWriter(String topic, String topology) {
            check();
            RivalMemory.Writer writer = new RivalMemory.Writer(transport.topic(topic), topology) {
                @Override
                public TransportException failure() {
                    return opened.stream()
                            .filter(each -> each instanceof RivalMemory.Writer other && other.isReplaced())
                            .map(each -> replaced())
                            .findFirst()
                            .orElse(null);
                }
            };
            opened.add(writer);
            return writer;
        }
    }
}
