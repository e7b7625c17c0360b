package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.spi.Frame;
import dev.baton.spi.StartPosition;
import dev.baton.tck.StartTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of where consumers start. Stateless. */
public final class StartDefects {
    private StartDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(moves(), positions()).flatMap(List::stream);
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

    private static List<PlantedDefect> positions() {
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
