package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConnection;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.broken.heap.NetworkHeap;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.admin.TopicTck;
import dev.baton.tck.lifecycle.ConfinementTck;
import dev.baton.tck.lifecycle.InterruptTck;
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

    public static Stream<PlantedDefect> all() {
        return Stream.of(races(), repeated(), resources(), uses(), openings(), interrupts())
                .flatMap(each -> each);
    }

    private static Stream<PlantedDefect> interrupts() {
        return Stream.of(
                new PlantedDefect(
                        "a close of an interrupted thread ends its interrupt",
                        InterruptTck.class,
                        "interruptedThreadsWriteReadAndClose.*whether the thread is interrupted after the close of a writer; rule",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void close() {
                                Thread.interrupted();
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "an interrupted thread cannot poll",
                        InterruptTck.class,
                        "interruptedThreadsWriteReadAndClose.*poll.*interrupted; rule",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                if (Thread.currentThread().isInterrupted()) {
                                    throw new TransportException("interrupted");
                                }
                                return super.poll(handler, limit);
                            }
                        })));
    }

    private static Stream<PlantedDefect> races() {
        Deque<Runnable> late = new ArrayDeque<>();
        return Stream.of(
                PlantedDefect.ofNetworkWriter(
                        "a close lets the next open overtake its frames",
                        LifecycleTck.class,
                        "closingAWriterLosesNothing.*the newest frame that life 2 finds; rule: the next open finds",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
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
                PlantedDefect.ofNetworkWriter(
                        "a connection that closes drops what is on its way",
                        LifecycleTck.class,
                        "closingA\\w+LosesNothing.*(the newest frame that life 2 finds; rule|waited \\d+ ms for 32 frames.*rule: every)",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
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
                PlantedDefect.ofNetworkWriter(
                        "a close keeps the order of its last two batches no longer",
                        LifecycleTck.class,
                        "closingAWriterLosesNothing.*frames of writers that were closed while these were on their way",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public void close() {
                                if (isOpen() && published > stored + 1) {
                                    HeapTopic other = new HeapTopic("swapped");
                                    other.copy(slots, published);
                                    swap(other);
                                }
                                super.close();
                            }

                            private void swap(HeapTopic other) {
                                Frame last = other.aim(new Frame(), published);
                                Frame before = slots.aim(new Frame(), published - 1);
                                byte first = last.getByte(last.length() - 1);
                                slots.aim(new Frame(), published)
                                        .putByte(last.length() - 1, before.getByte(before.length() - 1));
                                before.putByte(before.length() - 1, first);
                            }
                        }));
    }

    private static Stream<PlantedDefect> repeated() {
        return Stream.of(
                new PlantedDefect(
                        "a writer that is closed again releases the next one's place",
                        LifecycleTck.class,
                        "secondCloseOfAWriterHasNoEffect.*a second writer, as one that is closed already",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void close() {
                                super.close();
                                topic.closeWriter();
                            }
                        })),
                new PlantedDefect(
                        "a reader that is closed again releases the next one's place",
                        LifecycleTck.class,
                        "secondCloseOfAReaderHasNoEffect.*a second reader, as one that is closed already",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void close() {
                                super.close();
                                topic.closeConsumer(this.consumer);
                            }
                        })),
                new PlantedDefect(
                        "a connection that opened nothing cannot be closed",
                        LifecycleTck.class,
                        "closingAConnectionThatOpenedNothing.*nothing to close",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void close() {
                                if (opened.isEmpty()) {
                                    throw new IllegalStateException("nothing to close");
                                }
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "a topic is forgotten when nobody has it open",
                        TopicTck.class,
                        "topicsOutlive.*to contain",
                        () -> new HeapTransport() {
                            @Override
                            public HeapConnection newConnection() {
                                return new HeapConnection(this) {
                                    @Override
                                    public void close() {
                                        super.close();
                                        topics.values().removeIf(topic -> !topic.isInUse());
                                    }
                                };
                            }
                        }));
    }

    private static Stream<PlantedDefect> resources() {
        List<AutoCloseable> left = new ArrayList<>(); // closed by the garbage collector, with this list
        return Stream.of(
                new PlantedDefect(
                        "a connection leaves a socket open",
                        LifecycleTck.class,
                        "closedTransportLeavesNothingBehind.*open descriptors of 'socket' after everything was closed",
                        PlantedDefect.connection(transport -> {
                            left.add(socket());
                            return new HeapConnection(transport);
                        })),
                new PlantedDefect(
                        "a writer leaves a file open",
                        LifecycleTck.class,
                        "closedTransportLeavesNothingBehind.*open descriptors of '.*/pom.xml' after everything was closed",
                        PlantedDefect.writer((topic, topology) -> {
                            left.add(file());
                            return new HeapWriter(topic, topology);
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

    private static Stream<PlantedDefect> uses() {
        return Stream.of(
                new PlantedDefect(
                        "a closed connection opens writers",
                        ConfinementTck.class,
                        "aClosedConnectionOpens.*raise a throwable",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void check() {
                                if (isOpen()) {
                                    super.check();
                                }
                            }
                        })),
                new PlantedDefect(
                        "a writer of a closed connection continues",
                        ConfinementTck.class,
                        "writerOfAClosedConnectionRefusesToWork.*to contain: *\"closed\"",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void close() {
                                opened.removeIf(each -> each instanceof HeapWriter);
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "a reader of a closed connection continues",
                        ConfinementTck.class,
                        "readerOfAClosedConnectionRefusesToWork.*raise a throwable",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void close() {
                                opened.removeIf(each -> each instanceof HeapReader);
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "a claim by another thread is refused without the thread's name",
                        ConfinementTck.class,
                        "anotherThreadMayNotClaim.*tck-stranger",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
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

    private static Stream<PlantedDefect> openings() {
        return Stream.of(
                new PlantedDefect(
                        "a reader that is withdrawn keeps its place",
                        OpeningTck.class,
                        "withdrawnReaderAdmitsAnother.*has a live reader",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
                                return new Opening<>() {
                                    @Override
                                    public void prepare() {
                                        transport.topic(topic).openConsumer(consumer);
                                    }

                                    @Override
                                    public TopicReader finish() {
                                        transport.topic(topic).openConsumer(consumer).hasReader = false;
                                        return openReader(topic, consumer, from);
                                    }

                                    @Override
                                    public void withdraw() {}
                                };
                            }
                        })),
                new PlantedDefect(
                        "a writer that another thread prepared belongs to that thread",
                        OpeningTck.class,
                        "writerPreparedElsewhereContinuesBehindTheNewestFrame.*belongs to thread 'opener'",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public Opening<TopicWriter> beginWriter(String topic, String topology) {
                                AtomicReference<HeapWriter> prepared = new AtomicReference<>();
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
                new PlantedDefect(
                        "a reader that another thread prepared begins at the oldest frame",
                        OpeningTck.class,
                        "readerPreparedElsewhereContinuesBehindItsPosition.*\"b\"",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
                                return Opening.atOnce(() -> {
                                    HeapReader reader = (HeapReader) openReader(topic, consumer, from);
                                    reader.read = 0;
                                    return reader;
                                });
                            }
                        })));
    }
}
