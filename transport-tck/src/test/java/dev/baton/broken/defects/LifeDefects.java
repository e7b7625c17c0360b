package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryConnection;
import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.broken.memory.MemoryWriter;
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

    public static Stream<Defect> all() {
        return Stream.of(threads(), closes(), moreCloses(), leftovers(), moreLeftovers())
                .flatMap(List::stream);
    }

    private static List<Defect> threads() {
        return List.of(
                new Defect(
                        "any thread may claim",
                        ConfinementTck.class,
                        "anotherThreadMayNotClaim.*raise a throwable",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void check() {
                                checkOpen();
                            }
                        })),
                new Defect(
                        "any thread may poll",
                        ConfinementTck.class,
                        "anotherThreadMayNotPoll.*raise a throwable",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void check() {
                                checkOpen();
                            }
                        })),
                new Defect(
                        "any thread may open",
                        ConfinementTck.class,
                        "anotherThreadMayNotOpen.*raise a throwable",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public void check() {
                                checkOpen();
                            }
                        })),
                new Defect(
                        "no other thread may wake a connection",
                        ConfinementTck.class,
                        "anotherThreadMayWake.*belongs to thread",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public void wake() {
                                check();
                            }
                        })),
                new Defect(
                        "no other thread may close a connection",
                        ConfinementTck.class,
                        "anotherThreadMayClose.*belongs to thread",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public void close() {
                                if (isOpen()) {
                                    check();
                                }
                                super.close();
                            }
                        })));
    }

    private static List<Defect> closes() {
        return List.of(
                new Defect(
                        "a closed writer goes on",
                        LifecycleTck.class,
                        "closingAWriterFlushes.*raise a throwable",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void check() {
                                if (isOpen()) {
                                    super.check();
                                }
                            }
                        })),
                new Defect(
                        "a closed reader goes on",
                        LifecycleTck.class,
                        "closingAReaderMakesWay.*raise a throwable",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void check() {
                                if (isOpen()) {
                                    super.check();
                                }
                            }
                        })));
    }

    private static List<Defect> moreCloses() {
        return List.of(
                new Defect(
                        "a writer that closes drops what was committed",
                        LifecycleTck.class,
                        "closingAConnectionFlushes.*expected: 2L.*but was: 0L",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void close() {
                                if (isOpen()) {
                                    committed = published;
                                }
                                super.close();
                            }
                        })),
                new Defect(
                        "a writer that closes commits its open claim",
                        LifecycleTck.class,
                        "closingAConnectionDropsAnOpenClaim.*",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void close() {
                                if (isOpen() && claimed != NONE) {
                                    commit(claimed);
                                }
                                super.close();
                            }
                        })),
                new Defect(
                        "a connection that closes leaves its writers open",
                        LifecycleTck.class,
                        "closingAConnectionFlushes.*has a live writer",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public void close() {
                                disown();
                            }
                        })));
    }

    private static List<Defect> leftovers() {
        return List.of(
                new Defect(
                        "a closed transport opens connections",
                        LifecycleTck.class,
                        "aClosedTransportOpensNoConnection.*a connection of a closed transport",
                        () -> new MemoryTransport() {
                            @Override
                            public void requireOpen() {
                                // opens at any time
                            }
                        }),
                new Defect(
                        "a transport cannot be closed twice",
                        LifecycleTck.class,
                        "closingTwiceDoesNothingMore.*closed already",
                        () -> new MemoryTransport() {
                            @Override
                            public synchronized void close() {
                                if (isClosed) {
                                    throw new IllegalStateException("closed already");
                                }
                                super.close();
                            }
                        }),
                new Defect(
                        "a connection leaves a thread",
                        LifecycleTck.class,
                        "aTransportOpenedAndClosedLeaves.*threads named 'memory-left'",
                        Defect.connection(LifeDefects::leavingAThread)));
    }

    private static List<Defect> moreLeftovers() {
        return List.of(
                new Defect(
                        "a writer fails in any way when its transport is closed",
                        LifecycleTck.class,
                        "aTransportThatIsClosedBeforeItsConnections.*after its transport was closed",
                        () -> new MemoryTransport() {
                            @Override
                            public MemoryWriter newWriter(MemoryTopic topic, String topology) {
                                return new MemoryWriter(topic, topology) {
                                    @Override
                                    public void publish() {
                                        topic(topic.name).publish(published);
                                        super.publish();
                                    }
                                };
                            }

                            @Override
                            public synchronized MemoryTopic topic(String name) {
                                return isClosed ? null : super.topic(name);
                            }
                        }),
                new Defect(
                        "a connection that closes takes the others along",
                        LifecycleTck.class,
                        "closingOneConnectionLeaves.*closed",
                        () -> new MemoryTransport() {
                            private final List<MemoryConnection> all = new ArrayList<>();

                            @Override
                            public MemoryConnection newConnection() {
                                MemoryConnection connection = new MemoryConnection(this) {
                                    @Override
                                    public void close() {
                                        if (isOpen()) {
                                            super.close();
                                            all.forEach(MemoryConnection::close);
                                        }
                                    }
                                };
                                all.add(connection);
                                return connection;
                            }
                        }),
                new Defect(
                        "a writer that is withdrawn keeps its place",
                        OpeningTck.class,
                        "aWriterThatIsWithdrawn.*has a live writer",
                        Defect.connection(transport -> new MemoryConnection(transport) {
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
                new Defect(
                        "a reader that is closed step by step forgets",
                        OpeningTck.class,
                        "aReaderThatIsClosedStepByStep.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public boolean tryClose() {
                                consumer.acknowledged = sequenceAtOpen();
                                close();
                                return true;
                            }
                        })));
    }

    /** The thread ends by itself, long after the test has given up. */
    private static MemoryConnection leavingAThread(MemoryTransport transport) {
        Thread left = new Thread(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2)), "memory-left");
        left.setDaemon(true);
        left.start();
        return new MemoryConnection(transport);
    }
}
