package dev.baton.operations.verify;

import dev.baton.spi.PartitionTopic;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed name of a chain's topic: {@code orders-2}, or {@code orders-2@1} with its partition. Immutable, thread-safe.
 *
 * @param number from 0; -1 when the name is of another form
 * @param partition with its separator; empty for none
 */
public record ChainTopic(String chain, long number, String partition) {
    private static final Pattern NAME = Pattern.compile("(.+)-(\\d{1,9})");

    public static ChainTopic of(String topic) {
        String base = PartitionTopic.base(topic);
        Matcher matcher = NAME.matcher(base);
        return matcher.matches()
                ? new ChainTopic(matcher.group(1), Long.parseLong(matcher.group(2)), topic.substring(base.length()))
                : new ChainTopic(topic, -1, "");
    }

    /** Returns the same partition of an earlier or later topic of the chain. */
    public String neighbour(int distance) {
        return chain + "-" + (number + distance) + partition;
    }
}
