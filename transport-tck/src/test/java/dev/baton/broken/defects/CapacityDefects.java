package dev.baton.broken.defects;

import dev.baton.broken.memory.KeptMemory;
import dev.baton.broken.memory.MemoryConsumer;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryWriter;
import dev.baton.spi.ConsumerLag;
import dev.baton.spi.Frame;
import dev.baton.tck.BackPressureTck;
import dev.baton.tck.PositionTck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Defects of back-pressure and of what is overwritten. Stateless. */
public final class CapacityDefects {
    private CapacityDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(promises(), morePromises(), overwritten(), consumers(), observers())
                .flatMap(List::stream);
    }

    private static List<Defect> promises() {
        return List.of(
                new Defect(
                        "one frame more is promised than has room",
                        BackPressureTck.class,
                        "asManyCommitsAsRoomSucceed.*commit 65 of 65",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public int remainingCapacity() {
                                return super.remainingCapacity() + 1;
                            }
                        })),
                new Defect(
                        "each commit takes two",
                        BackPressureTck.class,
                        "eachCommitTakesAtMostOne.*greater than or equal",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public int remainingCapacity() {
                                return (int) (super.remainingCapacity() - (committed - published));
                            }
                        })),
                new Defect(
                        "one frame of room is never given back",
                        BackPressureTck.class,
                        "roomReachesMaxRoom.*waited \\d+ ms for all room",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public int remainingCapacity() {
                                return Math.min(super.remainingCapacity(), capacity() - 1);
                            }
                        })));
    }

    private static List<Defect> morePromises() {
        return List.of(
                new Defect(
                        "more short frames are promised than have room",
                        BackPressureTck.class,
                        "asManyCommitsAsRoomForTheirLength.*commit 65 of 65",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public int remainingCapacity(int maxLength) {
                                return remainingCapacity() + 1;
                            }
                        })),
                new Defect(
                        "a writer that was refused waits for an empty topic",
                        BackPressureTck.class,
                        "roomComesBack.*waited \\d+ ms for room after",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
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
                new Defect(
                        "a writer is never refused",
                        BackPressureTck.class,
                        "aStoppedReaderMakesRoomFall.*frames before a refusal",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public synchronized long raiseFloor() {
                                return Math.max(super.raiseFloor(), published() - 8);
                            }
                        })));
    }

    private static List<Defect> consumers() {
        return List.of(
                new Defect(
                        "no consumer is named that holds back",
                        BackPressureTck.class,
                        "consumerThatHoldsTopicBackIsNamed.*holds back a topic whose other consumer",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public ConsumerLag slowestConsumer() {
                                return null;
                            }
                        })),
                new Defect(
                        "only consumers with a reader are named",
                        BackPressureTck.class,
                        "consumerThatHoldsTopicBackIsNamed.*holds back a topic whose other consumer",
                        Defect.topic(name -> new MemoryTopic(name) {
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
                new Defect(
                        "a consumer that has acknowledged everything is named",
                        BackPressureTck.class,
                        "noConsumerIsNamedWhenAllIsAcknowledged.*frames are all acknowledged",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public synchronized ConsumerLag slowestConsumer() {
                                ConsumerLag slowest = super.slowestConsumer();
                                return slowest == null && !consumers.isEmpty()
                                        ? new ConsumerLag(consumers.get(0).name, 0)
                                        : slowest;
                            }
                        })));
    }

    private static List<Defect> observers() {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return List.of(new Defect(
                "a consumer that holds nothing back by its name holds back",
                BackPressureTck.class,
                "observingConsumerHoldsNothingBack.*waited \\d+ ms for room for frame",
                () -> new KeptMemory(kept) {
                    @Override
                    public MemoryTopic newTopic(String name) {
                        return new MemoryTopic(name) {
                            @Override
                            public boolean holdsBack(MemoryConsumer consumer) {
                                return true;
                            }
                        };
                    }
                }));
    }

    private static List<Defect> overwritten() {
        return List.of(
                new Defect(
                        "the fastest consumer decides what is overwritten",
                        BackPressureTck.class,
                        "theSlowestConsumerDecides.*a consumer that read after another one",
                        Defect.topic(name -> new MemoryTopic(name) {
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
                new Defect(
                        "frames read but not acknowledged are overwritten",
                        BackPressureTck.class,
                        "framesReadButNotAcknowledged.*read, but not acknowledged",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long heldFrom(MemoryConsumer consumer) {
                                return consumer.read;
                            }
                        })),
                new Defect(
                        "a topic without consumers counts as read",
                        BackPressureTck.class,
                        "framesWrittenBeforeTheFirstReader.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public synchronized long raiseFloor() {
                                floor = consumers.isEmpty() ? published() : super.raiseFloor();
                                return floor;
                            }
                        })),
                new Defect(
                        "a consumer that has closed holds nothing",
                        PositionTck.class,
                        "aBatchAcknowledgedInPart.*|framesNeverAcknowledged.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public synchronized void closeConsumer(MemoryConsumer consumer) {
                                super.closeConsumer(consumer);
                                consumers.remove(consumer);
                                floor = published();
                            }
                        })));
    }
}
