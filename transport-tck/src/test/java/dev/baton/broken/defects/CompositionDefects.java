package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.broken.heap.HeapWriter;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicEnd;
import dev.baton.tck.IdentityTck;
import dev.baton.tck.admin.ForgetConsumerTck;
import dev.baton.tck.chain.CompositionTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of consumers that are forgotten, and of what merges need. Stateless. */
public final class CompositionDefects {
    private CompositionDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(forgotten(), others(), merges()).flatMap(List::stream);
    }

    private static List<PlantedDefect> forgotten() {
        return List.of(
                new PlantedDefect(
                        "a consumer is not forgotten though that is said",
                        ForgetConsumerTck.class,
                        "forgottenConsumerHoldsNothingBack.*room",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public void forget(HeapConsumer consumer) {
                                // stays
                            }
                        })),
                new PlantedDefect(
                        "a forgotten consumer keeps its position",
                        ForgetConsumerTck.class,
                        "forgottenConsumerReturnsAtTheOldestFrame.*3 frames",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            private long position;

                            @Override
                            public void forget(HeapConsumer consumer) {
                                position = consumer.acknowledged;
                                super.forget(consumer);
                            }

                            @Override
                            public long start() {
                                return Math.max(position, super.start());
                            }
                        })),
                new PlantedDefect(
                        "an unknown consumer is said to be forgotten",
                        ForgetConsumerTck.class,
                        "whatIsNotThere.*to be false",
                        () -> new HeapTransport() {
                            @Override
                            public boolean forgetConsumer(String topic, String consumer) {
                                super.forgetConsumer(topic, consumer);
                                return true;
                            }
                        }),
                new PlantedDefect(
                        "a topic is made to forget a consumer of it",
                        ForgetConsumerTck.class,
                        "whatIsNotThere.*raise a throwable",
                        () -> new HeapTransport() {
                            @Override
                            public boolean forgetConsumer(String topic, String consumer) {
                                createTopics(List.of(topic));
                                return super.forgetConsumer(topic, consumer);
                            }
                        }));
    }

    private static List<PlantedDefect> others() {
        return List.of(
                new PlantedDefect(
                        "a live consumer is forgotten",
                        ForgetConsumerTck.class,
                        "aConsumerThatIsRead.*raise a throwable",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public boolean keepsLiveConsumers() {
                                return false;
                            }
                        })),
                new PlantedDefect(
                        "all consumers are forgotten together",
                        ForgetConsumerTck.class,
                        "theOthersKeepTheirPositions.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public void forget(HeapConsumer consumer) {
                                consumers.clear();
                            }
                        })),
                new PlantedDefect(
                        "a topic whose last consumer was forgotten is held back",
                        ForgetConsumerTck.class,
                        "topicWithoutConsumersIsNotHeldBack.*room",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public long raisedWithoutConsumers() {
                                return floor;
                            }
                        })));
    }

    private static List<PlantedDefect> merges() {
        return List.of(
                new PlantedDefect(
                        "how far a merge has come is not kept",
                        CompositionTck.class,
                        "noEdgeRepeatsOrLosesMessagesAcrossStops.*does not name the merged inputs",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                return cutTo(0, super.found());
                            }
                        })),
                new PlantedDefect(
                        "how far a merge has come is read of the frame before the newest",
                        IdentityTck.class,
                        "newestFrameHasThePositionsOfAMerge.*",
                        PlantedDefect.writer((topic, topology) -> new HeapWriter(topic, topology) {
                            @Override
                            public TopicEnd found() {
                                TopicEnd end = super.found();
                                return published < 2
                                        ? end
                                        : TopicEnd.at(
                                                topic.aim(new Frame(), published - 1),
                                                end.isWhole(),
                                                end.writer(),
                                                end.input());
                            }
                        })));
    }

    /** Returns the end of a topic, with so many bytes behind the header of its newest frame. */
    static TopicEnd cutTo(int bytes, TopicEnd end) {
        if (end.newest() == null) {
            return end;
        }
        int kept = Math.min(bytes, end.newest().length());
        Frame cut = new Frame().wrap(end.newest().memory(), 0, kept);
        return new TopicEnd(cut, end.isWhole(), end.writer(), end.input());
    }
}
