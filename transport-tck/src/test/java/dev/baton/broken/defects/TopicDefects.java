package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapTopic;
import dev.baton.broken.heap.HeapTransport;
import dev.baton.tck.admin.TopicTck;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Defects of how topics are created, listed and deleted. Stateless. */
public final class TopicDefects {
    private TopicDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(creations(), deletions(), moreDeletions()).flatMap(List::stream);
    }

    private static List<PlantedDefect> creations() {
        return List.of(
                new PlantedDefect(
                        "creating a topic again empties it",
                        TopicTck.class,
                        "creatingAnExistingTopicLeavesItUnchanged.*waited \\d+ ms for 1 frames",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                Set<String> created = super.createTopics(names);
                                names.forEach(name -> topics.put(name, newTopic(name)));
                                return created;
                            }
                        }),
                new PlantedDefect(
                        "every topic counts as created",
                        TopicTck.class,
                        "creationReturnsTheTopics.*what was created beside a topic that exists",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                super.createTopics(names);
                                return new TreeSet<>(names);
                            }
                        }),
                new PlantedDefect(
                        "no topic counts as created",
                        TopicTck.class,
                        "creationReturnsTheTopics.*what was created",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                super.createTopics(names);
                                return Set.of();
                            }
                        }),
                new PlantedDefect(
                        "a name is refused when others are created already",
                        TopicTck.class,
                        "invalidNameIsRefusedBeforeAnythingIsCreated.*not to contain",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                Set<String> created = new TreeSet<>();
                                names.forEach(name -> created.addAll(super.createTopics(List.of(name))));
                                return created;
                            }
                        }),
                new PlantedDefect(
                        "any name is taken",
                        TopicTck.class,
                        "invalidNameIsRefusedBeforeAnythingIsCreated.*raise a throwable",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                Set<String> created = new TreeSet<>(names);
                                created.removeAll(topics.keySet());
                                created.forEach(name -> topics.put(name, newTopic(name)));
                                return created;
                            }
                        }),
                new PlantedDefect(
                        "a missing topic is made when it is opened",
                        TopicTck.class,
                        "missingTopicHasNeitherWriterNorReader.*raise a throwable",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized HeapTopic topic(String name) {
                                return topics.computeIfAbsent(name, this::newTopic);
                            }
                        }),
                new PlantedDefect(
                        "the newest topic is not listed",
                        TopicTck.class,
                        "createdTopicsAreListed.*",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized Set<String> topics() {
                                Set<String> listed = super.topics();
                                listed.remove(topics.keySet().stream()
                                        .max(Comparator.comparing(String::length)
                                                .thenComparing(name -> name))
                                        .orElse(""));
                                return listed;
                            }
                        }));
    }

    private static List<PlantedDefect> deletions() {
        return List.of(
                new PlantedDefect(
                        "a topic in use is deleted",
                        TopicTck.class,
                        "topicWithAReaderIsNotDeleted.*the deletion of a topic in use",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public void requireUnused() {
                                // even while it is in use
                            }
                        })),
                new PlantedDefect(
                        "a topic that is written is deleted",
                        TopicTck.class,
                        "topicWithAWriterIsNotDeleted.*the deletion of a topic in use",
                        PlantedDefect.topic(name -> new HeapTopic(name) {
                            @Override
                            public synchronized boolean isInUse() {
                                return consumers.stream().anyMatch(consumer -> consumer.hasReader);
                            }
                        })),
                new PlantedDefect(
                        "a refused deletion deletes some topics",
                        TopicTck.class,
                        "topicWithA.*topics after a refused deletion",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized void deleteTopics(Collection<String> names) {
                                names.forEach(name -> super.deleteTopics(List.of(name)));
                            }
                        }),
                new PlantedDefect(
                        "a topic in use is left in silence",
                        TopicTck.class,
                        "topicWithA.*the deletion of a topic in use",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized void deleteTopics(Collection<String> names) {
                                super.deleteTopics(names.stream()
                                        .filter(name -> !topics.containsKey(name)
                                                || !topics.get(name).isInUse())
                                        .toList());
                            }
                        }));
    }

    private static List<PlantedDefect> moreDeletions() {
        return List.of(
                new PlantedDefect(
                        "a deletion does nothing",
                        TopicTck.class,
                        "deletedTopicIsGoneWithItsFrames.*not to contain",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized void deleteTopics(Collection<String> names) {
                                names.stream()
                                        .filter(topics::containsKey)
                                        .forEach(name -> topics.get(name).requireUnused());
                            }
                        }),
                new PlantedDefect(
                        "a deleted topic comes back with what it held",
                        TopicTck.class,
                        "deletedTopicIsGoneWithItsFrames.*expected: 0L.*but was: 1L",
                        () -> new HeapTransport() {
                            private final Set<String> deleted = new HashSet<>();

                            @Override
                            public synchronized void deleteTopics(Collection<String> names) {
                                deleted.addAll(names);
                            }

                            @Override
                            public synchronized Set<String> createTopics(Collection<String> names) {
                                deleted.removeAll(names);
                                return super.createTopics(names);
                            }

                            @Override
                            public synchronized Set<String> topics() {
                                Set<String> listed = super.topics();
                                listed.removeAll(deleted);
                                return listed;
                            }
                        }),
                new PlantedDefect(
                        "the deletion of an unknown topic fails",
                        TopicTck.class,
                        "deletingUnknownTopics.*there is no topic",
                        () -> new HeapTransport() {
                            @Override
                            public synchronized void deleteTopics(Collection<String> names) {
                                names.forEach(this::topic);
                                super.deleteTopics(names);
                            }
                        }));
    }
}
