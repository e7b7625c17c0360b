package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapReader;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.tck.ConsumptionTck;
import dev.baton.tck.OrderTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of polls. Stateless. */
public final class ConsumptionDefects {
    private ConsumptionDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(verdicts(), moreVerdicts(), counts(), moreCounts()).flatMap(List::stream);
    }

    private static List<PlantedDefect> verdicts() {
        return List.of(
                new PlantedDefect(
                        "a handler that throws consumes",
                        ConsumptionTck.class,
                        "handlerThatThrowsDoesNotConsumeItsFrame.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                try {
                                    return super.handOver(handler, sequence);
                                } catch (RuntimeException thrown) {
                                    read = sequence;
                                    throw thrown;
                                }
                            }
                        })),
                new PlantedDefect(
                        "what a handler throws is swallowed",
                        ConsumptionTck.class,
                        "handlerThatThrowsDoesNotConsumeItsFrame.*Boom",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                try {
                                    return super.handOver(handler, sequence);
                                } catch (RuntimeException thrown) {
                                    return Verdict.RETRY;
                                }
                            }
                        })));
    }

    private static List<PlantedDefect> moreVerdicts() {
        return List.of(
                new PlantedDefect(
                        "a refused frame is consumed",
                        ConsumptionTck.class,
                        "retriedFrameComesFirstAtTheNextPoll.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                Verdict verdict = super.handOver(handler, sequence);
                                if (verdict == Verdict.RETRY) {
                                    read = sequence;
                                }
                                return verdict;
                            }
                        })),
                new PlantedDefect(
                        "a poll goes on behind a refused frame",
                        ConsumptionTck.class,
                        "retriedFrameComesFirstAtTheNextPoll.*a refusal ends the poll",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                Verdict verdict = super.handOver(handler, sequence);
                                return verdict == Verdict.RETRY && sequence < topic.published()
                                        ? super.handOver(handler, sequence + 1)
                                        : verdict;
                            }
                        })),
                new PlantedDefect(
                        "a refused frame that is acknowledged comes again",
                        ConsumptionTck.class,
                        "(refusedFrameOnce|acknowledgementOfARefused).*refused and then acknowledged",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                long before = read;
                                super.acknowledge(position);
                                read = before;
                            }
                        })));
    }

    private static List<PlantedDefect> counts() {
        return List.of(
                new PlantedDefect(
                        "a refused frame is counted",
                        ConsumptionTck.class,
                        "retriedFrameComesFirstAtTheNextPoll.*expected: 0",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                long before = handed;
                                int consumed = super.poll(handler, limit);
                                return handed > read && handed > before ? consumed + 1 : consumed;
                            }
                        })),
                new PlantedDefect(
                        "a poll hands over one frame more than its limit",
                        ConsumptionTck.class,
                        "noMoreThanTheLimit.*less than or equal to",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                return super.poll(handler, limit < 1 ? limit : limit + 1);
                            }
                        })),
                new PlantedDefect(
                        "a poll of no frames hands one over",
                        ConsumptionTck.class,
                        "aPollOfNoFramesIsRefused.*raise a throwable",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                return super.poll(handler, Math.max(limit, 1));
                            }
                        })));
    }

    private static List<PlantedDefect> moreCounts() {
        return List.of(
                new PlantedDefect(
                        "a frame that comes again has lost its payload",
                        ConsumptionTck.class,
                        "redeliveredFrameIsTheSameFrame.*payload",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                Verdict verdict = super.handOver(handler, sequence);
                                if (verdict == Verdict.RETRY) {
                                    topic.length(sequence, 0);
                                }
                                return verdict;
                            }
                        })),
                new PlantedDefect(
                        "a batch is handed over twice",
                        OrderTck.class,
                        "oneFrameArrivesOnce.*the next frame",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            private boolean isAgain;

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                long before = read;
                                int consumed = super.poll(handler, limit);
                                if (consumed > 0 && !isAgain) {
                                    read = before;
                                }
                                isAgain = consumed > 0 && !isAgain;
                                return consumed;
                            }
                        })),
                new PlantedDefect(
                        "positions do not rise",
                        OrderTck.class,
                        "positionsRise.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                return super.handOver(
                                        (frame, position) -> handler.onFrame(frame, position & ~1), sequence);
                            }
                        })));
    }
}
