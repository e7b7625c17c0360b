package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConsumer;
import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.admin.ForgetConsumerTck;
import dev.baton.tck.admin.TopicTck;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Defects of names that are alike, and of consumers that are forgotten. Stateless. */
public final class NameDefects {
    private NameDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(consumers(), forgotten(), topics()).flatMap(each -> each);
    }

    private static Stream<PlantedDefect> consumers() {
        return Stream.of(
                new PlantedDefect(
                        "forgetting c1 forgets c10",
                        ForgetConsumerTck.class,
                        "consumersWhoseNames.*what consumer 'c10' reads after 'c1' was forgotten.*",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public void forget(HeapConsumer consumer) {
                                consumers.removeIf(each -> each.name.startsWith(consumer.name));
                            }
                        })),
                new PlantedDefect(
                        "a consumer's name ends at its first dot",
                        ForgetConsumerTck.class,
                        "consumersWhoseNames.*waited \\d+ ms for 2 frames.*came: 1 frame.*rule: every consumer gets",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized HeapConsumer openConsumer(String consumerName) {
                                return super.openConsumer(consumerName.split("\\.")[0]);
                            }
                        })),
                new PlantedDefect(
                        "names of consumers that differ in case are one",
                        TopicTck.class,
                        "namesThatDiffer.*consumer 'tck' of topic .* has a live reader",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized HeapConsumer openConsumer(String consumerName) {
                                return super.openConsumer(consumerName.toLowerCase(Locale.ROOT));
                            }
                        })));
    }

    private static Stream<PlantedDefect> forgotten() {
        return Stream.of(
                new PlantedDefect(
                        "a forgotten consumer holds back while all others are at the end",
                        ForgetConsumerTck.class,
                        "forgettingTheOnlyConsumerBehind.*waited \\d+ ms for all room.*rule: a forgotten consumer does not hold",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            private long held = Long.MAX_VALUE; // by those that were forgotten

                            @Override
                            public void forget(HeapConsumer consumer) {
                                held = Math.min(held, consumer.acknowledged);
                                super.forget(consumer);
                            }

                            @Override
                            public synchronized long raiseFloor() {
                                boolean isAtEnd =
                                        consumers.stream().allMatch(consumer -> consumer.acknowledged == published());
                                return isAtEnd && held < floor + SLOTS ? floor : super.raiseFloor();
                            }
                        })),
                new PlantedDefect(
                        "a consumer is forgotten in every topic",
                        ForgetConsumerTck.class,
                        "aConsumerOfAnotherTopic.*what a consumer of the same name reads of another topic",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized boolean forgetConsumer(String topic, String consumer) {
                                boolean isForgotten = super.forgetConsumer(topic, consumer);
                                topics.values().forEach(each -> each.forgetConsumer(consumer));
                                return isForgotten;
                            }
                        }),
                new PlantedDefect(
                        "a consumer can be forgotten again and again",
                        ForgetConsumerTck.class,
                        "aForgottenConsumerIsForgottenOnce.*to be false",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            private final Set<String> forgotten = new TreeSet<>();

                            @Override
                            public synchronized boolean forgetConsumer(String consumerName) {
                                boolean isKnown = super.forgetConsumer(consumerName);
                                return isKnown ? forgotten.add(consumerName) : forgotten.contains(consumerName);
                            }
                        })));
    }

    private static Stream<PlantedDefect> topics() {
        return Stream.of(
                new PlantedDefect(
                        "deleting a topic deletes those whose names begin with its own",
                        TopicTck.class,
                        "deletingATopicKeeps.*topics after '.*' was deleted",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized void deleteTopics(Collection<String> names) {
                                super.deleteTopics(names);
                                topics.keySet().removeIf(each -> names.stream().anyMatch(each::startsWith));
                            }
                        }),
                new PlantedDefect(
                        "names of topics that differ in case are one",
                        TopicTck.class,
                        "namesThatDiffer.*has a live writer",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized HeapTopic topic(String name) {
                                return super.topic(name.toLowerCase(Locale.ROOT));
                            }
                        }),
                new PlantedDefect(
                        "a topic that exists cannot be created again",
                        TopicTck.class,
                        "creatingAnExistingTopicLeavesItUnchanged.*createTopics, called by TopicTck.*exists already; rule",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                if (names.stream().anyMatch(topics::containsKey)) {
                                    throw new TransportException("a topic exists already");
                                }
                                return super.createTopics(names);
                            }
                        }),
                new PlantedDefect(
                        "a refused name is refused without being named",
                        TopicTck.class,
                        "invalidNameIsRefusedBeforeAnythingIsCreated.*no good name",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                if (names.stream().anyMatch(String::isBlank)) {
                                    throw new IllegalArgumentException("no good name");
                                }
                                return super.createTopics(names);
                            }
                        }),
                new PlantedDefect(
                        "no topic is listed", TopicTck.class, "createdTopicsAreListed.*", () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> topics() {
                                return Set.copyOf(List.of());
                            }
                        }));
    }
}
