package dev.baton.operations.replay;

import java.util.Arrays;

/**
 * The first difference between a replay and what it is compared with. Immutable, thread-safe.
 *
 * @param expected the recorded output, or the output of the other build; null for none
 * @param replayed the output of the replay; null for none
 * @param thrown description of the exception that the service threw; null for none
 */
record Difference(FrameCopy expected, FrameCopy replayed, String thrown) {
    /** The kinds of differences. */
    enum Kind {
        PAYLOAD("payload changed"),
        TYPE("type changed"),
        KEY("key changed"),
        MISSING("output missing"),
        ADDITIONAL("additional output"),
        THROWN("service threw");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** Returns the first of the kinds that applies. */
    Kind kind() {
        if (thrown != null) {
            return Kind.THROWN;
        }
        if (expected == null || replayed == null) {
            return expected == null ? Kind.ADDITIONAL : Kind.MISSING;
        }
        if (expected.type() != replayed.type()) {
            return Kind.TYPE;
        }
        return Arrays.equals(expected.key(), replayed.key()) ? Kind.PAYLOAD : Kind.KEY;
    }

    /**
     * Returns the difference of two outputs. Where one side lacks an output, only the other is kept: the next output of the lacking side
     * answers a later input.
     */
    static Difference between(FrameCopy expected, FrameCopy replayed) {
        int order = expected == null || replayed == null ? 0 : expected.compareCause(replayed);
        return new Difference(order > 0 ? null : expected, order < 0 ? null : replayed, null);
    }

    /** Returns the difference of a service that threw at an input. */
    static Difference thrown(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new Difference(null, null, thrown.getMessage() + (cause == thrown ? "" : ": " + cause));
    }

    /** The input that led here: the older one where two differ; 0 when it is not known. */
    long cause() {
        if (expected == null || replayed == null) {
            return expected == null ? replayed == null ? 0 : replayed.cause() : expected.cause();
        }
        return Math.min(expected.cause(), replayed.cause());
    }

    /** {@return whether a second replay had the same difference} */
    boolean isRepeatedBy(Difference again) {
        return again != null
                && (replayed == null ? again.replayed == null : replayed.isSame(again.replayed))
                && (expected == null ? again.expected == null : expected.isSame(again.expected))
                && (thrown == null) == (again.thrown == null);
    }
}
