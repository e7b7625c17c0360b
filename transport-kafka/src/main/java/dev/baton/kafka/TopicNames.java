package dev.baton.kafka;

import java.util.Collection;
import java.util.regex.Pattern;

/** Kafka's rule for the names of topics. */
final class TopicNames {
    private static final int LONGEST = 249;
    private static final Pattern ALLOWED = Pattern.compile("[a-zA-Z0-9._-]{1," + LONGEST + "}");

    private TopicNames() {}

    /** @throws IllegalArgumentException for the first name that Kafka would refuse */
    static void check(Collection<String> names) {
        for (String name : names) {
            if (!ALLOWED.matcher(name).matches() || name.equals(".") || name.equals("..")) {
                throw new IllegalArgumentException("'" + name + "' cannot be a topic of Kafka: 1 to " + LONGEST
                        + " letters, digits, '.', '_' or '-' are allowed, but neither '.' nor '..'");
            }
        }
    }
}
