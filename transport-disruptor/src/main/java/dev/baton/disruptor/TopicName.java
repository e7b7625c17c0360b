package dev.baton.disruptor;

import dev.baton.spi.PartitionTopic;
import java.util.regex.Pattern;

/**
 * Which names a topic may have. Memory could carry any; what runs here shall run over files and brokers, too, so their
 * rules hold. Stateless.
 */
final class TopicName {
    private static final Pattern PORTABLE = Pattern.compile("[A-Za-z0-9._-]{1,249}");

    private TopicName() {}

    /** Returns the name or throws IllegalArgumentException. */
    static String checked(String name) {
        if (!PORTABLE.matcher(PartitionTopic.base(name)).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException(
                    "a topic cannot be named '" + name
                            + "'; allowed are 1 to 249 letters, digits, '.', '_' and '-', but not '.' and '..', and '@' with the number of a partition behind them");
        }
        return name;
    }
}
