package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryConsumer;
import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.spi.FrameHandler;
import dev.baton.tck.PositionTck;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Defects of what a consumer has acknowledged. Stateless. */
public final class PositionDefects {
    private PositionDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(acknowledgements(), moreAcknowledgements(), positions(), consumers())
                .flatMap(List::stream);
    }

    private static List<Defect> acknowledgements() {
        return List.of(
                new Defect(
                        "every third acknowledgement is lost",
                        PositionTck.class,
                        "manyRestartsLoseNothing.*first 3",
                        () -> {
                            AtomicInteger count = new AtomicInteger();
                            return new MemoryTransport() {
                                @Override
                                public MemoryReader newReader(MemoryTopic topic, String consumer) {
                                    return new MemoryReader(topic, consumer) {
                                        @Override
                                        public void acknowledge(long position) {
                                            if (count.incrementAndGet() % 3 != 0) {
                                                super.acknowledge(position);
                                            }
                                        }
                                    };
                                }
                            };
                        }),
                new Defect(
                        "what was not handed over can be acknowledged",
                        PositionTck.class,
                        "acknowledgingWhatWasNeverHandedOver.*raise a throwable",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(Math.min(position, handed));
                            }
                        })));
    }

    private static List<Defect> moreAcknowledgements() {
        return List.of(
                new Defect(
                        "an older acknowledgement counts",
                        PositionTck.class,
                        "acknowledgingAnOlderPosition.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(position);
                                consumer.acknowledged = position;
                            }
                        })),
                new Defect(
                        "an acknowledgement moves the reader",
                        PositionTck.class,
                        "acknowledgingDoesNotMoveTheReader.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(position);
                                read = consumer.acknowledged;
                            }
                        })),
                new Defect(
                        "an acknowledgement counts for the whole batch",
                        PositionTck.class,
                        "aBatchAcknowledgedInPart.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(position > handed ? position : handed);
                            }
                        })));
    }

    private static List<Defect> positions() {
        return List.of(
                new Defect(
                        "a poll acknowledges",
                        PositionTck.class,
                        "framesNeverAcknowledgedAreSeenAgain.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                int consumed = super.poll(handler, limit);
                                consumer.acknowledged = read;
                                return consumed;
                            }
                        })),
                new Defect(
                        "a closed reader forgets what it acknowledged",
                        PositionTck.class,
                        "acknowledgedFramesAreNotSeenAgain.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void close() {
                                consumer.acknowledged = sequenceAtOpen();
                                super.close();
                            }
                        })),
                new Defect(
                        "a reader tells one more than it had acknowledged",
                        PositionTck.class,
                        "aReaderTellsWhatItHadAcknowledged.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public long sequenceAtOpen() {
                                return super.sequenceAtOpen() + 1;
                            }
                        })));
    }

    private static List<Defect> consumers() {
        return List.of(
                new Defect(
                        "a second live reader is let in",
                        PositionTck.class,
                        "aSecondLiveReaderOfAConsumerIsRefused.*a second live reader",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public boolean keepsReadersOut() {
                                return false;
                            }
                        })),
                new Defect(
                        "a second consumer that comes later starts at the newest frame",
                        PositionTck.class,
                        "aSecondConsumerThatComesLater.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long start() {
                                return consumers.isEmpty() ? 0 : published();
                            }
                        })),
                new Defect(
                        "the first consumer starts at the newest frame",
                        PositionTck.class,
                        "aConsumerSeenFirstStartsAtTheOldest.*waited",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long start() {
                                return published();
                            }
                        })),
                new Defect(
                        "all consumers share a position",
                        PositionTck.class,
                        "twoConsumersAreIndependent.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public boolean keepsReadersOut() {
                                return false;
                            }

                            @Override
                            public synchronized MemoryConsumer openConsumer(String consumerName) {
                                return super.openConsumer("all");
                            }
                        })));
    }
}
