package dev.baton.broken.defects;

import dev.baton.broken.memory.MemoryConsumer;
import dev.baton.broken.memory.MemoryTopic;
import dev.baton.broken.memory.MemoryTransport;
import dev.baton.broken.memory.MemoryWriter;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.tck.IdentityTck;
import dev.baton.tck.admin.ForgetConsumerTck;
import dev.baton.tck.chain.CompositionTck;
import java.util.List;
import java.util.stream.Stream;

/** Defects of consumers that are forgotten, and of what merges need. Stateless. */
public final class CompositionDefects {
    private CompositionDefects() {}

    public static Stream<Defect> all() {
        return Stream.of(forgotten(), others(), merges()).flatMap(List::stream);
    }

    private static List<Defect> forgotten() {
        return List.of(
                new Defect(
                        "a consumer is not forgotten though that is said",
                        ForgetConsumerTck.class,
                        "aConsumerThatIsForgottenHolds.*room",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public void forget(MemoryConsumer consumer) {
                                // stays
                            }
                        })),
                new Defect(
                        "a forgotten consumer keeps its position",
                        ForgetConsumerTck.class,
                        "aForgottenConsumerBegins.*3 frames",
                        Defect.topic(name -> new MemoryTopic(name) {
                            private long position;

                            @Override
                            public void forget(MemoryConsumer consumer) {
                                position = consumer.acknowledged;
                                super.forget(consumer);
                            }

                            @Override
                            public long start() {
                                return Math.max(position, super.start());
                            }
                        })),
                new Defect(
                        "an unknown consumer is said to be forgotten",
                        ForgetConsumerTck.class,
                        "whatIsNotThere.*to be false",
                        () -> new MemoryTransport() {
                            @Override
                            public boolean forgetConsumer(String topic, String consumer) {
                                super.forgetConsumer(topic, consumer);
                                return true;
                            }
                        }),
                new Defect(
                        "a topic is made to forget a consumer of it",
                        ForgetConsumerTck.class,
                        "whatIsNotThere.*raise a throwable",
                        () -> new MemoryTransport() {
                            @Override
                            public boolean forgetConsumer(String topic, String consumer) {
                                createTopics(List.of(topic));
                                return super.forgetConsumer(topic, consumer);
                            }
                        }));
    }

    private static List<Defect> others() {
        return List.of(
                new Defect(
                        "a live consumer is forgotten",
                        ForgetConsumerTck.class,
                        "aConsumerThatIsRead.*raise a throwable",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public boolean keepsLiveConsumers() {
                                return false;
                            }
                        })),
                new Defect(
                        "all consumers are forgotten together",
                        ForgetConsumerTck.class,
                        "theOthersKeepTheirPositions.*",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public void forget(MemoryConsumer consumer) {
                                consumers.clear();
                            }
                        })),
                new Defect(
                        "a topic whose last consumer was forgotten is held back",
                        ForgetConsumerTck.class,
                        "withoutItsLastConsumer.*room",
                        Defect.topic(name -> new MemoryTopic(name) {
                            @Override
                            public long raisedWithoutConsumers() {
                                return floor;
                            }
                        })));
    }

    private static List<Defect> merges() {
        return List.of(
                new Defect(
                        "how far a merge has come is not kept",
                        CompositionTck.class,
                        "whateverStops.*does not say which inputs are merged",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public byte[] mergedAtOpen() {
                                return null;
                            }
                        })),
                new Defect(
                        "how far a merge has come is read of the frame before the newest",
                        IdentityTck.class,
                        "howFarAMergeHasCome.*",
                        Defect.writer((topic, topology) -> new MemoryWriter(topic, topology) {
                            @Override
                            public byte[] mergedAtOpen() {
                                return published < 2
                                        ? super.mergedAtOpen()
                                        : Extension.copy(topic.aim(new Frame(), published - 1), Extension.MERGED);
                            }
                        })));
    }
}
