package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicEnd;
import dev.baton.tck.chain.ChainTck;
import dev.baton.tck.chain.EdgeTck;
import dev.baton.tck.chain.PartitionsTck;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Defects that whole chains meet, with one topic between services and with several, and when they are opened again. Stateless. */
public final class ChainDefects {
    private ChainDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(chains(), moreChains(), partitions(), opened(), held()).flatMap(List::stream);
    }

    private static List<PlantedDefect> chains() {
        return List.of(
                new PlantedDefect(
                        "a frame does not tell how many services it passed",
                        ChainTck.class,
                        "messagesArriveInOrderWithPayloadAndHops.*AtomicInteger\\(5000\\) to have value: *0",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                frame.stamp(0, frame.type(), frame.cause(), frame.originNanos(), frame.sentNanos());
                                return super.commit(length);
                            }
                        })),
                new PlantedDefect(
                        "a rewind takes nothing back",
                        ChainTck.class,
                        "aMessageThatIsRetried.*contain exactly",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                // what was committed goes out with the next flush
                            }
                        })),
                new PlantedDefect(
                        "a claim is refused within the promised room",
                        ChainTck.class,
                        "messagesArriveInOrderWithPayloadAndHops.*refused a claim for which it had room",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            private boolean hasRefused;

                            @Override
                            public Frame claim(int maxLength) {
                                if (!hasRefused && sequence() == 7) {
                                    hasRefused = true;
                                    return null;
                                }
                                return super.claim(maxLength);
                            }
                        })),
                new PlantedDefect(
                        "a commit allocates",
                        ChainTck.class,
                        "sixHopsAllocateNothing.*bytes",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            private Object last;

                            @Override
                            public long commit(int length) {
                                last = new byte[64];
                                return super.commit(length);
                            }
                        })));
    }

    private static List<PlantedDefect> moreChains() {
        return List.of(
                new PlantedDefect(
                        "the longest payload of a chain loses its last byte",
                        ChainTck.class,
                        "longestPayloadCrossesTheChain.*",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                return super.commit(Math.min(length, HeapTransport.MAX_PAYLOAD - 1));
                            }
                        })),
                new PlantedDefect(
                        "instances share their topics",
                        ChainTck.class,
                        "instancesOnSharedLoopsDoNotMix.*has a live writer",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized HeapTopic topic(String name) {
                                return super.topic(topics.keySet().stream()
                                        .filter(each ->
                                                each.charAt(each.length() - 1) == name.charAt(name.length() - 1))
                                        .findFirst()
                                        .orElse(name));
                            }
                        }),
                new PlantedDefect(
                        "what was committed last is dropped at the close",
                        ChainTck.class,
                        "closingPassesOn.*whether all that the inlet has accepted",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void publish() {
                                if (committed > 490) {
                                    committed = Math.max(published, 490);
                                }
                                super.publish();
                            }
                        })));
    }

    private static List<PlantedDefect> partitions() {
        return List.of(
                new PlantedDefect(
                        "two frames that are polled together change places",
                        PartitionsTck.class,
                        "messagesOfAKeyKeepTheirOrder.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                long other = sequence % 2 == 1 && sequence < topic.published()
                                        ? sequence + 1
                                        : sequence % 2 == 0 ? sequence - 1 : sequence;
                                topic.aim(new Frame(), other);
                                return super.handOver(handler, other);
                            }
                        })),
                new PlantedDefect(
                        "topics of partitions are not listed",
                        PartitionsTck.class,
                        "partitionTopicsAreListedAndDeletedByName.*",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> topics() {
                                return super.topics().stream()
                                        .map(PartitionTopic::base)
                                        .collect(Collectors.toSet());
                            }
                        }),
                new PlantedDefect(
                        "more partitions are added to a topic",
                        PartitionsTck.class,
                        "anotherNumberOfPartitionsIsRefused.*a start with more partitions",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                Set<String> created = new HashSet<>();
                                names.forEach(name -> created.addAll(super.createTopics(List.of(name))));
                                return created;
                            }
                        }),
                new PlantedDefect(
                        "one topic is deleted at a time",
                        PartitionsTck.class,
                        "partitionTopicsAreListedAndDeletedByName.*",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized void deleteTopics(Collection<String> names) {
                                super.deleteTopics(names.stream().limit(1).toList());
                            }
                        }),
                new PlantedDefect(
                        "the partitions of a topic are one",
                        PartitionsTck.class,
                        "messagesOfAKeyKeepTheirOrder.*has a live writer",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized HeapTopic topic(String name) {
                                return topics.computeIfAbsent(PartitionTopic.base(name), this::newTopic);
                            }
                        }));
    }

    private static List<PlantedDefect> opened() {
        return List.of(
                new PlantedDefect(
                        "a topic that was created again is taken for the old one",
                        EdgeTck.class,
                        "inputsOfARecreatedTopicAreNotDropped.*a start that drops inputs",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long identity() {
                                return 7;
                            }
                        })),
                new PlantedDefect(
                        "another chain may write the topics",
                        EdgeTck.class,
                        "aChainWithAnotherService.*a start of another chain",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public String topologyOf(String topology, Incarnation predecessor) {
                                return predecessor == null ? topology : predecessor.topology();
                            }
                        })),
                new PlantedDefect(
                        "a writer does not know which input its newest frame answers",
                        EdgeTck.class,
                        "inputsOfARecreatedTopicAreNotDropped.*a start that drops inputs",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                TopicEnd end = super.found();
                                return new TopicEnd(end.newest(), end.isWhole(), end.writer(), InputRef.UNKNOWN);
                            }
                        })));
    }

    private static List<PlantedDefect> held() {
        return List.of(
                new PlantedDefect(
                        "a consumer begins behind what it has read",
                        EdgeTck.class,
                        "heldInputsAreRedeliveredAfterARestart.*sequence 6 where 4 was due",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            {
                                read = Math.max(read, this.consumer.read);
                            }
                        })),
                new PlantedDefect(
                        "a consumer begins at the oldest frame",
                        EdgeTck.class,
                        "(inputsOfARecreatedTopic|deletedOutputTopic).*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            {
                                read = 0;
                            }
                        })));
    }
}
