package dev.baton.spi;

import dev.baton.spi.errors.TopicMismatchException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The name of a partition's topic: {@code name@k}, with k from 0 without leading zeros. A transport that has partitions itself
 * splits the name; other transports use it unchanged. Stateless.
 */
public final class PartitionTopic {
    /** The maximum number of partitions of a topic. */
    public static final int MOST_PARTITIONS = 1024;

    /** The partition of a name that does not name a partition. */
    public static final int NONE = -1;

    /** The text in front of the number of a partition; no other part of a topic's name contains it. */
    public static final String SEPARATOR = "@";

    private static final int MOST_DIGITS = 4;
    private static final Pattern PORTABLE = Pattern.compile("[A-Za-z0-9._-]{1,249}");

    private PartitionTopic() {}

    /**
     * Refuses to create topics of which others with another number of partitions exist. For a transport that keeps a partition
     * as a topic of its own and creates them in {@link #inOrderOfCreation}; called before any of them is created.
     *
     * @param names names to create; a set of partitions is compared if it begins with 0 and has no gap
     * @param exists whether a topic of a name exists
     * @throws TopicMismatchException for the first topic with another number; the text says what to do
     */
    public static void requireSameCounts(Collection<String> names, Predicate<String> exists) {
        Map<String, BitSet> wanted = new TreeMap<>();
        for (String name : names) {
            BitSet partitions = wanted.computeIfAbsent(base(name), topic -> new BitSet());
            if (partition(name) != NONE) {
                partitions.set(partition(name));
            }
        }
        wanted.forEach((topic, partitions) -> {
            if (partitions.isEmpty()) {
                if (!exists.test(topic) && exists.test(name(topic, 0))) {
                    throw otherCount(topic, count(topic, exists), 1);
                }
            } else if (partitions.nextClearBit(0) == partitions.length() && partitions.length() > 1) {
                requireSameCount(topic, partitions.length(), exists);
            }
        });
    }

    private static void requireSameCount(String topic, int wanted, Predicate<String> exists) {
        boolean isComplete = exists.test(name(topic, 0));
        if (!isComplete && exists.test(topic)) {
            throw otherCount(topic, 1, wanted);
        }
        if (!isComplete && exists.test(name(topic, wanted))) {
            throw new TopicMismatchException("topic '" + name(topic, wanted) + "' exists without '" + name(topic, 0)
                    + "': a process ended while it created more than " + wanted + " partitions. Delete '"
                    + name(topic, wanted) + "' and those with higher numbers, or take another name");
        }
        int found = isComplete ? count(topic, exists) : wanted;
        boolean isGap = IntStream.range(found, wanted).anyMatch(partition -> exists.test(name(topic, partition)));
        if (found != wanted && found > 1 && !isGap) {
            throw otherCount(topic, found, wanted);
        }
    }

    private static int count(String topic, Predicate<String> exists) {
        int count = 0;
        while (count < MOST_PARTITIONS && exists.test(name(topic, count))) {
            count++;
        }
        return count;
    }

    /**
     * {@return the exception for a caller that requires another number of partitions than a topic has}
     *
     * @param topic without a partition
     * @param found partitions of the topic
     * @param wanted required number of partitions
     */
    public static TopicMismatchException otherCount(String topic, int found, int wanted) {
        String all = found == 1 ? topic : name(topic, 0) + " to " + name(topic, found - 1);
        return new TopicMismatchException("topic '" + topic + "' has " + partitions(found) + ", but "
                + partitions(wanted) + (wanted == 1 ? " was" : " were")
                + " asked for; their number is settled when the topic is created, since keys would move: use " + found
                + ", or another name; or first delete " + all
                + ", and the other topics of the chain, if no message in them is needed");
    }

    private static String partitions(int count) {
        return count + (count == 1 ? " partition" : " partitions");
    }

    /**
     * {@return names in the order in which a transport that keeps a partition as a topic of its own creates them: partition
     * 0 is last} So if partition 0 exists, all were created, also if the process was killed meanwhile.
     *
     * @param names names with or without a partition
     */
    public static List<String> inOrderOfCreation(Collection<String> names) {
        List<String> ordered = new ArrayList<>(names);
        ordered.sort(Comparator.comparingInt(PartitionTopic::partition).reversed());
        return ordered;
    }

    /**
     * {@return the name of a partition's topic; if there is only one partition, the plain name}
     *
     * @param topic without a partition
     * @param partition partition, from 0
     * @param partitions number of partitions of the topic, 1 to {@value #MOST_PARTITIONS}
     * @throws IllegalArgumentException when there is no such partition
     */
    public static String of(String topic, int partition, int partitions) {
        if (partitions < 1 || partitions > MOST_PARTITIONS || partition < 0 || partition >= partitions) {
            throw new IllegalArgumentException("partition " + partition + " of " + partitions
                    + "; 0 to one less than the partitions, of 1 to " + MOST_PARTITIONS + ", is allowed");
        }
        return partitions == 1 ? topic : name(topic, partition);
    }

    /**
     * {@return the name of a partition's topic, for two partitions or more}
     *
     * @param topic without a partition
     * @param partition partition, from 0, not checked
     */
    public static String name(String topic, int partition) {
        return topic + SEPARATOR + partition;
    }

    /**
     * {@return the name without its partition}
     *
     * @param name name of a topic, with or without a partition
     */
    public static String base(String name) {
        return partition(name) == NONE ? name : name.substring(0, name.lastIndexOf(SEPARATOR));
    }

    /**
     * {@return the partition with which a name ends; {@link #NONE} if it ends otherwise}
     *
     * @param name name of a topic, with or without a partition
     */
    public static int partition(String name) {
        int digits = name.lastIndexOf(SEPARATOR) + 1;
        int count = name.length() - digits;
        if (digits < 2 || count < 1 || count > MOST_DIGITS || (count > 1 && name.charAt(digits) == '0')) {
            return NONE;
        }
        int partition = 0;
        for (int i = digits; i < name.length(); i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return NONE;
            }
            partition = 10 * partition + digit;
        }
        return partition < MOST_PARTITIONS ? partition : NONE;
    }

    /**
     * {@return the name, if every transport can use it} Files and brokers limit the names of topics. A transport in memory has the same
     * limits, so that its chains run over the others as well.
     *
     * @param name name with or without a partition
     * @throws IllegalArgumentException if a transport cannot use it; the text has the name in single quotes
     */
    public static String requirePortable(String name) {
        if (!PORTABLE.matcher(base(name)).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("a topic cannot be named '" + name
                    + "'; allowed are 1 to 249 letters, digits, '.', '_' and '-', but not '.' and '..',"
                    + " and '@' with the number of a partition behind them");
        }
        return name;
    }
}
