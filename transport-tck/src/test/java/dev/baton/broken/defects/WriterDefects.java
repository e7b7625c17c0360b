package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryReader;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.tck.IdentityTck;
import dev.baton.tck.RecoveryTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of writers that come after others, and of what a topic knows of them. Stateless. */
public final class WriterDefects {
    private WriterDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(recovery(), identities(), moreIdentities()).flatMap(List::stream);
    }

    private static List<Defect> recovery() {
        return List.of(
                new Defect(
                        "a new writer begins again",
                        RecoveryTck.class,
                        "aWriterContinuesTheSequence.*expected: 3L.*but was: 0L",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            {
                                published = 0;
                                committed = 0;
                            }
                        })),
                new Defect(
                        "the cause at open follows the newest frame",
                        RecoveryTck.class,
                        "aWriterReportsTheCause.*stays what was found",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long causeAtOpen() {
                                return published == 0
                                        ? 0
                                        : topic.aim(new Frame(), published).cause();
                            }
                        })),
                new Defect(
                        "the cause at open has 32 bits",
                        RecoveryTck.class,
                        "aWriterReportsTheCause.*expected: 4000000000L",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long causeAtOpen() {
                                return (int) super.causeAtOpen();
                            }
                        })),
                new Defect(
                        "the cause of an acknowledged frame is not found",
                        RecoveryTck.class,
                        "theCauseIsFoundThough.*expected: 23L.*but was: 0L",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public long causeAtOpen() {
                                return topic.raiseFloor() == topic.published() ? 0 : super.causeAtOpen();
                            }
                        })),
                new Defect(
                        "a second live writer is let in",
                        RecoveryTck.class,
                        "aSecondLiveWriterIsRefused.*raise a throwable",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public boolean keepsWritersOut() {
                                return false;
                            }
                        })));
    }

    private static List<Defect> identities() {
        return List.of(
                new Defect(
                        "an input counts for the frame before it",
                        IdentityTck.class,
                        "theInputThatTheNewestFrameAnswers.*",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public void answers(InputRef input) {
                                topic.answers(committed, input);
                            }
                        })),
                new Defect(
                        "incarnations do not rise",
                        IdentityTck.class,
                        "incarnationsRise.*greater than",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long nextCount(Incarnation predecessor) {
                                return 7;
                            }
                        })),
                new Defect(
                        "a writer of another chain is let in",
                        IdentityTck.class,
                        "aWriterOfAnotherChainIsRefused.*the writer of another chain",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public String topologyOf(String topology, Incarnation predecessor) {
                                return predecessor == null ? topology : predecessor.topology();
                            }
                        })));
    }

    private static List<Defect> moreIdentities() {
        return List.of(
                new Defect(
                        "the newest writer counts as the writer of every frame",
                        IdentityTck.class,
                        "aReaderTellsWhoWroteEachFrame.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Incarnation writer() {
                                return topic.writers().newest();
                            }
                        })),
                new Defect(
                        "the writer is told for every frame",
                        IdentityTck.class,
                        "aReaderTellsWhoWroteEachFrame.*once per writer",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public Verdict handOver(FrameHandler handler, long sequence) {
                                handler.onWriter(topic.writers().at(sequence));
                                return super.handOver(handler, sequence);
                            }
                        })),
                new Defect(
                        "a topic that is created again has its old identity",
                        IdentityTck.class,
                        "topicsDifferAndOneThat.*created again",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long identity() {
                                return 1 + name.hashCode();
                            }
                        })),
                new Defect(
                        "a topic has another identity at each look",
                        IdentityTck.class,
                        "aTopicKeepsItsIdentity.*",
                        Defect.reader((topic, consumer) -> new MemoryReader(topic, consumer) {
                            @Override
                            public long identity() {
                                return System.nanoTime();
                            }
                        })));
    }
}
