package dev.baton.operations.replay;

/**
 * Where a replay first differs from what it is compared with. Immutable, thread-safe.
 *
 * @param expected what was recorded, or what the other build sent; null: nothing
 * @param replayed what the replay sent; null: nothing
 * @param thrown what the service threw, in words; null: nothing
 */
record Difference(FrameCopy expected, FrameCopy replayed, String thrown) {
    /** Of two outputs. One that is missing on one side is shown alone: the other side's next one answers a later input. */
    static Difference between(FrameCopy expected, FrameCopy replayed) {
        boolean isPair = expected != null && replayed != null;
        return new Difference(
                isPair && replayed.cause() < expected.cause() ? null : expected,
                isPair && expected.cause() < replayed.cause() ? null : replayed,
                null);
    }

    /** Of a service that threw at an input. */
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

    /** Whether a second replay came to the same. */
    boolean isRepeatedBy(Difference again) {
        return again != null
                && (replayed == null ? again.replayed == null : replayed.isSame(again.replayed))
                && (expected == null ? again.expected == null : expected.isSame(again.expected))
                && (thrown == null) == (again.thrown == null);
    }
}
