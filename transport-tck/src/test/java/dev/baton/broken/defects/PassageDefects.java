package dev.baton.broken.defects;

import dev.baton.broken.heap.DurableHeap;
import dev.baton.broken.heap.HeapConnection;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.tck.chain.ChainEdgesTck;
import dev.baton.tck.chain.InletTck;
import dev.baton.tck.chain.MessageTck;
import dev.baton.tck.chain.RequestsTck;
import dev.baton.tck.chain.SlowConsumerTck;
import dev.baton.tck.chain.StateTck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Defects that messages meet between an inlet and a sink: at the edges of a chain's life, in batches, in services with state. Stateless. */
public final class PassageDefects {
    private PassageDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(edges(), inlets(), messages(), states()).flatMap(List::stream);
    }

    private static List<PlantedDefect> edges() {
        return List.of(
                new PlantedDefect(
                        "what a source sent before it threw is kept",
                        ChainEdgesTck.class,
                        "sourceThatThrowsSendsNothingInThatTurn.*expected: 2L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                // stays, and goes out when the writer is closed
                            }
                        })),
                new PlantedDefect(
                        "a run that failed keeps its writers",
                        ChainEdgesTck.class,
                        "reopenedChainLosesNothingAndItsInletContinues.*has a live writer",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            @Override
                            public void close() {
                                disown();
                            }
                        })));
    }

    private static List<PlantedDefect> inlets() {
        return List.of(
                new PlantedDefect(
                        "a frame of a batch holds what the one before it holds",
                        InletTck.class,
                        "batchIsSentInOrderAtItsEnd.*",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            private final Frame before = new Frame();

                            @Override
                            public long commit(int length) {
                                if (committed > published) {
                                    frame.putLong(
                                            0, topic.aim(before, committed).getLong(0));
                                }
                                return super.commit(length);
                            }
                        })),
                new PlantedDefect(
                        "an inlet is never refused",
                        SlowConsumerTck.class,
                        "stalledOutletStopsTheInletAtABound.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized long raiseFloor() {
                                return Math.max(super.raiseFloor(), published() - 8);
                            }
                        })));
    }

    private static List<PlantedDefect> messages() {
        return List.of(
                new PlantedDefect(
                        "a request loses its asker",
                        RequestsTck.class,
                        "filteredRequestGetsEmptyReply.*no reply",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                int at = frame.field(Extension.REQUEST);
                                if (at != Extension.NONE) {
                                    frame.putFieldLong(at, 0);
                                }
                                return super.commit(length);
                            }
                        })),
                new PlantedDefect(
                        "a key loses its first byte",
                        MessageTck.class,
                        "payloadsAndKeysCross.*account",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long commit(int length) {
                                int at = frame.field(Extension.KEY);
                                if (at != Extension.NONE && frame.fieldLength(at) > 0) {
                                    frame.putFieldBytes(at, new byte[1], 0, 1);
                                }
                                return super.commit(length);
                            }
                        })));
    }

    private static List<PlantedDefect> states() {
        Map<String, HeapTopic> kept = new HashMap<>();
        return List.of(new PlantedDefect(
                "an input topic that was created again is taken for the one of the state",
                StateTck.class,
                "deletedInputTopicDiscardsItsState.*waited \\d+ ms for a failure",
                () -> new DurableHeap(kept) {
                    @Override
                    public HeapTopic newTopic(String name) {
                        return new HeapTopic(name) {
                            @Override
                            public long identity() {
                                return 7;
                            }
                        };
                    }
                }));
    }
}
