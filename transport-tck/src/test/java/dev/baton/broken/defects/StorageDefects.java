package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapProvider;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.NetworkHeap;
import dev.baton.broken.heap.StoredFixture;
import dev.baton.broken.heap.StoredHeap;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.StorageFaultTck;
import dev.baton.tck.admin.RetentionTck;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Defects of transports whose frames are removed unread, or whose storage is damaged. Stateless. */
public final class StorageDefects {
    private StorageDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(readers(), writers(), damagedTopics(), failedSyncs()).flatMap(each -> each);
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

    private static PlantedDefect topic(String name, String report, Function<String, StoredHeap.Topic> made) {
        return new PlantedDefect(
                name,
                StorageFaultTck.class,
                report,
                longestWait -> StoredFixture.of(
                        kept -> new StoredHeap(kept) {
                            @Override
                            public Topic newTopic(String topicName) {
                                return made.apply(topicName);
                            }
                        },
                        longestWait),
                new HeapProvider());
    }

    private static PlantedDefect syncing(
            String name, String report, BiFunction<StoredHeap.Topic, String, StoredHeap.Writer> writers) {
        return new PlantedDefect(
                name,
                StorageFaultTck.class,
                report,
                longestWait -> StoredFixture.of(
                        kept -> new StoredHeap(kept) {
                            @Override
                            public Writer newWriter(HeapTopic topic, String topology) {
                                return writers.apply((Topic) topic, topology);
                            }
                        },
                        longestWait),
                new HeapProvider());
    }

    private static Stream<PlantedDefect> damagedTopics() {
        return Stream.of(
                topic(
                        "a damaged position is followed",
                        "wrongPositionsSkipNoFrame.*the first frame of a consumer that has acknowledged 2; rule",
                        name -> new StoredHeap.Topic(name) {
                            @Override
                            public synchronized HeapConsumer openConsumer(String consumerName) {
                                if (isPositionDamaged) {
                                    isPositionDamaged = false;
                                    consumers.forEach(consumer -> consumer.acknowledged += 2);
                                }
                                return super.openConsumer(consumerName);
                            }
                        }),
                topic(
                        "a position ahead of the end counts as the end",
                        "wrongPositionsSkipNoFrame.*the first frame of a consumer that has acknowledged 2; rule",
                        name -> new StoredHeap.Topic(name) {
                            @Override
                            public synchronized HeapConsumer openConsumer(String consumerName) {
                                consumers.forEach(consumer ->
                                        consumer.acknowledged = Math.min(consumer.acknowledged, published()));
                                return super.openConsumer(consumerName);
                            }
                        }),
                topic(
                        "the refusal of a damaged position names no topic",
                        "wrongPositionsSkipNoFrame.*the refusal of a wrong position; rule",
                        name -> new StoredHeap.Topic(name) {
                            @Override
                            public synchronized HeapConsumer openConsumer(String consumerName) {
                                if (isPositionDamaged) {
                                    throw new TransportException("a position is damaged");
                                }
                                return super.openConsumer(consumerName);
                            }
                        }),
                topic(
                        "a topic begins again where its frames are gone",
                        "topicsShorterThanStoredAreRefused.*a writer of a topic whose frames are gone; rule",
                        name -> new StoredHeap.Topic(name) {
                            @Override
                            public void requireWhole() {
                                // trusts what it finds
                            }
                        }),
                topic(
                        "a refused writer forgets what was stored",
                        "topicsShorterThanStoredAreRefused.*a writer of a topic whose frames are gone; rule",
                        name -> new StoredHeap.Topic(name) {
                            @Override
                            public synchronized Incarnation openWriter(String topology) {
                                try {
                                    return super.openWriter(topology);
                                } finally {
                                    recorded = published();
                                }
                            }
                        }));
    }

    private static Stream<PlantedDefect> failedSyncs() {
        return Stream.of(
                syncing(
                        "a sync that fails is not noticed",
                        "failedSyncsEndTheWriter.*a frame whose sync fails; rule",
                        (topic, topology) -> new StoredHeap.Writer(topic, topology) {
                            @Override
                            public void requireSynced() {
                                // as if it had none
                            }
                        }),
                syncing(
                        "a writer continues after a sync that failed",
                        "failedSyncsEndTheWriter.*a frame after a sync that failed; rule",
                        (topic, topology) -> new StoredHeap.Writer(topic, topology) {
                            @Override
                            public void requireSynced() {
                                ended = null;
                                super.requireSynced();
                            }
                        }),
                syncing(
                        "a sync that fails leaves a gap in the sequences",
                        "writerAfterAFailedSyncLeavesNoHole.*the end that a writer finds after a sync that failed; rule",
                        (topic, topology) -> new StoredHeap.Writer(topic, topology) {
                            @Override
                            public void close() {
                                committed = published;
                                super.close();
                                if (ended != null) {
                                    topic.publish(published + 2);
                                }
                            }
                        }));
    }
}
