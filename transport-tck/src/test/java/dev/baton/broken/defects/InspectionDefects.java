package dev.baton.broken.defects;

import dev.baton.broken.heap.DurableHeap;
import dev.baton.broken.heap.HeapInspector;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.tck.admin.InspectionTck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Defects of what can be seen of a topic without taking part. Stateless. */
public final class InspectionDefects {
    private InspectionDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(backlogs(), looks(), moreLooks()).flatMap(List::stream);
    }

    private static PlantedDefect look(String name, String report, Function<HeapTopic, HeapInspector> look) {
        Map<String, HeapTopic> kept = new HashMap<>();
        Supplier<HeapTransport> transport = () -> new DurableHeap(kept) {
            @Override
            public HeapInspector newInspector(HeapTopic topic) {
                return look.apply(topic);
            }
        };
        return new PlantedDefect(name, InspectionTck.class, report, transport);
    }

    private static List<PlantedDefect> backlogs() {
        return List.of(
                new PlantedDefect(
                        "a backlog counts what was consumed",
                        InspectionTck.class,
                        "readerReportsItsBacklog.*a backlog of 3",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public long backlog() {
                                return topic.published();
                            }
                        })),
                new PlantedDefect(
                        "a backlog is known from the first poll on",
                        InspectionTck.class,
                        "backlogIsKnownWithoutALiveWriter.*a backlog of 2",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            private boolean hasPolled;

                            @Override
                            public int poll(FrameHandler handler, int limit) {
                                hasPolled = true;
                                return super.poll(handler, limit);
                            }

                            @Override
                            public long backlog() {
                                return hasPolled ? super.backlog() : 0;
                            }
                        })));
    }

    private static List<PlantedDefect> looks() {
        return List.of(
                look(
                        "a look consumes what it sees",
                        "anInspectorReadsEverything.*the position of the consumer",
                        topic -> new HeapInspector(topic) {
                            @Override
                            public int read(FrameHandler handler, int limit) {
                                int taken = super.read(handler, limit);
                                topic.consumers.forEach(consumer -> consumer.acknowledged = read);
                                return taken;
                            }
                        }),
                look(
                        "a look begins at what a consumer has left",
                        "anInspectorReadsEverything.*\\[\"c\"\\]",
                        topic -> new HeapInspector(topic) {
                            {
                                topic.acknowledged().values().forEach(each -> read = Math.max(read, each));
                            }
                        }),
                look(
                        "a look ends at what was there when it began",
                        "anInspectorReadsEverything.*4L",
                        topic -> new HeapInspector(topic) {
                            private final long newest = topic.published();

                            @Override
                            public int read(FrameHandler handler, int limit) {
                                return read < newest ? super.read(handler, limit) : 0;
                            }
                        }),
                look(
                        "a look goes on behind a frame that was not taken",
                        "inspectorHandsRefusedFramesOverAgain.*\"b\"",
                        topic -> new HeapInspector(topic) {
                            @Override
                            public int read(FrameHandler handler, int limit) {
                                boolean[] isRefused = new boolean[1];
                                int taken = super.read(
                                        (frame, position) -> {
                                            Verdict verdict = handler.onFrame(frame, position);
                                            isRefused[0] = verdict == Verdict.RETRY;
                                            return verdict;
                                        },
                                        limit);
                                read += isRefused[0] ? 1 : 0;
                                return taken;
                            }
                        }));
    }

    private static List<PlantedDefect> moreLooks() {
        Map<String, HeapTopic> kept = new HashMap<>();
        return List.of(
                look(
                        "the newest sequence is that of the newest frame seen",
                        "inspectorReportsNewestAndAcknowledgedSequences.*expected: 3L.*but was: 0L",
                        topic -> new HeapInspector(topic) {
                            @Override
                            public long newestSequence() {
                                return read;
                            }
                        }),
                look(
                        "what a consumer has read counts as acknowledged",
                        "inspectorReportsNewestAndAcknowledgedSequences.*3L",
                        topic -> new HeapInspector(topic) {
                            @Override
                            public Map<String, Long> acknowledged() {
                                Map<String, Long> told = new HashMap<>(super.acknowledged());
                                told.replaceAll((consumer, sequence) -> sequence + 1);
                                return told;
                            }
                        }),
                look(
                        "a look that was closed goes on",
                        "aClosedInspectorSaysSo.*raise a throwable",
                        topic -> new HeapInspector(topic) {
                            @Override
                            public void check() {
                                // closed or not
                            }
                        }),
                new PlantedDefect(
                        "a look makes the topic that it misses",
                        InspectionTck.class,
                        "missingOrVolatileTopicsCannotBeInspected.*raise a throwable",
                        () -> new DurableHeap(kept) {
                            @Override
                            public TopicInspector inspect(String name) {
                                createTopics(List.of(name));
                                return super.inspect(name);
                            }
                        }));
    }
}
