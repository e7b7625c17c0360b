package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryConnection;
import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.broken.memory.MemoryWriter;
import dev.baton.broken.memory.NetworkMemory;
import dev.baton.spi.Frame;
import dev.baton.spi.Opening;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.tck.admin.TopicTck;
import dev.baton.tck.lifecycle.ConfinementTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import dev.baton.tck.lifecycle.OpeningTck;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Defects of closes that race with opens, that are repeated, or that leave resources. Stateless. */
public final class CloseDefects {
    private CloseDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(races(), repeated(), resources(), uses(), openings()).flatMap(each -> each);
    }

    private static Stream<Defect> races() {
        Deque<Runnable> late = new ArrayDeque<>();
        return Stream.of(
                Defect.ofNetworkWriter(
                        "a close lets the next open overtake its frames",
                        LifecycleTck.class,
                        "closingAWriterLosesNothing.*the newest frame that life 2 finds; rule: the next open finds",
                        (server, topic, topology) -> new NetworkMemory.Writer(server, topic, topology) {
                            @Override
                            public int send() {
                                while (!late.isEmpty()) { // of the writer before, behind the open of this one
                                    late.remove().run();
                                }
                                return super.send();
                            }

                            @Override
                            public void close() {
                                if (isOpen()) {
                                    long last = committed;
                                    late.add(() -> store(last));
                                    disown();
                                    topic.closeWriter();
                                }
                            }
                        }),
                Defect.ofNetworkWriter(
                        "a connection that closes drops what is on its way",
                        LifecycleTck.class,
                        "closingA\\w+LosesNothing.*(the newest frame that life 2 finds; rule|waited \\d+ ms for 32 frames.*rule: every)",
                        (server, topic, topology) -> new NetworkMemory.Writer(server, topic, topology) {
                            @Override
                            public void close() {
                                if (published > stored + 1) {
                                    batches.clear();
                                    published = stored;
                                    committed = stored;
                                }
                                super.close();
                            }
                        }),
                Defect.ofNetworkWriter(
                        "a close keeps the order of its last two batches no longer",
                        LifecycleTck.class,
                        "closingAWriterLosesNothing.*frames of writers that were closed while these were on their way",
                        (server, topic, topology) -> new NetworkMemory.Writer(server, topic, topology) {
                            @Override
                            public void close() {
                                if (isOpen() && published > stored + 1) {
                                    MemoryTopic other = new MemoryTopic("swapped");
                                    other.copy(slots, published);
                                    swap(other);
                                }
                                super.close();
                            }

                            private void swap(MemoryTopic other) {
                                Frame last = other.aim(new Frame(), published);
                                Frame before = slots.aim(new Frame(), published - 1);
                                byte first = last.getByte(last.length() - 1);
                                slots.aim(new Frame(), published)
                                        .putByte(last.length() - 1, before.getByte(before.length() - 1));
                                before.putByte(before.length() - 1, first);
                            }
                        }));
    }

    private static Stream<Defect> repeated() {
        return Stream.of(
                new Defect(
                        "a writer that is closed again releases the next one's place",
                        LifecycleTck.class,
                        "closingAWriterAgain.*a second writer, as one that is closed already",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void close() {
                                super.close();
                                topic.closeWriter();
                            }
                        })),
                new Defect(
                        "a reader that is closed again releases the next one's place",
                        LifecycleTck.class,
                        "closingAReaderAgain.*a second reader, as one that is closed already",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void close() {
                                super.close();
                                topic.closeConsumer(this.consumer);
                            }
                        })),
                new Defect(
                        "a connection that opened nothing cannot be closed",
                        LifecycleTck.class,
                        "closingAConnectionThatOpenedNothing.*nothing to close",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public void close() {
                                if (opened.isEmpty()) {
                                    throw new IllegalStateException("nothing to close");
                                }
                                super.close();
                            }
                        })),
                new Defect(
                        "a topic is forgotten when nobody has it open",
                        TopicTck.class,
                        "topicsOutlive.*to contain",
                        () -> new MemoryTransport() {
                            @Override
                            public MemoryConnection newConnection() {
                                return new MemoryConnection(this) {
                                    @Override
                                    public void close() {
                                        super.close();
                                        topics.values().removeIf(topic -> !topic.isInUse());
                                    }
                                };
                            }
                        }));
    }

    private static Stream<Defect> resources() {
        List<AutoCloseable> left = new ArrayList<>(); // closed by the garbage collector, with this list
        return Stream.of(
                new Defect(
                        "a connection leaves a socket open",
                        LifecycleTck.class,
                        "aTransportOpened.*open descriptors of 'socket' after everything was closed",
                        Defect.connection(transport -> {
                            left.add(socket());
                            return new MemoryConnection(transport);
                        })),
                new Defect(
                        "a writer leaves a file open",
                        LifecycleTck.class,
                        "aTransportOpened.*open descriptors of '.*/pom.xml' after everything was closed",
                        Defect.writer((topic, topology) -> {
                            left.add(file());
                            return new MemoryWriter(topic, topology);
                        })));
    }

    private static AutoCloseable socket() {
        try {
            return new DatagramSocket();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static AutoCloseable file() {
        try {
            return new FileInputStream("pom.xml");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Stream<Defect> uses() {
        return Stream.of(
                new Defect(
                        "a closed connection opens writers",
                        ConfinementTck.class,
                        "aClosedConnectionOpens.*raise a throwable",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public void check() {
                                if (isOpen()) {
                                    super.check();
                                }
                            }
                        })),
                new Defect(
                        "a writer of a closed connection continues",
                        ConfinementTck.class,
                        "aWriterOfAClosed.*to contain: *\"closed\"",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public void close() {
                                opened.removeIf(each -> each instanceof MemoryWriter);
                                super.close();
                            }
                        })),
                new Defect(
                        "a reader of a closed connection continues",
                        ConfinementTck.class,
                        "aReaderOfAClosed.*raise a throwable",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public void close() {
                                opened.removeIf(each -> each instanceof MemoryReader);
                                super.close();
                            }
                        })),
                new Defect(
                        "a claim by another thread is refused without the thread's name",
                        ConfinementTck.class,
                        "anotherThreadMayNotClaim.*tck-stranger",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            private final Thread owner = Thread.currentThread();

                            @Override
                            public void check() {
                                if (Thread.currentThread() != owner) {
                                    throw new IllegalStateException("this is another thread's");
                                }
                                super.check();
                            }
                        })));
    }

    private static Stream<Defect> openings() {
        return Stream.of(
                new Defect(
                        "a reader that is withdrawn keeps its place",
                        OpeningTck.class,
                        "aReaderThatIsWithdrawn.*has a live reader",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public Opening<TopicReader> beginReader(String topic, String consumer) {
                                return new Opening<>() {
                                    @Override
                                    public void prepare() {
                                        transport.topic(topic).openConsumer(consumer);
                                    }

                                    @Override
                                    public TopicReader finish() {
                                        transport.topic(topic).openConsumer(consumer).hasReader = false;
                                        return openReader(topic, consumer);
                                    }

                                    @Override
                                    public void withdraw() {}
                                };
                            }
                        })),
                new Defect(
                        "a writer that another thread prepared belongs to that thread",
                        OpeningTck.class,
                        "aWriterThatAnotherThreadPrepared.*belongs to thread 'opener'",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public Opening<TopicWriter> beginWriter(String topic, String topology) {
                                AtomicReference<MemoryWriter> prepared = new AtomicReference<>();
                                return new Opening<>() {
                                    @Override
                                    public void prepare() {
                                        prepared.set(transport.newWriter(transport.topic(topic), topology));
                                    }

                                    @Override
                                    public TopicWriter finish() {
                                        prepared.get().remainingCapacity();
                                        return prepared.get();
                                    }

                                    @Override
                                    public void withdraw() {
                                        prepared.get().close();
                                    }
                                };
                            }
                        })),
                new Defect(
                        "a reader that another thread prepared begins at the oldest frame",
                        OpeningTck.class,
                        "aReaderThatAnotherThreadPrepared.*\"b\"",
                        Defect.connection(transport -> new MemoryConnection(transport) {
                            @Override
                            public Opening<TopicReader> beginReader(String topic, String consumer) {
                                return Opening.atOnce(() -> {
                                    MemoryReader reader = (MemoryReader) openReader(topic, consumer);
                                    reader.read = 0;
                                    return reader;
                                });
                            }
                        })));
    }
}
