package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.tck.chain.EdgeTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects that a chain meets when it is opened again. Stateless. */
public final class EdgeDefects {
    private EdgeDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(opened(), held()).flatMap(List::stream);
    }

    private static List<PlantedDefect> opened() {
        return List.of(
                new PlantedDefect(
                        "a topic that was created again is taken for the old one",
                        EdgeTck.class,
                        "inputsOfARecreatedTopicAreNotDropped.*a start that drops inputs",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long identity() {
                                return 7;
                            }
                        })),
                new PlantedDefect(
                        "another chain may write the topics",
                        EdgeTck.class,
                        "aChainWithAnotherService.*a start of another chain",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public String topologyOf(String topology, Incarnation predecessor) {
                                return predecessor == null ? topology : predecessor.topology();
                            }
                        })),
                new PlantedDefect(
                        "a writer does not know which input its newest frame answers",
                        EdgeTck.class,
                        "inputsOfARecreatedTopicAreNotDropped.*a start that drops inputs",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public InputRef inputAtOpen() {
                                return InputRef.UNKNOWN;
                            }
                        })));
    }

    private static List<PlantedDefect> held() {
        return List.of(
                new PlantedDefect(
                        "a consumer begins behind what it has read",
                        EdgeTck.class,
                        "heldInputsAreRedeliveredAfterARestart.*sequence 6 where 4 was due",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            {
                                read = Math.max(read, this.consumer.read);
                            }
                        })),
                new PlantedDefect(
                        "a consumer begins at the oldest frame",
                        EdgeTck.class,
                        "(inputsOfARecreatedTopic|deletedOutputTopic).*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            {
                                read = 0;
                            }
                        })));
    }
}
