package dev.baton.spi;

import java.util.regex.Pattern;

/**
 * Which names a topic may have over a transport in memory. Memory could carry any; what runs there shall run over files and
 * brokers, too, so their rules hold. Stateless, thread-safe.
 */
public final class TopicName {
    private static final Pattern PORTABLE = Pattern.compile("[A-Za-z0-9._-]{1,249}");

    private TopicName() {}

    /**
     * {@return the name, which can be carried everywhere}
     *
     * @param name with or without a partition
     * @throws IllegalArgumentException for one that cannot be carried everywhere; the text has it in single quotes
     */
    public static String checked(String name) {
        if (!PORTABLE.matcher(PartitionTopic.base(name)).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException(
                    "a topic cannot be named '" + name
                            + "'; allowed are 1 to 249 letters, digits, '.', '_' and '-', but not '.' and '..', and '@' with the number of a partition behind them");
        }
        return name;
    }
}
