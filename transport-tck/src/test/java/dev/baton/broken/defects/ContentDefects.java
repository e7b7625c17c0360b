package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.tck.HeaderTck;
import dev.baton.tck.HotPathAllocationTck;
import dev.baton.tck.PayloadTck;
import dev.baton.tck.TwoThreadTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of what is in a frame, and of frames that get lost. Stateless. */
public final class ContentDefects {
    private ContentDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(headers(), moreHeaders(), payloads(), frames()).flatMap(List::stream);
    }

    private static List<PlantedDefect> headers() {
        return List.of(
                new PlantedDefect(
                        "a type has 16 bits",
                        HeaderTck.class,
                        "everyFieldSurvives.*65536",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if (claimed != NONE) {
                                    frame.stamp(
                                            frame.servicesPassed(),
                                            (short) frame.type(),
                                            frame.cause(),
                                            frame.originNanos(),
                                            frame.sentNanos());
                                }
                                return super.commit(length);
                            }
                        })),
                new PlantedDefect(
                        "origin and send time are swapped",
                        HeaderTck.class,
                        "everyFieldSurvives.*expected: 4L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if (claimed != NONE) {
                                    frame.stamp(
                                            frame.servicesPassed(),
                                            frame.type(),
                                            frame.cause(),
                                            frame.sentNanos(),
                                            frame.originNanos());
                                }
                                return super.commit(length);
                            }
                        })));
    }

    private static List<PlantedDefect> moreHeaders() {
        return List.of(
                new PlantedDefect(
                        "the services passed have 8 bits",
                        HeaderTck.class,
                        "everyFieldSurvives.*expected: 256",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if (claimed != NONE) {
                                    frame.stamp(
                                            frame.servicesPassed() & 0xFF,
                                            frame.type(),
                                            frame.cause(),
                                            frame.originNanos(),
                                            frame.sentNanos());
                                }
                                return super.commit(length);
                            }
                        })),
                new PlantedDefect(
                        "a cause loses its sign",
                        HeaderTck.class,
                        "everyFieldSurvives.*expected: -6L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if (claimed != NONE) {
                                    frame.stamp(
                                            frame.servicesPassed(),
                                            frame.type(),
                                            frame.cause() & Long.MAX_VALUE,
                                            frame.originNanos(),
                                            frame.sentNanos());
                                }
                                return super.commit(length);
                            }
                        })));
    }

    private static List<PlantedDefect> payloads() {
        return List.of(
                new PlantedDefect(
                        "the longest payload loses its last byte",
                        PayloadTck.class,
                        "aPayloadAtTheLimitSurvives.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public void length(long sequence, int length) {
                                super.length(sequence, Math.min(length, HeapTransport.MAX_PAYLOAD - 1));
                            }
                        })),
                new PlantedDefect(
                        "a long frame touches the one before it",
                        PayloadTck.class,
                        "aLongFrameBetweenShortOnes.*before",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if (length == HeapTransport.MAX_PAYLOAD && committed > 0) {
                                    topic.aim(new Frame(), committed).putByte(0, (byte) 0);
                                }
                                return super.commit(length);
                            }
                        })),
                new PlantedDefect(
                        "a slot keeps its longest length",
                        PayloadTck.class,
                        "framesOfRandomLengths.*frame \\d+",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            private final int[] longest = new int[SLOTS];

                            @Override
                            public void length(long sequence, int length) {
                                int slot = (int) (sequence % SLOTS);
                                longest[slot] = Math.max(longest[slot], length);
                                super.length(sequence, longest[slot]);
                            }
                        })));
    }

    private static List<PlantedDefect> frames() {
        return List.of(
                new PlantedDefect(
                        "every 1,000th frame is dropped",
                        TwoThreadTck.class,
                        "framesCrossThreads.*expected frame 1000 unaltered, met 1001",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                return sequence % 1_000 == 0 ? Verdict.DONE : super.handOver(handler, sequence);
                            }
                        })),
                new PlantedDefect(
                        "every 1,000th frame comes twice",
                        TwoThreadTck.class,
                        "framesCrossThreads.*expected frame 1001 unaltered, met 1000",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                return super.handOver(
                                        handler, sequence % 1_000 == 1 && sequence > 1 ? sequence - 1 : sequence);
                            }
                        })),
                new PlantedDefect(
                        "every 1,000th acknowledgement blocks the writer for good",
                        TwoThreadTck.class,
                        "framesCrossThreads.*waited \\d+ ms for",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long heldFrom(HeapConsumer consumer) {
                                return Math.min(consumer.acknowledged, 1_000);
                            }
                        })),
                new PlantedDefect(
                        "a reader stops at the 1,000th frame",
                        HotPathAllocationTck.class,
                        "nothingIsAllocated.*and then none for",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long published() {
                                return Math.min(super.published(), 1_000);
                            }
                        })),
                new PlantedDefect(
                        "a poll makes an object",
                        HotPathAllocationTck.class,
                        "nothingIsAllocated.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            private long[] garbage;

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                garbage = new long[] {limit};
                                return super.poll(handler, (int) garbage[0]);
                            }
                        })));
    }
}
