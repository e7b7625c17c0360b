package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.tck.ChecksumTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects that alter a frame on its way, or hide that it was altered. Stateless. */
public final class ChecksumDefects {
    private ChecksumDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(altered(), hidden()).flatMap(List::stream);
    }

    private static List<PlantedDefect> altered() {
        return List.of(
                new PlantedDefect(
                        "a byte of each third payload is altered",
                        ChecksumTck.class,
                        "payloadsArriveWithoutTheChecksumOfTheirFrames.*checksum 0x",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                if ((committed + 1) % 3 == 0 && length > 0) {
                                    frame.putByte(0, (byte) (frame.getByte(0) ^ 1));
                                }
                                return super.commit(length);
                            }
                        })),
                new PlantedDefect(
                        "a payload has a length that is a multiple of eight",
                        ChecksumTck.class,
                        "payloadsArriveWithoutTheChecksumOfTheirFrames.*",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                return super.commit(length & ~7);
                            }
                        })),
                new PlantedDefect(
                        "a frame loses its flags on its way",
                        ChecksumTck.class,
                        "aFrameKeepsItsChecksum.*flags",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                frame.stamp(frame.servicesPassed(), frame.type(), frame.cause(), 1, 2);
                                return super.commit(length);
                            }
                        })));
    }

    private static List<PlantedDefect> hidden() {
        return List.of(
                new PlantedDefect(
                        "a poll swallows what its handler throws",
                        ChecksumTck.class,
                        "alteredFrameStopsTheChainAndIsNamed.*the failure",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                try {
                                    return super.handOver(handler, sequence);
                                } catch (RuntimeException swallowed) {
                                    return Verdict.DONE;
                                }
                            }
                        })),
                new PlantedDefect(
                        "the longest payload is one byte less than promised",
                        ChecksumTck.class,
                        "payloadsArriveWithoutTheChecksumOfTheirFrames.*claim of 100 bytes",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Frame claim(int maxLength) {
                                if (maxLength == HeapTransport.MAX_PAYLOAD) {
                                    throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 to 99");
                                }
                                return super.claim(maxLength);
                            }
                        })));
    }
}
