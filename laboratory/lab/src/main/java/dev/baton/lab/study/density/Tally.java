package dev.baton.lab.study.density;

/**
 * What the counted trials of one number have said. Immutable, thread-safe.
 *
 * @param passes among all of them
 * @param failures likewise
 * @param decidingPasses among those that an answer may rest on
 * @param decidingFailures likewise
 * @param isUnsteady whether a number that had passed failed its confirmation: it counts as failing from then on
 */
record Tally(int passes, int failures, int decidingPasses, int decidingFailures, boolean isUnsteady) {
    static final Tally NONE = new Tally(0, 0, 0, 0, false);

    private static final int TWICE = 2;

    Tally with(boolean isPass, boolean isDeciding) {
        return new Tally(
                passes + (isPass ? 1 : 0),
                failures + (isPass ? 0 : 1),
                decidingPasses + (isPass && isDeciding ? 1 : 0),
                decidingFailures + (!isPass && isDeciding ? 1 : 0),
                isUnsteady || (!isPass && isPassing()));
    }

    boolean isPassing() {
        return !isUnsteady && passes > failures;
    }

    boolean isFailing() {
        return isUnsteady || failures > passes;
    }

    /** As many of each: a third trial decides. */
    boolean isOpen() {
        return !isUnsteady && passes == failures && passes > 0;
    }

    boolean isOneFailure() {
        return failures == 1 && passes == 0;
    }

    /** Passed, and passed again in a trial to rest upon. */
    boolean isConfirmed() {
        return isPassing() && passes >= TWICE && decidingPasses > 0;
    }

    /** Failed twice, once in a trial to rest upon; an unsteady number has shown enough. */
    boolean isRefuted() {
        return isUnsteady || isFailing() && failures >= TWICE && decidingFailures > 0;
    }
}
