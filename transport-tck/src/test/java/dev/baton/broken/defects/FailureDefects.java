package dev.baton.broken.defects;

import dev.baton.broken.heap.Confined;
import dev.baton.broken.heap.HeapConnection;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.RivalHeap;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.fencing.FailuresTck;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Defects of transports in the failure of one writer or one reader. Stateless. */
public final class FailureDefects {
    private FailureDefects() {}

    public static Stream<PlantedDefect> all() {
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
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                            @Override
                            public TransportException failure() {
                                return null;
                            }
                        }),
                writer(
                        "a writer's failure is reported with another reason",
                        "onlyAReplacedWriter.*ReplacedException.*unknown error",
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                            @Override
                            public TransportException failure() {
                                return isReplaced() ? new TransportException("unknown error in " + topic.name) : null;
                            }
                        }),
                writer(
                        "a writer's failure is reported without the topic's name",
                        "onlyAReplacedWriter.*to contain",
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                            @Override
                            public TransportException failure() {
                                return isReplaced() ? new ReplacedException(topic.name, "another one is here") : null;
                            }
                        }),
                writer(
                        "a writer's failure is reported once",
                        "onlyAReplacedWriter.*the failure of a writer that was replaced",
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
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
                        (topic, topology) -> new RivalHeap.Writer(topic, topology) {
                            @Override
                            public TransportException failure() {
                                return isOpen() ? super.failure() : null;
                            }
                        }),
                reader(
                        "a reader's failure is never reported",
                        "onlyAReplacedReader.*the failure of a reader that was replaced",
                        (topic, consumer) -> new RivalHeap.Reader(topic, consumer) {
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

    private static PlantedDefect connection(
            String name, String report, Function<RivalHeap, HeapConnection> connections) {
        Map<String, HeapTopic> kept = new HashMap<>();
        return new PlantedDefect(name, FailuresTck.class, report, () -> new RivalHeap(kept) {
            @Override
            public HeapConnection newConnection() {
                return connections.apply(this);
            }
        });
    }

    private static PlantedDefect writer(
            String name, String report, BiFunction<HeapTopic, String, RivalHeap.Writer> writer) {
        Map<String, HeapTopic> kept = new HashMap<>();
        return new PlantedDefect(name, FailuresTck.class, report, () -> new RivalHeap(kept) {
            @Override
            public Writer rivalWriter(HeapTopic topic, String topology) {
                return writer.apply(topic, topology);
            }
        });
    }

    private static PlantedDefect reader(String name, String report, BiFunction<HeapTopic, String, HeapReader> reader) {
        Map<String, HeapTopic> kept = new HashMap<>();
        return new PlantedDefect(name, FailuresTck.class, report, () -> new RivalHeap(kept) {
            @Override
            public HeapReader newReader(HeapTopic topic, String consumer) {
                return reader.apply(topic, consumer);
            }
        });
    }

    /** Throws in its turns what one of its writers or readers has ended with. Confined to the thread that connected. */
    private static final class ThrowingConnection extends HeapConnection {
        private final boolean ofWriters;
        private final boolean ofReaders;

        ThrowingConnection(HeapTransport transport, boolean ofWriters, boolean ofReaders) {
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
    private static final class SharedFate extends HeapConnection {
        SharedFate(RivalHeap transport) {
            super(transport);
        }

        @Override
        public TopicWriter openWriter(String topic, String topology) {
            check();
            RivalHeap.Writer writer = new RivalHeap.Writer(transport.topic(topic), topology) {
                @Override
                public TransportException failure() {
                    return opened.stream()
                            .filter(each -> each instanceof RivalHeap.Writer other && other.isReplaced())
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
