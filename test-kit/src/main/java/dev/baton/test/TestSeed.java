package dev.baton.test;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The seed of a hostile check, and the number of a run when only that one is repeated. Immutable.
 *
 * @param base the seed
 * @param run number of the only run, {@link #ALL} for all of them
 */
record TestSeed(long base, int run) {
    /** The system property with the seed and optionally the run, such as {@code 7}, {@code 7/42} or {@code random}. */
    static final String PROPERTY = "baton.test.seed";

    /** The value of {@link #run} for all runs. */
    static final int ALL = -1;

    private static final String RANDOM = "random";

    /** Returns the seed of the system property, or the given one if it is not set. */
    static TestSeed of(long otherwise) {
        String text = System.getProperty(PROPERTY);
        return text == null || text.isBlank() ? new TestSeed(otherwise, ALL) : parse(text.trim());
    }

    static TestSeed parse(String text) {
        if (text.equals(RANDOM)) {
            return new TestSeed(ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE), ALL);
        }
        String[] parts = text.split("/", 2);
        try {
            int run = parts.length == 1 ? ALL : Integer.parseInt(parts[1]);
            if (run >= ALL) {
                return new TestSeed(Long.parseLong(parts[0]), run);
            }
        } catch (NumberFormatException unreadable) {
            // reported below
        }
        throw new IllegalArgumentException("-D" + PROPERTY + "=" + text
                + " is no seed; allowed are a number (7), a number and a run (7/42), and " + RANDOM);
    }

    /** Returns a run of this seed in the format of the property. */
    String text(int number) {
        return base + "/" + number;
    }
}
