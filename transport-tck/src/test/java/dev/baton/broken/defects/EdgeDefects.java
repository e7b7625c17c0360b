package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryWriter;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.tck.chain.EdgeTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects that a chain meets when it is opened again. Stateless. */
public final class EdgeDefects {
    private EdgeDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(opened(), held()).flatMap(List::stream);
    }

    private static List<Defect> opened() {
        return List.of(
                new Defect(
                        "a topic that was created again is taken for the old one",
                        EdgeTck.class,
                        "whatAnInletSends.*a start that drops inputs",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long identity() {
                                return 7;
                            }
                        })),
                new Defect(
                        "another chain may write the topics",
                        EdgeTck.class,
                        "aChainWithAnotherService.*a start of another chain",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public String topologyOf(String topology, Incarnation predecessor) {
                                return predecessor == null ? topology : predecessor.topology();
                            }
                        })),
                new Defect(
                        "a writer does not know which input its newest frame answers",
                        EdgeTck.class,
                        "whatAnInletSends.*a start that drops inputs",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public InputRef inputAtOpen() {
                                return InputRef.UNKNOWN;
                            }
                        })));
    }

    private static List<Defect> held() {
        return List.of(
                new Defect(
                        "a consumer begins behind what it has read",
                        EdgeTck.class,
                        "inputsThatAreHeld.*sequence 6 where 4 was due",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            {
                                read = Math.max(read, this.consumer.read);
                            }
                        })),
                new Defect(
                        "a consumer begins at the oldest frame",
                        EdgeTck.class,
                        "(whatAnInletSends|whenTheOutput).*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            {
                                read = 0;
                            }
                        })));
    }
}
