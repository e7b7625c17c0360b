package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.broken.memory.MemoryWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.tck.ChecksumTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects that alter a frame on its way, or hide that it was altered. Stateless. */
public final class ChecksumDefects {
    private ChecksumDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(altered(), hidden()).flatMap(List::stream);
    }

    private static List<Defect> altered() {
        return List.of(
                new Defect(
                        "a byte of each third payload is altered",
                        ChecksumTck.class,
                        "payloadsComeThrough.*checksum 0x",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if ((committed + 1) % 3 == 0 && length > 0) {
                                    frame.putByte(0, (byte) (frame.getByte(0) ^ 1));
                                }
                                return super.commit(length);
                            }
                        })),
                new Defect(
                        "a payload has a length that is a multiple of eight",
                        ChecksumTck.class,
                        "payloadsComeThrough.*",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                return super.commit(length & ~7);
                            }
                        })),
                new Defect(
                        "a frame loses its flags on its way",
                        ChecksumTck.class,
                        "aFrameKeepsItsChecksum.*flags",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                frame.stamp(frame.servicesPassed(), frame.type(), frame.cause(), 1, 2);
                                return super.commit(length);
                            }
                        })));
    }

    private static List<Defect> hidden() {
        return List.of(
                new Defect(
                        "a poll swallows what its handler throws",
                        ChecksumTck.class,
                        "aFrameThatWasAltered.*the failure",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                try {
                                    return super.handOver(handler, sequence);
                                } catch (RuntimeException swallowed) {
                                    return Verdict.DONE;
                                }
                            }
                        })),
                new Defect(
                        "the longest payload is one byte less than promised",
                        ChecksumTck.class,
                        "payloadsComeThrough.*claim of 100 bytes",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                if (maxLength == MemoryTransport.MAX_PAYLOAD) {
                                    throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 to 99");
                                }
                                return super.claim(maxLength);
                            }
                        })));
    }
}
