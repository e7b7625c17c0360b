package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.NetworkHeap;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.admin.RetentionTck;
import java.util.stream.Stream;

/** Defects of consumers whose frames are removed before they have read them. Stateless. */
public final class RetentionDefects {
    private RetentionDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(readers(), writers()).flatMap(each -> each);
    }

    private static PlantedDefect reader(String name, String report, PlantedDefect.NetworkReaders readers) {
        return PlantedDefect.ofNetworkReader(name, RetentionTck.class, report, readers);
    }

    private static Stream<PlantedDefect> readers() {
        return Stream.of(
                reader(
                        "frames that were removed unread are skipped in silence",
                        "removedUnreadFramesAreReportedAtTheOpen.*the consumer's report after frames 2 and 3 were removed; rule",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                read = Math.max(read, ((NetworkHeap.Topic) topic).removed());
                                return super.poll(handler, limit);
                            }
                        }),
                reader(
                        "frames that were removed while no consumer read are skipped in silence",
                        "removedUnreadFramesAreReportedAtTheOpen.*the consumer's report after frames 2 and 3 were removed; rule",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            {
                                read = Math.max(read, ((NetworkHeap.Topic) topic).removed());
                            }
                        }),
                reader(
                        "a live reader skips frames that are removed before it",
                        "aLiveReader.*the next frame of a consumer; rule",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            private final long removedAtOpen = ((NetworkHeap.Topic) topic).removed();

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                long removed = ((NetworkHeap.Topic) topic).removed();
                                read = Math.max(read, removed == removedAtOpen ? 0 : removed);
                                return super.poll(handler, limit);
                            }
                        }),
                reader(
                        "a consumer whose frames were removed gets nothing more, and no report",
                        "(removedUnreadFramesAreReportedAtTheOpen.*but was|aLiveReader).*waited \\d+ ms for.*(rule|report).*",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                boolean isGone = sequence <= ((NetworkHeap.Topic) topic).removed();
                                return isGone ? Verdict.RETRY : super.handOver(handler, sequence);
                            }
                        }),
                reader(
                        "the report of removed frames names no topic",
                        "removedUnreadFramesAreReportedAtTheOpen.*gone",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public void requireKept(long sequence) {
                                if (sequence <= ((NetworkHeap.Topic) topic).removed()) {
                                    throw new TransportException("frame " + sequence + " is gone");
                                }
                            }
                        }),
                reader(
                        "frames removed behind a consumer are reported",
                        "framesRemovedBehind.*threw dev.baton.spi.errors.TransportException.*removed",
                        (server, topic, consumer) -> new NetworkHeap.Reader(server, topic, consumer) {
                            @Override
                            public void requireKept(long sequence) {
                                super.requireKept(Math.min(sequence, 1));
                            }
                        }));
    }

    private static Stream<PlantedDefect> writers() {
        return Stream.of(
                PlantedDefect.ofNetworkWriter(
                        "a writer begins again where all frames were removed",
                        RetentionTck.class,
                        "aWriterContinues.*whose frames were all removed.*expected: 5L.*but was: 0L",
                        (server, topic, topology) -> new NetworkHeap.Writer(server, topic, topology) {
                            {
                                if (((NetworkHeap.Topic) topic).removed() == published && published > 0) {
                                    published = 0;
                                    committed = 0;
                                    stored = 0;
                                }
                            }
                        }),
                PlantedDefect.ofNetwork(
                        "a new consumer begins with frames that were removed",
                        RetentionTck.class,
                        "aNewConsumer.*threw dev.baton.spi.errors.TransportException.*removed",
                        server -> new NetworkHeap(server) {
                            @Override
                            public HeapTopic newTopic(String name) {
                                return new Topic(name) {
                                    @Override
                                    public long start() {
                                        return 0;
                                    }
                                };
                            }
                        }));
    }
}
