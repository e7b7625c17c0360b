package dev.baton.engine.plan;

import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.PartitionTopic;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The names that chains and merges give to topics and consumers. No two of them are the same for different places.
 *
 * <p>A name that a user gives to a chain, a service or a merge has no hyphen at its ends and no two hyphens in a row. So the
 * number of hyphens in a row separates the fields, whatever digits, dots and single hyphens the names contain:
 *
 * <pre>
 * orders-1                             topic 1 of chain orders
 * orders--2-1                          topic 1 of its instance 2
 * trail-merged                         output of merge trail
 * orders-1.dead-letters                of the service that reads the topic; snapshots in the same way
 * orders-1---audit.dead-letters        of another consumer of the topic, here a tap
 * orders-1---3---audit.dead-letters    the same for partition 3 of the topic, orders-1&#64;3
 * bills--price, bills--2--price        consumers of another chain's topic: service price of chain bills, of its instance 2
 * </pre>
 *
 * <p>This also holds where '.' and '_' count as the same character, as in Kafka's metrics, for names that differ in more than
 * these. Stateless.
 */
public final class ChainNames {
    /** The end of the name of every dead-letter topic. */
    public static final String DEAD_LETTERS = ".dead-letters";

    private static final int MOST_CHARACTERS = 100;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](-?[A-Za-z0-9._])*");
    private static final Pattern CONSUMER = Pattern.compile(NAME.pattern() + "(--" + NAME.pattern() + ")*");
    private static final String ALLOWED = "'; allowed are up to " + MOST_CHARACTERS
            + " letters, digits, '.', '_' and '-', beginning with a letter or digit, with no '-' at the end";

    private static final String FIELD = "--";
    private static final String BESIDE = "---";

    private ChainNames() {}

    /** Returns the name of a chain, a service or a merge, or throws if it is invalid. */
    public static String checked(String what, String name) {
        Objects.requireNonNull(name, () -> what + " name");
        if (name.length() > MOST_CHARACTERS || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " name '" + name + ALLOWED + " and no '--'");
        }
        if (ObservingConsumer.isObserving(name)) {
            throw new IllegalArgumentException(what + " name '" + name + "' begins with '" + ObservingConsumer.PREFIX
                    + "', which marks consumers that hold no topic back; choose another name");
        }
        return name;
    }

    /** Returns the name of a consumer, or throws if it is invalid. Valid are a name, or several joined by two hyphens. */
    public static String checkedConsumer(String name) {
        Objects.requireNonNull(name, "consumer name");
        if (name.length() > MOST_CHARACTERS || !CONSUMER.matcher(name).matches()) {
            throw new IllegalArgumentException("consumer name '" + name + ALLOWED + " and no '---'");
        }
        return name;
    }

    /** Returns the name of a topic, or throws if it is blank. */
    public static String checkedTopic(String topic) {
        if (Objects.requireNonNull(topic, "topic").isBlank()) {
            throw new IllegalArgumentException("topic name must not be blank, but is '" + topic + "'");
        }
        return topic;
    }

    /** Returns the name of a topic of a chain. */
    static String topic(String chain, int instance, int index) {
        return run(chain, instance) + "-" + index;
    }

    /** Returns whether this is the name of a topic of some instance of a chain, with or without a partition. */
    public static boolean isTopicOf(String chain, String topic) {
        return Pattern.matches(Pattern.quote(chain) + "(" + FIELD + "[0-9]+)?-[0-9]+", PartitionTopic.base(topic));
    }

    /** Returns the name of the consumer of another chain's topic. */
    static String consumer(String chain, int instance, String service) {
        return run(chain, instance) + FIELD + service;
    }

    private static String run(String chain, int instance) {
        return instance == 0 ? chain : chain + FIELD + instance;
    }

    /** Returns the name from which topics are derived that belong to a consumer of another chain's topic. */
    static String beside(String topic, String consumer) {
        int partition = PartitionTopic.partition(topic);
        return PartitionTopic.base(topic)
                + (partition == PartitionTopic.NONE ? "" : BESIDE + partition)
                + BESIDE
                + consumer;
    }

    /** Returns whether a name is one of {@link #beside}, with or without a suffix. */
    public static boolean isBeside(String name) {
        return name.contains(BESIDE);
    }

    /** Returns the topic of a name of {@link #beside}; any other name is returned unchanged. */
    public static String topicOf(String name) {
        int end = name.lastIndexOf(BESIDE);
        if (end < 0) {
            return name;
        }
        String topic = name.substring(0, end);
        int number = topic.lastIndexOf(BESIDE);
        String partition = number < 0 ? "" : PartitionTopic.SEPARATOR + topic.substring(number + BESIDE.length());
        return PartitionTopic.partition("t" + partition) == PartitionTopic.NONE
                ? topic
                : topic.substring(0, number) + partition;
    }
}
