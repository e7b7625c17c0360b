package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapServer;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.NetworkHeap;
import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.NetworkFault;
import dev.baton.tck.network.NetworkFaultTck;
import dev.baton.tck.network.StalledServerTck;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Defects that faults of the network and of the server bring to light. Stateless. */
public final class NetworkDefects {
    private static final long PAUSE_NANOS = 200_000;

    private NetworkDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(stored(), reports(), moreReports(), waits(), readers()).flatMap(each -> each);
    }

    private static PlantedDefect writer(String name, String report, PlantedDefect.NetworkWriters writers) {
        return PlantedDefect.ofNetworkWriter(name, NetworkFaultTck.class, report, writers);
    }

    private static PlantedDefect reader(String name, String report, PlantedDefect.NetworkReaders readers) {
        return PlantedDefect.ofNetworkReader(name, NetworkFaultTck.class, report, readers);
    }

    /** Waits as long as the server is stalled, without a bound. */
    private static void awaitAnswer(HeapServer server) {
        while (server.has(NetworkFault.STALLED_SERVER)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static Stream<PlantedDefect> stored() {
        return Stream.of(
                writer(
                        "outstanding writes of a broken link count as stored",
                        "onlyWhatIsStored.*stored sequence during BROKEN_LINKS.*but was: 3L",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public int send() {
                                return link.isBroken() ? 0 : super.send();
                            }

                            @Override
                            public long storedSequence() {
                                return link.isBroken() ? committed : super.storedSequence();
                            }

                            @Override
                            public void check() {
                                if (!isOpen() || !link.isBroken()) {
                                    super.check();
                                }
                            }
                        }),
                writer(
                        "frames count as stored before the server has answered",
                        "onlyWhatIsStored.*stored sequence during STALLED_SERVER.*but was: 3L",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public long storedSequence() {
                                return published;
                            }
                        }),
                writer(
                        "frames that the server refused count as stored",
                        "onlyWhatIsStored.*stored sequence during REFUSED_WRITES.*but was: 3L",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public TransportException fail(String why) {
                                TransportException failure = super.fail(why);
                                stored = published;
                                return failure;
                            }
                        }),
                writer(
                        "a batch is stored frame by frame and called whole",
                        "cutBatchIsNotReportedAsComplete.*frames of a batch of 4 that are stored and called complete",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public int send() {
                                if (batches.isEmpty() || link.isBroken()) {
                                    return 0;
                                }
                                store(stored + 1);
                                if (stored == batches.peek()) {
                                    batches.remove();
                                }
                                return 1;
                            }
                        }),
                writer(
                        "a broken link takes a frame along that was stored",
                        "onlyWhatIsStored.*frames of which 1 counted as stored",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public void close() {
                                if (isOpen() && link.isBroken()) {
                                    topic.publish(Math.max(0, stored - 1));
                                }
                                super.close();
                            }
                        }));
    }

    private static Stream<PlantedDefect> reports() {
        return Stream.of(
                PlantedDefect.ofLink(
                        "a lost link is never reported",
                        NetworkFaultTck.class,
                        "lastingFaults.*waited \\d+ ms for a report of BROKEN_LINKS.*rule: a fault that lasts is reported",
                        SilentLink::new),
                writer(
                        "a stalled server is never reported",
                        "lastingFaults.*waited \\d+ ms for a report of STALLED_SERVER.*rule: a fault that lasts is reported",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public int send() {
                                return server.has(NetworkFault.STALLED_SERVER) ? 0 : super.send();
                            }
                        }),
                writer(
                        "refused frames are dropped in silence",
                        "lastingFaults.*waited \\d+ ms for a report of REFUSED_WRITES.*rule: a fault that lasts is reported",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public int send() {
                                if (server.has(NetworkFault.REFUSED_WRITES)) {
                                    batches.clear();
                                }
                                return super.send();
                            }
                        }),
                writer(
                        "a refusal is reported once and writing continues",
                        "lastingFaults.*a claim of a writer that has lost frames; rule",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public int send() {
                                if (server.has(NetworkFault.REFUSED_WRITES) && !batches.isEmpty()) {
                                    batches.clear();
                                    throw new TransportException("topic '" + topic.name + "': refused");
                                }
                                return super.send();
                            }
                        }));
    }

    private static Stream<PlantedDefect> moreReports() {
        return Stream.of(
                writer(
                        "a writer that has lost frames writes again once the server is healed",
                        "lastingFaults.*a claim after the fault; rule",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            private boolean hasLost;

                            @Override
                            public int send() {
                                if (server.has(NetworkFault.REFUSED_WRITES)) {
                                    hasLost = true;
                                    batches.clear();
                                }
                                return super.send();
                            }

                            @Override
                            public void check() {
                                super.check();
                                if (hasLost && server.has(NetworkFault.REFUSED_WRITES)) {
                                    throw new TransportException("topic '" + topic.name + "': refused");
                                }
                            }
                        }),
                PlantedDefect.ofLink(
                        "a lost link is reported by an exception that says nothing",
                        NetworkFaultTck.class,
                        "\\w+\\(.*what a call throws during a fault.*NullPointerException",
                        transport -> new NetworkHeap.Link(transport) {
                            @Override
                            public int doWork() {
                                if (link.isBroken()) {
                                    throw new NullPointerException();
                                }
                                return super.doWork();
                            }
                        }),
                writer(
                        "a writer whose link is lost keeps its place for ever",
                        "(onlyWhatIsStored|lastingFaults).*has a live writer",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public void close() {
                                if (isOpen() && link.isBroken()) {
                                    disown();
                                } else {
                                    super.close();
                                }
                            }
                        }));
    }

    private static Stream<PlantedDefect> waits() {
        return Stream.of(
                PlantedDefect.ofNetwork(
                        "a connect waits without a bound",
                        StalledServerTck.class,
                        "everyCallEnds.*these have not returned: \\[connect\\].*rule: no call waits without a bound",
                        server -> new NetworkHeap(server) {
                            @Override
                            public Connection connect() {
                                awaitAnswer(server);
                                return super.connect();
                            }
                        }),
                PlantedDefect.ofNetwork(
                        "a look at the topics waits without a bound",
                        StalledServerTck.class,
                        "everyCallEnds.*these have not returned: \\[topics\\]",
                        server -> new NetworkHeap(server) {
                            @Override
                            public Set<String> topics() {
                                awaitAnswer(server);
                                return super.topics();
                            }
                        }),
                PlantedDefect.ofNetworkWriter(
                        "a close waits without a bound",
                        StalledServerTck.class,
                        "everyCallEnds.*these have not returned: \\[close\\]",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public void close() {
                                awaitAnswer(server);
                                super.close();
                            }
                        }),
                PlantedDefect.ofNetworkWriter(
                        "a flush waits for its answer",
                        StalledServerTck.class,
                        "everyCallEnds.*these have not returned: \\[flush, close\\]",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            @Override
                            public void flush() {
                                super.flush();
                                awaitAnswer(server);
                            }
                        }),
                PlantedDefect.ofNetworkReader(
                        "a poll waits for the server",
                        StalledServerTck.class,
                        "everyCallEnds.*these have not returned: \\[poll\\]",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                awaitAnswer(server);
                                return super.poll(handler, limit);
                            }
                        }),
                PlantedDefect.ofNetworkReader(
                        "an acknowledgement waits for the server",
                        StalledServerTck.class,
                        "everyCallEnds.*these have not returned: \\[acknowledge\\]",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                awaitAnswer(server);
                                super.acknowledge(position);
                            }
                        }),
                PlantedDefect.ofLink(
                        "a turn waits for the server",
                        StalledServerTck.class,
                        "everyCallEnds.*these have not returned: \\[doWork",
                        transport -> new NetworkHeap.Link(transport) {
                            @Override
                            public int doWork() {
                                awaitAnswer(server);
                                return super.doWork();
                            }
                        }));
    }

    private static Stream<PlantedDefect> readers() {
        return Stream.of(
                PlantedDefect.ofLink(
                        "a reader of a lost link gets nothing for ever",
                        NetworkFaultTck.class,
                        "readersReportALostLink.*waited \\d+ ms for a frame that was written after BROKEN_LINKS.*came: no frame",
                        transport -> new SilentLink(transport) {
                            @Override
                            public TopicReader openReader(String topic, String consumer, StartPosition from) {
                                NetworkHeap.Reader reader = new DeafReader(server, transport.topic(topic), consumer);
                                opened.add(reader);
                                reader.link = link;
                                return reader;
                            }
                        }),
                reader(
                        "a reader that has missed an answer asks never again",
                        "readersReportALostLink.*waited \\d+ ms for a frame that was written after STALLED_SERVER",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            private boolean hasMissed;

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                hasMissed |= server.has(NetworkFault.STALLED_SERVER);
                                return hasMissed ? 0 : super.poll(handler, limit);
                            }
                        }),
                reader(
                        "a broken link moves the consumer to the end",
                        "aFaultMovesNoConsumer.*the first frame that the consumer gets after BROKEN_LINKS|aFaultMovesNoConsumer.*waited",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public void close() {
                                if (isOpen() && link.isBroken()) {
                                    this.consumer.acknowledged = topic.published() - 1;
                                }
                                super.close();
                            }
                        }),
                reader(
                        "what was read counts as acknowledged when the server was stalled",
                        "aFaultMovesNoConsumer.*the first frame that the consumer gets after STALLED_SERVER",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                if (server.has(NetworkFault.STALLED_SERVER)) {
                                    this.consumer.acknowledged = topic.published() - 1;
                                }
                                super.acknowledge(position);
                            }
                        }));
    }

    /** Gets nothing once its link is broken. Confined to the thread that opened it. */
    private static final class DeafReader extends NetworkHeap.Reader {
        DeafReader(HeapServer server, HeapTopic topic, String consumer) {
            super(server, topic, consumer);
        }

        @Override
        public void check() {
            if (!isOpen() || !link.isBroken()) {
                super.check();
            }
        }

        @Override
        public int poll(FrameHandler handler, int limit) {
            return link.isBroken() ? 0 : super.poll(handler, limit);
        }
    }

    /** Does not look at its link, and nor does what is opened through it. Confined to the thread that connected. */
    private static class SilentLink extends NetworkHeap.Link {
        SilentLink(NetworkHeap transport) {
            super(transport);
        }

        @Override
        public int doWork() {
            return link.isBroken() ? 0 : super.doWork();
        }

        @Override
        public TopicWriter openWriter(String topic, String topology) {
            NetworkHeap.Writer writer = (NetworkHeap.Writer) super.openWriter(topic, topology);
            writer.link = server.unbreakable();
            return writer;
        }
    }
}
