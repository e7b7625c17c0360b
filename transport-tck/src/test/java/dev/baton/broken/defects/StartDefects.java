package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryConsumer;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.spi.Frame;
import dev.baton.spi.StartPosition;
import dev.baton.tck.StartTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of where consumers start. Stateless. */
public final class StartDefects {
    private StartDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(moves(), positions()).flatMap(List::stream);
    }

    private static List<Defect> moves() {
        return List.of(
                new Defect(
                        "a start moves nobody",
                        StartTck.class,
                        "aNewConsumerStartsAtASequence.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public synchronized void move(String consumerName, StartPosition from) {}
                        })),
                new Defect(
                        "a start moves every consumer",
                        StartTck.class,
                        "movingAConsumerMovesNoOther.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public synchronized void move(String consumerName, StartPosition from) {
                                super.move(consumerName, from);
                                long start = before(from);
                                consumers.forEach(consumer -> consumer.acknowledged = start);
                            }
                        })),
                new Defect(
                        "a consumer is moved forward alone",
                        StartTck.class,
                        "aConsumerIsMovedBackAndThatIsRemembered.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public synchronized void move(String consumerName, StartPosition from) {
                                MemoryConsumer consumer = openConsumer(consumerName);
                                consumer.acknowledged = Math.max(consumer.acknowledged, before(from));
                                consumer.hasReader = false;
                            }
                        })),
                new Defect(
                        "a start takes the place of a live reader",
                        StartTck.class,
                        "aLiveReaderIsNotMovedAway.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public boolean keepsReadersOut() {
                                return false;
                            }
                        })));
    }

    private static List<Defect> positions() {
        return List.of(
                new Defect(
                        "a start is one frame late",
                        StartTck.class,
                        "everySequenceOfSeveralBatchesIsFound.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long before(StartPosition from) {
                                return Math.min(super.before(from) + 1, published());
                            }
                        })),
                new Defect(
                        "a start behind the end counts as the end",
                        StartTck.class,
                        "aSequenceThatIsNotThereYetIsRefused.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long before(StartPosition from) {
                                return from.sequence() > published() + 1 ? published() : super.before(from);
                            }
                        })),
                new Defect(
                        "stamps count as times of the wall clock",
                        StartTck.class,
                        "aConsumerStartsAtTheFirstFrameSentAtATime.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long wallNanos(Frame frame) {
                                return frame.sentNanos();
                            }
                        })));
    }
}
