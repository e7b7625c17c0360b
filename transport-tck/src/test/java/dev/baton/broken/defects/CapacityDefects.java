package dev.baton.broken.defects;

import dev.baton.broken.heap.DurableHeap;
import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.tck.BackPressureTck;
import dev.baton.tck.PositionTck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Defects of back-pressure and of what is overwritten. Stateless. */
public final class CapacityDefects {
    private CapacityDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(promises(), morePromises(), overwritten(), consumers(), observers())
                .flatMap(List::stream);
    }

    private static List<PlantedDefect> promises() {
        return List.of(
                new PlantedDefect(
                        "one frame more is promised than has room",
                        BackPressureTck.class,
                        "asManyCommitsAsRoomSucceed.*commit 65 of 65",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public int remainingCapacity() {
                                return super.remainingCapacity() + 1;
                            }
                        })),
                new PlantedDefect(
                        "each commit takes two",
                        BackPressureTck.class,
                        "eachCommitTakesAtMostOneSlot.*greater than or equal",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public int remainingCapacity() {
                                return (int) (super.remainingCapacity() - (committed - published));
                            }
                        })),
                new PlantedDefect(
                        "one frame of room is never given back",
                        BackPressureTck.class,
                        "roomReachesCapacityOnceAllIsRead.*waited \\d+ ms for all room",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public int remainingCapacity() {
                                return Math.min(super.remainingCapacity(), capacity() - 1);
                            }
                        })));
    }

    private static List<PlantedDefect> morePromises() {
        return List.of(
                new PlantedDefect(
                        "more short frames are promised than have room",
                        BackPressureTck.class,
                        "remainingCapacityIsTheNumberOfCommits.*commit 65 of 65",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public int remainingCapacity(int maxLength) {
                                return remainingCapacity() + 1;
                            }
                        })),
                new PlantedDefect(
                        "a writer that was refused waits for an empty topic",
                        BackPressureTck.class,
                        "roomComesBack.*waited \\d+ ms for room after",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            private boolean wasFull;

                            @Override
                            public int remainingCapacity() {
                                int remaining = super.remainingCapacity();
                                wasFull = remaining == 0 || wasFull && remaining < capacity();
                                return wasFull ? 0 : remaining;
                            }

                            @Override
                            public Frame claim(int maxLength) {
                                Frame granted = super.claim(maxLength);
                                wasFull |= granted == null;
                                return granted;
                            }
                        })),
                new PlantedDefect(
                        "a writer is never refused",
                        BackPressureTck.class,
                        "stoppedReaderLeavesNoRoomAtABound.*frames before a refusal",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized long raiseFloor() {
                                return Math.max(super.raiseFloor(), published() - 8);
                            }
                        })));
    }

    private static List<PlantedDefect> consumers() {
        return List.of(
                new PlantedDefect(
                        "no consumer is named that holds back",
                        BackPressureTck.class,
                        "consumerThatHoldsTopicBackIsNamed.*holds back a topic whose other consumer",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public ConsumerLag slowestConsumer() {
                                return null;
                            }
                        })),
                new PlantedDefect(
                        "only consumers with a reader are named",
                        BackPressureTck.class,
                        "consumerThatHoldsTopicBackIsNamed.*holds back a topic whose other consumer",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized ConsumerLag slowestConsumer() {
                                ConsumerLag slowest = super.slowestConsumer();
                                boolean isRead = slowest != null
                                        && consumers.stream()
                                                .anyMatch(
                                                        each -> each.hasReader && each.name.equals(slowest.consumer()));
                                return isRead ? slowest : null;
                            }
                        })),
                new PlantedDefect(
                        "a consumer that has acknowledged everything is named",
                        BackPressureTck.class,
                        "noConsumerIsNamedWhenAllIsAcknowledged.*frames are all acknowledged",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized ConsumerLag slowestConsumer() {
                                ConsumerLag slowest = super.slowestConsumer();
                                return slowest == null && !consumers.isEmpty()
                                        ? new ConsumerLag(consumers.get(0).name, 0)
                                        : slowest;
                            }
                        })));
    }

    private static List<PlantedDefect> observers() {
        Map<String, HeapTopic> kept = new HashMap<>();
        return List.of(new PlantedDefect(
                "a consumer that holds nothing back by its name holds back",
                BackPressureTck.class,
                "observingConsumerHoldsNothingBack.*waited \\d+ ms for room for frame",
                () -> new DurableHeap(kept) {
                    @Override
                    public HeapTopic newTopic(String name) {
                        return new HeapTopic(name) {
                            @Override
                            public boolean holdsBack(HeapConsumer consumer) {
                                return true;
                            }
                        };
                    }
                }));
    }

    private static List<PlantedDefect> overwritten() {
        return List.of(
                new PlantedDefect(
                        "the fastest consumer decides what is overwritten",
                        BackPressureTck.class,
                        "theSlowestConsumerDecides.*a consumer that read after another one",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized long raiseFloor() {
                                floor = Math.max(
                                        super.raiseFloor(),
                                        consumers.stream()
                                                .mapToLong(this::heldFrom)
                                                .max()
                                                .orElse(0));
                                return floor;
                            }
                        })),
                new PlantedDefect(
                        "frames read but not acknowledged are overwritten",
                        BackPressureTck.class,
                        "framesReadButNotAcknowledged.*unacknowledged frames",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long heldFrom(HeapConsumer consumer) {
                                return consumer.read;
                            }
                        })),
                new PlantedDefect(
                        "a topic without consumers counts as read",
                        BackPressureTck.class,
                        "framesBeforeTheFirstReaderAreKept.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized long raiseFloor() {
                                floor = consumers.isEmpty() ? published() : super.raiseFloor();
                                return floor;
                            }
                        })),
                new PlantedDefect(
                        "a consumer that has closed holds nothing",
                        PositionTck.class,
                        "partlyAcknowledgedBatchContinuesWithItsRest.*|framesNeverAcknowledged.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized void closeConsumer(HeapConsumer consumer) {
                                super.closeConsumer(consumer);
                                consumers.remove(consumer);
                                floor = published();
                            }
                        })));
    }
}
