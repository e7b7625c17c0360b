package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConnection;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Opening;
import dev.baton.spi.TopicWriter;
import dev.baton.tck.lifecycle.ConfinementTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import dev.baton.tck.lifecycle.OpeningTck;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Defects of threads, of closing and of opening in two steps. Stateless. */
public final class LifeDefects {
    private LifeDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(threads(), closes(), moreCloses(), leftovers(), moreLeftovers())
                .flatMap(List::stream);
    }

    private static List<PlantedDefect> threads() {
        return List.of(
                new PlantedDefect(
                        "any thread may claim",
                        ConfinementTck.class,
                        "anotherThreadMayNotClaim.*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void check() {
                                checkOpen();
                            }
                        })),
                new PlantedDefect(
                        "any thread may poll",
                        ConfinementTck.class,
                        "anotherThreadMayNotPoll.*raise a throwable",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void check() {
                                checkOpen();
                            }
                        })),
                new PlantedDefect(
                        "any thread may open",
                        ConfinementTck.class,
                        "anotherThreadMayNotOpen.*raise a throwable",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void check() {
                                checkOpen();
                            }
                        })),
                new PlantedDefect(
                        "no other thread may wake a connection",
                        ConfinementTck.class,
                        "anotherThreadMayWake.*belongs to thread",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void wake() {
                                check();
                            }
                        })),
                new PlantedDefect(
                        "no other thread may close a connection",
                        ConfinementTck.class,
                        "anotherThreadMayCloseAnUnusedConnection.*belongs to thread",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void close() {
                                if (isOpen()) {
                                    check();
                                }
                                super.close();
                            }
                        })));
    }

    private static List<PlantedDefect> closes() {
        return List.of(
                new PlantedDefect(
                        "a closed writer goes on",
                        LifecycleTck.class,
                        "closingAWriterFlushesAndAdmitsAnother.*raise a throwable",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void check() {
                                if (isOpen()) {
                                    super.check();
                                }
                            }
                        })),
                new PlantedDefect(
                        "a closed reader goes on",
                        LifecycleTck.class,
                        "closingAReaderAdmitsAnotherThatContinues.*raise a throwable",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void check() {
                                if (isOpen()) {
                                    super.check();
                                }
                            }
                        })));
    }

    private static List<PlantedDefect> moreCloses() {
        return List.of(
                new PlantedDefect(
                        "a writer that closes drops what was committed",
                        LifecycleTck.class,
                        "closingAConnectionFlushes.*expected: 2L.*but was: 0L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void close() {
                                if (isOpen()) {
                                    committed = published;
                                }
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "a writer that closes commits its open claim",
                        LifecycleTck.class,
                        "closingAConnectionDropsAnOpenClaim.*",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void close() {
                                if (isOpen() && claimed != NONE) {
                                    commit(claimed);
                                }
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "a connection that closes leaves its writers open",
                        LifecycleTck.class,
                        "closingAConnectionFlushes.*has a live writer",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void close() {
                                disown();
                            }
                        })));
    }

    private static List<PlantedDefect> leftovers() {
        return List.of(
                new PlantedDefect(
                        "a closed transport opens connections",
                        LifecycleTck.class,
                        "aClosedTransportOpensNoConnection.*a connection of a closed transport",
                        () -> new HeapTransport() {
                            @Override
                            public void requireOpen() {
                                // opens at any time
                            }
                        }),
                new PlantedDefect(
                        "a transport cannot be closed twice",
                        LifecycleTck.class,
                        "closingTwiceDoesNothingMore.*closed already",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized void close() {
                                if (isClosed) {
                                    throw new IllegalStateException("closed already");
                                }
                                super.close();
                            }
                        }),
                new PlantedDefect(
                        "a connection leaves a thread",
                        LifecycleTck.class,
                        "closedTransportLeavesNothingBehind.*threads named 'memory-left'",
                        PlantedDefect.connection(LifeDefects::leavingAThread)));
    }

    private static List<PlantedDefect> moreLeftovers() {
        return List.of(
                new PlantedDefect(
                        "a writer fails in any way when its transport is closed",
                        LifecycleTck.class,
                        "earlyClosedTransportFailsWithAMessage.*after its transport was closed",
                        () -> new HeapTransport() {
                            @Override
                            public HeapWriter newWriter(HeapTopic topic, String topology) {
                                return new HeapWriter(topic, topology) {
                                    @Override
                                    public void publish() {
                                        topic(topic.name).publish(published);
                                        super.publish();
                                    }
                                };
                            }

                            @Override
                            public synchronized HeapTopic topic(String name) {
                                return isClosed ? null : super.topic(name);
                            }
                        }),
                new PlantedDefect(
                        "a connection that closes takes the others along",
                        LifecycleTck.class,
                        "closingOneConnectionLeaves.*closed",
                        () -> new HeapTransport() {
                            private final List<HeapConnection> all = new ArrayList<>();

                            @Override
                            public HeapConnection newConnection() {
                                HeapConnection connection = new HeapConnection(this) {
                                    @Override
                                    public void close() {
                                        if (isOpen()) {
                                            super.close();
                                            all.forEach(HeapConnection::close);
                                        }
                                    }
                                };
                                all.add(connection);
                                return connection;
                            }
                        }),
                new PlantedDefect(
                        "a writer that is withdrawn keeps its place",
                        OpeningTck.class,
                        "withdrawnWriterAdmitsAnother.*has a live writer",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public Opening<TopicWriter> beginWriter(String topic, String topology) {
                                return new Opening<>() {
                                    @Override
                                    public void prepare() {
                                        transport.topic(topic).openWriter(topology);
                                    }

                                    @Override
                                    public TopicWriter finish() {
                                        transport.topic(topic).closeWriter();
                                        return openWriter(topic, topology);
                                    }

                                    @Override
                                    public void withdraw() {}
                                };
                            }
                        })),
                new PlantedDefect(
                        "a reader that is closed step by step forgets",
                        OpeningTck.class,
                        "readerClosedInStepsStoresItsPosition.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public boolean tryClose() {
                                consumer.acknowledged = found().acknowledged();
                                close();
                                return true;
                            }
                        })));
    }

    /** The thread ends by itself, long after the test has given up. */
    private static HeapConnection leavingAThread(HeapTransport transport) {
        Thread left = new Thread(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2)), "memory-left");
        left.setDaemon(true);
        left.start();
        return new HeapConnection(transport);
    }
}
