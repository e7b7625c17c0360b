package dev.baton.kafka.topics;

import dev.baton.spi.PartitionTopic;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** The rules for the names of topics in Kafka, and the mapping of Baton's topics to partitions. Stateless. */
public final class TopicNames {
    private static final int LONGEST = 249;
    private static final Pattern ALLOWED = Pattern.compile("[a-zA-Z0-9._-]{1," + LONGEST + "}");

    private TopicNames() {}

    /**
     * Throws unless Kafka accepts all of these names.
     *
     * @throws IllegalArgumentException for the first name that Kafka would refuse
     */
    static void check(Collection<String> names) {
        for (String name : names) {
            if (!ALLOWED.matcher(PartitionTopic.base(name)).matches() || name.equals(".") || name.equals("..")) {
                throw new IllegalArgumentException(
                        "'" + name + "' cannot be a topic of Kafka: 1 to " + LONGEST
                                + " letters, digits, '.', '_' or '-' are allowed, but neither '.' nor '..'; behind them '@' and the number of a partition");
            }
        }
        partitions(names);
    }

    /**
     * Returns the partition of a topic: {@code name@k} is partition k of the topic {@code name}, any other name
     * partition 0.
     */
    public static TopicPartition partitionOf(String name) {
        return new TopicPartition(PartitionTopic.base(name), Math.max(0, PartitionTopic.partition(name)));
    }

    /** Returns the name for messages: without the number of the partition if that is 0, as most topics have one. */
    public static String of(TopicPartition partition) {
        return partition.partition() == 0
                ? partition.topic()
                : PartitionTopic.name(partition.topic(), partition.partition());
    }

    /**
     * Returns Kafka's topics for these names, in order, with the number of their partitions.
     *
     * @throws IllegalArgumentException when a partition is missing: partitions are counted from 0 without a gap
     */
    static Map<String, Integer> partitions(Collection<String> names) {
        Map<String, BitSet> numbers = new LinkedHashMap<>();
        Set<String> plain = new HashSet<>();
        for (String name : names) {
            BitSet found = numbers.computeIfAbsent(PartitionTopic.base(name), topic -> new BitSet());
            if (PartitionTopic.partition(name) == PartitionTopic.NONE) {
                plain.add(name);
            } else {
                found.set(PartitionTopic.partition(name));
            }
        }
        Map<String, Integer> partitions = new LinkedHashMap<>();
        numbers.forEach((topic, found) -> {
            if (!found.isEmpty() && plain.contains(topic)) {
                throw new IllegalArgumentException("'" + topic + "' cannot be one log and have partitions");
            }
            if (found.nextClearBit(0) != found.length() || found.length() == 1) {
                throw new IllegalArgumentException(
                        "topic '" + topic + "' with partitions " + found
                                + "; two or more, counted from 0 without a gap, are allowed (the only partition is the topic itself)");
            }
            partitions.put(topic, Math.max(1, found.length()));
        });
        return partitions;
    }

    /**
     * Returns Baton's names for the partitions of a topic of Kafka's; one with more than Baton allows has its own name.
     */
    public static Stream<String> of(String topic, int partitions) {
        return partitions > PartitionTopic.MOST_PARTITIONS
                ? Stream.of(topic)
                : IntStream.range(0, partitions).mapToObj(partition -> PartitionTopic.of(topic, partition, partitions));
    }
}
