package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.tck.PositionTck;
import dev.baton.tck.StartTck;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Defects of acknowledged positions and of start positions. Stateless. */
public final class PositionDefects {
    private PositionDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(
                        acknowledgements(), moreAcknowledgements(), positions(), consumers(), moves(), startPositions())
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
                                consumer.acknowledged = found().acknowledged();
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "a reader tells one more than it had acknowledged",
                        PositionTck.class,
                        "readerReportsTheSequenceAtOpenOrUnknown.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public TopicStart found() {
                                TopicStart start = super.found();
                                return new TopicStart(start.acknowledged() + 1, start.newest(), start.identity());
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

    private static List<PlantedDefect> moves() {
        return List.of(
                new PlantedDefect(
                        "a start moves nobody",
                        StartTck.class,
                        "aNewConsumerStartsAtASequence.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized void move(String consumerName, StartPosition from) {}
                        })),
                new PlantedDefect(
                        "a start moves every consumer",
                        StartTck.class,
                        "movingAConsumerMovesNoOther.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized void move(String consumerName, StartPosition from) {
                                super.move(consumerName, from);
                                long start = before(from);
                                consumers.forEach(consumer -> consumer.acknowledged = start);
                            }
                        })),
                new PlantedDefect(
                        "a consumer is moved forward alone",
                        StartTck.class,
                        "consumerIsMovedBackAcrossARestart.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized void move(String consumerName, StartPosition from) {
                                HeapConsumer consumer = openConsumer(consumerName);
                                consumer.acknowledged = Math.max(consumer.acknowledged, before(from));
                                consumer.hasReader = false;
                            }
                        })),
                new PlantedDefect(
                        "a start takes the place of a live reader",
                        StartTck.class,
                        "aLiveReaderIsNotMovedAway.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public boolean keepsReadersOut() {
                                return false;
                            }
                        })));
    }

    private static List<PlantedDefect> startPositions() {
        return List.of(
                new PlantedDefect(
                        "a start is one frame late",
                        StartTck.class,
                        "everySequenceOfSeveralBatchesIsFound.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long before(StartPosition from) {
                                return Math.min(super.before(from) + 1, published());
                            }
                        })),
                new PlantedDefect(
                        "a start behind the end counts as the end",
                        StartTck.class,
                        "futureSequenceIsRefusedAndMovesNoConsumer.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long before(StartPosition from) {
                                return from.sequence() > published() + 1 ? published() : super.before(from);
                            }
                        })),
                new PlantedDefect(
                        "stamps count as times of the wall clock",
                        StartTck.class,
                        "consumerStartsAtATime.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long wallNanos(Frame frame) {
                                return frame.sentNanos();
                            }
                        })));
    }
}
