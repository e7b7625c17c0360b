package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryConsumer;
import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.broken.memory.MemoryWriter;
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

    public static Stream<Defect> all() {
        return Stream.of(headers(), moreHeaders(), payloads(), frames()).flatMap(List::stream);
    }

    private static List<Defect> headers() {
        return List.of(
                new Defect(
                        "a type has 16 bits",
                        HeaderTck.class,
                        "everyFieldSurvives.*65536",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
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
                new Defect(
                        "origin and send time are swapped",
                        HeaderTck.class,
                        "everyFieldSurvives.*expected: 4L",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
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

    private static List<Defect> moreHeaders() {
        return List.of(
                new Defect(
                        "the services passed have 8 bits",
                        HeaderTck.class,
                        "everyFieldSurvives.*expected: 256",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
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
                new Defect(
                        "a cause loses its sign",
                        HeaderTck.class,
                        "everyFieldSurvives.*expected: -6L",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
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

    private static List<Defect> payloads() {
        return List.of(
                new Defect(
                        "the longest payload loses its last byte",
                        PayloadTck.class,
                        "aPayloadAtTheLimitSurvives.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public void length(long sequence, int length) {
                                super.length(sequence, Math.min(length, MemoryTransport.MAX_PAYLOAD - 1));
                            }
                        })),
                new Defect(
                        "a long frame touches the one before it",
                        PayloadTck.class,
                        "aLongFrameBetweenShortOnes.*before",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if (length == MemoryTransport.MAX_PAYLOAD && committed > 0) {
                                    topic.aim(new Frame(), committed).putByte(0, (byte) 0);
                                }
                                return super.commit(length);
                            }
                        })),
                new Defect(
                        "a slot keeps its longest length",
                        PayloadTck.class,
                        "framesOfRandomLengths.*frame \\d+",
                        Defect.topic(name -> new MemoryTopic(name) {
                            private final int[] longest = new int[SLOTS];

                            @Override
                            public void length(long sequence, int length) {
                                int slot = (int) (sequence % SLOTS);
                                longest[slot] = Math.max(longest[slot], length);
                                super.length(sequence, longest[slot]);
                            }
                        })));
    }

    private static List<Defect> frames() {
        return List.of(
                new Defect(
                        "every 1,000th frame is dropped",
                        TwoThreadTck.class,
                        "framesCrossThreads.*expected frame 1000 unaltered, met 1001",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                return sequence % 1_000 == 0 ? Verdict.DONE : super.handOver(handler, sequence);
                            }
                        })),
                new Defect(
                        "every 1,000th frame comes twice",
                        TwoThreadTck.class,
                        "framesCrossThreads.*expected frame 1001 unaltered, met 1000",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                return super.handOver(
                                        handler, sequence % 1_000 == 1 && sequence > 1 ? sequence - 1 : sequence);
                            }
                        })),
                new Defect(
                        "every 1,000th acknowledgement blocks the writer for good",
                        TwoThreadTck.class,
                        "framesCrossThreads.*waited \\d+ ms for",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long heldFrom(MemoryConsumer consumer) {
                                return Math.min(consumer.acknowledged, 1_000);
                            }
                        })),
                new Defect(
                        "a reader stops at the 1,000th frame",
                        HotPathAllocationTck.class,
                        "nothingIsAllocated.*and then none for",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long published() {
                                return Math.min(super.published(), 1_000);
                            }
                        })),
                new Defect(
                        "a poll makes an object",
                        HotPathAllocationTck.class,
                        "nothingIsAllocated.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            private long[] garbage;

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                garbage = new long[] {limit};
                                return super.poll(handler, (int) garbage[0]);
                            }
                        })));
    }
}
