package dev.baton.spi;

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

    private PartitionTopic() {}

    /**
     * {@return the name of a partition's topic; if there is only one partition, the plain name}
     *
     * @param topic without a partition
     * @param partition from 0
     * @param partitions of the topic, 1 to {@value #MOST_PARTITIONS}
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
     * @param partition from 0, not checked
     */
    public static String name(String topic, int partition) {
        return topic + SEPARATOR + partition;
    }

    /**
     * {@return the name without its partition}
     *
     * @param name of a topic, with or without a partition
     */
    public static String base(String name) {
        return partition(name) == NONE ? name : name.substring(0, name.lastIndexOf(SEPARATOR));
    }

    /**
     * {@return the partition with which a name ends; {@link #NONE} if it ends otherwise}
     *
     * @param name of a topic, with or without a partition
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
}
