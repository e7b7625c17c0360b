package dev.baton.broken.defects;

import dev.baton.broken.heap.DurableHeap;
import dev.baton.broken.heap.HeapInspector;
import dev.baton.broken.heap.HeapReader;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.support.SequenceRanges;
import dev.baton.tck.IdentityTck;
import dev.baton.tck.RecoveryTck;
import dev.baton.tck.admin.InspectionTck;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Defects of what a topic remembers: which input a frame answers, who wrote it, and with which fields. Stateless. */
public final class OriginDefects {
    private OriginDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(inputs(), fields(), writers(), found(), looks()).flatMap(each -> each);
    }

    private static PlantedDefect writer(String name, String report, PlantedDefect.Writers writers) {
        return new PlantedDefect(name, IdentityTck.class, report, PlantedDefect.writer(writers));
    }

    private static Stream<PlantedDefect> inputs() {
        return Stream.of(
                writer(
                        "an input counts for the whole batch in which it changed",
                        "anInputCountsFromIts.*the input of a frame before that of which the input changed",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void answers(InputRef input) {
                                topic.answers(published + 1, input);
                            }
                        }),
                writer(
                        "an input is stored with one flush alone",
                        "anInputHolds.*the input of the third flush",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            private boolean isNew;

                            @Override
                            public void answers(InputRef input) {
                                super.answers(input);
                                isNew = true;
                            }

                            @Override
                            public void publish() {
                                if (!isNew) {
                                    topic.answers(published + 1, InputRef.UNKNOWN);
                                }
                                isNew = false;
                                super.publish();
                            }
                        }),
                writer(
                        "an input counts though its frames were taken back",
                        "inputOfRewoundFramesIsNotStored.*",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void answers(InputRef input) {
                                topic.answers(Math.max(1, committed), input);
                            }
                        }),
                writer(
                        "the first input in place of frames taken back stays",
                        "inputOfFramesAfterARewindIsStored.*",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            private boolean isKnown;

                            @Override
                            public void answers(InputRef input) {
                                if (!isKnown) {
                                    super.answers(input);
                                }
                                isKnown = true;
                            }
                        }),
                writer(
                        "a rewind brings the input of earlier frames back",
                        "newestInputHoldsForFramesAfterARewind.*the input that was set last",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void rewind(long sequence) {
                                InputRef before = topic.inputOf(sequence + 1);
                                super.rewind(sequence);
                                topic.answers(sequence + 1, before);
                            }
                        }),
                writer(
                        "an input loses its era",
                        "inputOfTheNewestFrameIsStored.*",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void answers(InputRef input) {
                                super.answers(new InputRef(input.topic(), 0));
                            }
                        }));
    }

    private static Stream<PlantedDefect> fields() {
        return Stream.of(
                writer(
                        "the origin at open is the time at which the frame was sent",
                        "inputOfTheNewestFrameIsStored.*expected: 70L.*but was: 80L",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                TopicEnd end = super.found();
                                if (end.newest() != null) {
                                    Frame newest = end.newest();
                                    newest.stamp(0, 0, newest.cause(), newest.sentNanos(), newest.sentNanos());
                                }
                                return end;
                            }
                        }),
                writer(
                        "the extension of the newest frame is not kept",
                        "newestFrameHasTheOutputsOfATick.*",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                return CompositionDefects.cutTo(0, super.found());
                            }
                        }),
                writer(
                        "the extension of the newest frame is cut to sixteen bytes",
                        "newestFrameHas.*",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                return CompositionDefects.cutTo(16, super.found());
                            }
                        }));
    }

    private static Stream<PlantedDefect> writers() {
        return Stream.of(
                writer(
                        "a writer has no incarnation",
                        "incarnationsRise.*incarnation of a writer",
                        (topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public Incarnation incarnation() {
                                return null;
                            }
                        }),
                writer(
                        "the predecessor is the writer before, though it wrote nothing",
                        "incarnationsRise.*wrote the newest frame",
                        (topic, topology) -> {
                            Incarnation before = topic.writers().newest();
                            return new HeapWriter(topic, topology) {
                                @Override
                                public TopicEnd found() {
                                    TopicEnd end = super.found();
                                    return new TopicEnd(end.newest(), end.isWhole(), before, end.input());
                                }
                            };
                        }),
                new PlantedDefect(
                        "a writer that wrote nothing is not counted",
                        IdentityTck.class,
                        "incarnationsRiseFromTheNewestFramesWriter.*the count includes the writer without frames",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            private long newest = 10; // the same for all until one has written
                            private long writtenAt;

                            @Override
                            public long nextCount(Incarnation predecessor) {
                                if (published() != writtenAt) {
                                    writtenAt = published();
                                    newest++;
                                }
                                return newest;
                            }
                        })),
                new PlantedDefect(
                        "a reader that begins in the middle does not know the writer",
                        IdentityTck.class,
                        "readerAtAnyPositionReportsTheWriter.*but was: null",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Incarnation writer() {
                                return found().acknowledged() == 0 ? super.writer() : null;
                            }
                        })),
                new PlantedDefect(
                        "a reader has a writer before its first frame",
                        IdentityTck.class,
                        "aReaderTellsWho.*expected: null",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Incarnation writer() {
                                SequenceRanges<Incarnation> writers = topic.writers();
                                return super.writer() == null ? writers.newest() : super.writer();
                            }
                        })),
                new PlantedDefect(
                        "the newest frame at open is the next one",
                        IdentityTck.class,
                        "readerReportsTheNewestSequenceAtOpen.*3L",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            private final long next = topic.published() + 1;

                            @Override
                            public TopicStart found() {
                                TopicStart start = super.found();
                                return new TopicStart(start.acknowledged(), next, start.identity());
                            }
                        })));
    }

    private static Stream<PlantedDefect> found() {
        return Stream.of(
                new PlantedDefect(
                        "an empty topic has a newest sequence",
                        RecoveryTck.class,
                        "aFirstWriterFinds.*but was: -1L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public long storedSequence() {
                                return published == 0 ? -1 : published;
                            }
                        })),
                new PlantedDefect(
                        "frames that were taken back come with the close",
                        RecoveryTck.class,
                        "whatWasTakenBack.*expected: 1L.*but was: 2L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            private long newest;

                            @Override
                            public long commit(int length) {
                                newest = super.commit(length);
                                return newest;
                            }

                            @Override
                            public void close() {
                                if (isOpen()) {
                                    committed = Math.max(committed, newest);
                                }
                                super.close();
                            }
                        })),
                new PlantedDefect(
                        "the second writer is refused without the topic's name",
                        RecoveryTck.class,
                        "secondLiveWriterIsRefusedByName.*busy",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            private boolean isOpen;

                            @Override
                            public synchronized Incarnation openWriter(String topology) {
                                if (isOpen) {
                                    throw new OccupiedException("busy");
                                }
                                isOpen = true;
                                return super.openWriter(topology);
                            }

                            @Override
                            public synchronized void closeWriter() {
                                isOpen = false;
                                super.closeWriter();
                            }
                        })));
    }

    private static Stream<PlantedDefect> looks() {
        return Stream.of(
                look("a look does not say who wrote", "anInspectorTellsWho.*", topic -> new HeapInspector(topic) {
                    @Override
                    public int read(FrameHandler handler, int limit) {
                        return super.read(handler::onFrame, limit); // without onWriter
                    }
                }),
                look(
                        "a look at an empty topic has a newest frame",
                        "anEmptyTopic.*but was: -1L",
                        topic -> new HeapInspector(topic) {
                            @Override
                            public long newestSequence() {
                                return super.newestSequence() == 0 ? -1 : super.newestSequence();
                            }
                        }),
                look(
                        "a look takes no frame of a limit of 1",
                        "inspectorHandsRefusedFramesOverAgain.*",
                        topic -> new HeapInspector(topic) {
                            @Override
                            public int read(FrameHandler handler, int limit) {
                                return limit == 1 ? 0 : super.read(handler, limit);
                            }
                        }),
                look(
                        "a refused frame is counted by a look",
                        "inspectorHandsRefusedFramesOverAgain.*expected: 1",
                        topic -> new HeapInspector(topic) {
                            @Override
                            public int read(FrameHandler handler, int limit) {
                                int[] refused = {0};
                                int taken = super.read(
                                        (frame, position) -> {
                                            Verdict verdict = handler.onFrame(frame, position);
                                            refused[0] += verdict == Verdict.RETRY ? 1 : 0;
                                            return verdict;
                                        },
                                        limit);
                                return taken + refused[0];
                            }
                        }));
    }

    private static PlantedDefect look(String name, String report, Function<HeapTopic, HeapInspector> look) {
        Map<String, HeapTopic> kept = new HashMap<>();
        return new PlantedDefect(name, InspectionTck.class, report, () -> new DurableHeap(kept) {
            @Override
            public HeapInspector newInspector(HeapTopic topic) {
                return look.apply(topic);
            }
        });
    }
}
