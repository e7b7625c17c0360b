package dev.baton.kafka;

import dev.baton.spi.LaneTopic;
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

/** Kafka's rule for the names of topics, and how the lanes of a topic lie in its partitions. */
final class TopicNames {
    private static final int LONGEST = 249;
    private static final Pattern ALLOWED = Pattern.compile("[a-zA-Z0-9._-]{1," + LONGEST + "}");

    private TopicNames() {}

    /** @throws IllegalArgumentException for the first name that Kafka would refuse */
    static void check(Collection<String> names) {
        for (String name : names) {
            if (!ALLOWED.matcher(LaneTopic.base(name)).matches() || name.equals(".") || name.equals("..")) {
                throw new IllegalArgumentException(
                        "'" + name + "' cannot be a topic of Kafka: 1 to " + LONGEST
                                + " letters, digits, '.', '_' or '-' are allowed, but neither '.' nor '..'; behind them '@' and the number of a lane");
            }
        }
        partitions(names);
    }

    /** Where a topic lies: lane k in partition k of the topic whose name goes before it, any other in the one partition. */
    static TopicPartition partitionOf(String name) {
        return new TopicPartition(LaneTopic.base(name), Math.max(0, LaneTopic.lane(name)));
    }

    /** For messages about what lies there: the partition is told where it can be that of a lane only. */
    static String of(TopicPartition partition) {
        return partition.partition() == 0
                ? partition.topic()
                : LaneTopic.name(partition.topic(), partition.partition());
    }

    /**
     * Kafka's topics for these, in order, and how many partitions each has.
     *
     * @throws IllegalArgumentException when a lane is missing: partitions are counted from 0 without a gap
     */
    static Map<String, Integer> partitions(Collection<String> names) {
        Map<String, BitSet> lanes = new LinkedHashMap<>();
        Set<String> plain = new HashSet<>();
        for (String name : names) {
            BitSet found = lanes.computeIfAbsent(LaneTopic.base(name), topic -> new BitSet());
            if (LaneTopic.lane(name) == LaneTopic.NONE) {
                plain.add(name);
            } else {
                found.set(LaneTopic.lane(name));
            }
        }
        Map<String, Integer> partitions = new LinkedHashMap<>();
        lanes.forEach((topic, found) -> {
            if (!found.isEmpty() && plain.contains(topic)) {
                throw new IllegalArgumentException("'" + topic + "' cannot be one log and have lanes");
            }
            if (found.nextClearBit(0) != found.length() || found.length() == 1) {
                throw new IllegalArgumentException(
                        "topic '" + topic + "' with lanes " + found
                                + "; two or more, counted from 0 without a gap, are allowed (the only lane is the topic itself)");
            }
            partitions.put(topic, Math.max(1, found.length()));
        });
        return partitions;
    }

    /** What lies in a topic of Kafka's with so many partitions; one with more than there may be lanes is not ours. */
    static Stream<String> of(String topic, int partitions) {
        return partitions > LaneTopic.MOST_LANES
                ? Stream.of(topic)
                : IntStream.range(0, partitions).mapToObj(lane -> LaneTopic.of(topic, lane, partitions));
    }
}
