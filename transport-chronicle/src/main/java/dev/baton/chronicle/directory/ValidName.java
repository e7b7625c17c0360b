package dev.baton.chronicle.directory;

import dev.baton.spi.PartitionTopic;

/**
 * The rule for the names of topics and consumers, which become names of directories and of entries in a queue's
 * metadata. Stateless.
 */
public final class ValidName {
    private static final int LONGEST = 200;

    private ValidName() {}

    /** Returns whether a topic or consumer may have this name. */
    public static boolean isFine(String partitionOrTopic) {
        String name = PartitionTopic.base(partitionOrTopic);
        if (name.isEmpty() || name.length() > LONGEST || name.charAt(0) == '.') {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean fine =
                    c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "._-".indexOf(c) >= 0;
            if (!fine) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the name.
     *
     * @throws IllegalArgumentException with the rule, when the name is not allowed
     */
    public static String check(String what, String name) {
        if (!isFine(name)) {
            throw new IllegalArgumentException(what + " '" + name + "' is not allowed; use 1 to " + LONGEST
                    + " characters of A-Z a-z 0-9 . _ - without a dot first, and for a partition '@' and its number");
        }
        return name;
    }
}
