package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryReader;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.tck.ConsumptionTck;
import dev.baton.tck.OrderTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of polls. Stateless. */
public final class ConsumptionDefects {
    private ConsumptionDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(verdicts(), moreVerdicts(), counts(), moreCounts()).flatMap(List::stream);
    }

    private static List<Defect> verdicts() {
        return List.of(
                new Defect(
                        "a handler that throws consumes",
                        ConsumptionTck.class,
                        "aHandlerThatThrowsDoesNotConsume.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
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
                new Defect(
                        "what a handler throws is swallowed",
                        ConsumptionTck.class,
                        "aHandlerThatThrowsDoesNotConsume.*Boom",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
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

    private static List<Defect> moreVerdicts() {
        return List.of(
                new Defect(
                        "a refused frame is consumed",
                        ConsumptionTck.class,
                        "aFrameAnsweredRetry.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                Verdict verdict = super.handOver(handler, sequence);
                                if (verdict == Verdict.RETRY) {
                                    read = sequence;
                                }
                                return verdict;
                            }
                        })),
                new Defect(
                        "a poll goes on behind a refused frame",
                        ConsumptionTck.class,
                        "aFrameAnsweredRetry.*a refusal ends the poll",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                Verdict verdict = super.handOver(handler, sequence);
                                return verdict == Verdict.RETRY && sequence < topic.published()
                                        ? super.handOver(handler, sequence + 1)
                                        : verdict;
                            }
                        })),
                new Defect(
                        "a refused frame that is acknowledged comes again",
                        ConsumptionTck.class,
                        "aFrameThatWasRefusedAndThenAcknowledged.*refused and then acknowledged",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public void acknowledge(long position) {
                                long before = read;
                                super.acknowledge(position);
                                read = before;
                            }
                        })));
    }

    private static List<Defect> counts() {
        return List.of(
                new Defect(
                        "a refused frame is counted",
                        ConsumptionTck.class,
                        "aFrameAnsweredRetry.*expected: 0",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                long before = handed;
                                int consumed = super.poll(handler, limit);
                                return handed > read && handed > before ? consumed + 1 : consumed;
                            }
                        })),
                new Defect(
                        "a poll hands over one frame more than its limit",
                        ConsumptionTck.class,
                        "noMoreThanTheLimit.*less than or equal to",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                return super.poll(handler, limit < 1 ? limit : limit + 1);
                            }
                        })),
                new Defect(
                        "a poll of no frames hands one over",
                        ConsumptionTck.class,
                        "aPollOfNoFramesIsRefused.*raise a throwable",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                return super.poll(handler, Math.max(limit, 1));
                            }
                        })));
    }

    private static List<Defect> moreCounts() {
        return List.of(
                new Defect(
                        "a frame that comes again has lost its payload",
                        ConsumptionTck.class,
                        "aFrameThatComesAgainIsTheSame.*payload",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                Verdict verdict = super.handOver(handler, sequence);
                                if (verdict == Verdict.RETRY) {
                                    topic.length(sequence, 0);
                                }
                                return verdict;
                            }
                        })),
                new Defect(
                        "a batch is handed over twice",
                        OrderTck.class,
                        "oneFrameArrivesOnce.*what comes after it",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
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
                new Defect(
                        "positions do not rise",
                        OrderTck.class,
                        "positionsRise.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                return super.handOver(
                                        (frame, position) -> handler.onFrame(frame, position & ~1), sequence);
                            }
                        })));
    }
}
