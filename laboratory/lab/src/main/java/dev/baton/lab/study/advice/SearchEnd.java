package dev.baton.lab.study.advice;

import dev.baton.operations.line.ExitCode;

/**
 * The end of a search. Immutable, thread-safe.
 *
 * @param why one sentence; empty for a recommendation
 * @param taken the recommended setting; null without a recommendation
 * @param isTie whether its difference to the compared setting is within the noise
 * @param run the trials of a recommendation; null without one
 */
record SearchEnd(End end, String why, Candidate taken, boolean isTie, Confirmation run) {
    enum End {
        RECOMMENDED(ExitCode.OK),
        /** No measured setting keeps the limit. */
        NONE(ExitCode.FAILED),
        INCONCLUSIVE(ExitCode.INCONCLUSIVE),
        INTERRUPTED(ExitCode.INTERRUPTED);

        final int code;

        End(int code) {
            this.code = code;
        }
    }

    static SearchEnd without(End end, String why) {
        return new SearchEnd(end, why, null, false, null);
    }

    /** Returns the finding of a comparison whose best setting never exceeded the limit. */
    static SearchEnd of(Confirmation run) {
        boolean isAlone = run.next() == null || run.isBroken(run.next());
        if (!run.isKept(run.best()) || !isAlone && !run.isKept(run.next())) {
            return without(
                    End.INCONCLUSIVE, AdviceText.unconfirmed(run, run.isKept(run.best()) ? run.next() : run.best()));
        }
        double noise = run.noise();
        if (!(noise <= Confirmation.MOST_NOISE)) {
            return without(
                    End.INCONCLUSIVE,
                    Double.isInfinite(noise)
                            ? "too few identical trials ended to determine the noise"
                            : "the cost of identical trials differed by more than half: no difference exceeds that noise");
        }
        if (isAlone) {
            return new SearchEnd(End.RECOMMENDED, "", run.best(), false, run);
        }
        Candidate cheaper = run.cheaper();
        Candidate taken = cheaper == null ? simpler(run.best(), run.next()) : cheaper;
        return new SearchEnd(End.RECOMMENDED, "", taken, cheaper == null, run);
    }

    /** {@return the compared setting; null when no other kept the limit in a short trial} */
    Candidate other() {
        return taken.equals(run.best()) ? run.next() : run.best();
    }

    /**
     * Returns the simpler of two settings with equal costs: the one with more guarantees, then the one with fewer values that are not
     * defaults.
     */
    private static Candidate simpler(Candidate one, Candidate other) {
        int more = other.transport().provider().guarantees().size()
                - one.transport().provider().guarantees().size();
        return more > 0 || more == 0 && other.deviations() < one.deviations() ? other : one;
    }
}
