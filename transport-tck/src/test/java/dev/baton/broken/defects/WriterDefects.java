package dev.baton.broken.defects;

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
import dev.baton.tck.IdentityTck;
import dev.baton.tck.RecoveryTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of writers that come after others, and of what a topic knows of them. Stateless. */
public final class WriterDefects {
    private WriterDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(recovery(), identities(), moreIdentities()).flatMap(List::stream);
    }

    private static List<PlantedDefect> recovery() {
        return List.of(
                new PlantedDefect(
                        "a new writer begins again",
                        RecoveryTck.class,
                        "aWriterContinuesTheSequence.*expected: 3L.*but was: 0L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            {
                                published = 0;
                                committed = 0;
                            }
                        })),
                new PlantedDefect(
                        "the cause at open follows the newest frame",
                        RecoveryTck.class,
                        "writerReportsTheCauseOfTheNewestFrame.*stays what was found",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                Frame newest = published == 0 ? null : topic.aim(new Frame(), published);
                                return TopicEnd.at(newest, false, null, InputRef.UNKNOWN);
                            }
                        })),
                new PlantedDefect(
                        "the cause at open has 32 bits",
                        RecoveryTck.class,
                        "writerReportsTheCauseOfTheNewestFrame.*expected: 4000000000L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                TopicEnd end = super.found();
                                return end.of((int) end.cause(), end.input());
                            }
                        })),
                new PlantedDefect(
                        "the cause of an acknowledged frame is not found",
                        RecoveryTck.class,
                        "causeIsFoundAfterEveryFrameWasAcknowledged.*expected: 23L.*but was: 0L",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                return topic.raiseFloor() == topic.published() ? TopicEnd.EMPTY : super.found();
                            }
                        })),
                new PlantedDefect(
                        "a second live writer is let in",
                        RecoveryTck.class,
                        "secondLiveWriterIsRefusedByName.*raise a throwable",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public boolean keepsWritersOut() {
                                return false;
                            }
                        })));
    }

    private static List<PlantedDefect> identities() {
        return List.of(
                new PlantedDefect(
                        "an input counts for the frame before it",
                        IdentityTck.class,
                        "inputOfTheNewestFrameIsStored.*",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public void answers(InputRef input) {
                                topic.answers(committed, input);
                            }
                        })),
                new PlantedDefect(
                        "incarnations do not rise",
                        IdentityTck.class,
                        "incarnationsRiseFromTheNewestFramesWriter.*greater than",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long nextCount(Incarnation predecessor) {
                                return 7;
                            }
                        })),
                new PlantedDefect(
                        "a writer of another chain is let in",
                        IdentityTck.class,
                        "writerOfAnotherTopologyIsRefused.*the writer of another chain",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public String topologyOf(String topology, Incarnation predecessor) {
                                return predecessor == null ? topology : predecessor.topology();
                            }
                        })));
    }

    private static List<PlantedDefect> moreIdentities() {
        return List.of(
                new PlantedDefect(
                        "the newest writer counts as the writer of every frame",
                        IdentityTck.class,
                        "aReaderTellsWhoWroteEachFrame.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Incarnation writer() {
                                return topic.writers().newest();
                            }
                        })),
                new PlantedDefect(
                        "the writer is told for every frame",
                        IdentityTck.class,
                        "aReaderTellsWhoWroteEachFrame.*each once",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                handler.onWriter(topic.writers().at(sequence));
                                return super.handOver(handler, sequence);
                            }
                        })),
                new PlantedDefect(
                        "a topic that is created again has its old identity",
                        IdentityTck.class,
                        "recreatedTopicHasAnotherIdentity.*created again",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long identity() {
                                return 1 + name.hashCode();
                            }
                        })),
                new PlantedDefect(
                        "a topic has another identity at each look",
                        IdentityTck.class,
                        "aTopicKeepsItsIdentity.*",
                        PlantedDefect.reader((topic, consumer) -> new HeapReader(topic, consumer) {
                            @Override
                            public TopicStart found() {
                                TopicStart start = super.found();
                                return new TopicStart(start.acknowledged(), start.newest(), System.nanoTime());
                            }
                        })));
    }
}
