package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.spi.FrameHandler;
import dev.baton.tck.PositionTck;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Defects of what a consumer has acknowledged. Stateless. */
public final class PositionDefects {
    private PositionDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(acknowledgements(), moreAcknowledgements(), positions(), consumers())
                .flatMap(List::stream);
    }

    private static List<PlantedDefect> acknowledgements() {
        return List.of(
                new PlantedDefect(
                        "every third acknowledgement is lost",
                        PositionTck.class,
                        "manyRestartsLoseNothing.*first 3",
                        () -> {
                            AtomicInteger count = new AtomicInteger();
                            return new HeapTransport() {
                                @Override
                                public HeapReader newReader(HeapTopic topic, String consumer) {
                                    return new HeapReader(topic, consumer) {
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
                new PlantedDefect(
                        "what was not handed over can be acknowledged",
                        PositionTck.class,
                        "acknowledgingWhatWasNeverHandedOver.*raise a throwable",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(Math.min(position, handed));
                            }
                        })));
    }

    private static List<PlantedDefect> moreAcknowledgements() {
        return List.of(
                new PlantedDefect(
                        "an older acknowledgement counts",
                        PositionTck.class,
                        "acknowledgingAnOlderPosition.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(position);
                                consumer.acknowledged = position;
                            }
                        })),
                new PlantedDefect(
                        "an acknowledgement moves the reader",
                        PositionTck.class,
                        "acknowledgingDoesNotMoveTheReader.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(position);
                                read = consumer.acknowledged;
                            }
                        })),
                new PlantedDefect(
                        "an acknowledgement counts for the whole batch",
                        PositionTck.class,
                        "partlyAcknowledgedBatchContinuesWithItsRest.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                super.acknowledge(position > handed ? position : handed);
                            }
                        })));
    }

    private static List<PlantedDefect> positions() {
        return List.of(
                new PlantedDefect(
                        "a poll acknowledges",
                        PositionTck.class,
                        "framesNeverAcknowledgedAreSeenAgain.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                int consumed = super.poll(handler, limit);
                                consumer.acknowledged = read;
                                return consumed;
                            }
                        })),
                new PlantedDefect(
                        "a closed reader forgets what it acknowledged",
                        PositionTck.class,
                        "acknowledgedFramesAreNotSeenAgain.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void close() {
                                consumer.acknowledged = sequenceAtOpen();
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "a reader tells one more than it had acknowledged",
                        PositionTck.class,
                        "readerReportsTheSequenceAtOpenOrUnknown.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public long sequenceAtOpen() {
                                return super.sequenceAtOpen() + 1;
                            }
                        })));
    }

    private static List<PlantedDefect> consumers() {
        return List.of(
                new PlantedDefect(
                        "a second live reader is let in",
                        PositionTck.class,
                        "secondReader.*a second live reader",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public boolean keepsReadersOut() {
                                return false;
                            }
                        })),
                new PlantedDefect(
                        "a second consumer that comes later starts at the newest frame",
                        PositionTck.class,
                        "laterConsumerStartsAtTheOldestFrame.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long start() {
                                return consumers.isEmpty() ? 0 : published();
                            }
                        })),
                new PlantedDefect(
                        "the first consumer starts at the newest frame",
                        PositionTck.class,
                        "newConsumerStartsAtTheOldestFrame.*waited",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long start() {
                                return published();
                            }
                        })),
                new PlantedDefect(
                        "all consumers share a position",
                        PositionTck.class,
                        "twoConsumersAreIndependent.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public boolean keepsReadersOut() {
                                return false;
                            }

                            @Override
                            public synchronized HeapConsumer openConsumer(String consumerName) {
                                return super.openConsumer("all");
                            }
                        })));
    }
}
