package dev.baton.spi.support;

import dev.baton.spi.PartitionTopic;
import java.util.regex.Pattern;

/**
 * The rules for names of topics on a transport in memory. Such a transport could allow any name, but chains that run on it
 * should also run over files and brokers, so the rules of these apply. Stateless, thread-safe.
 */
public final class TopicName {
    private static final Pattern PORTABLE = Pattern.compile("[A-Za-z0-9._-]{1,249}");

    private TopicName() {}

    /**
     * {@return the name, if every transport can use it}
     *
     * @param name name with or without a partition
     * @throws IllegalArgumentException if a transport cannot use it; the text has the name in single quotes
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
