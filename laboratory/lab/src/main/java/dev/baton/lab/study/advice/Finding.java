package dev.baton.lab.study.advice;

import dev.baton.operations.line.ExitCode;

/**
 * How a search ended. Immutable, thread-safe.
 *
 * @param why one sentence; empty for a recommendation
 * @param taken what is recommended; null without a recommendation
 * @param isTie whether it could not be told apart from what it was compared with
 * @param run the trials that a recommendation rests on; null without one
 */
record Finding(End end, String why, Setting taken, boolean isTie, Confirmation run) {
    enum End {
        RECOMMENDED(ExitCode.OK),
        /** Nothing that was measured keeps the limit. */
        NONE(ExitCode.FAILED),
        INCONCLUSIVE(ExitCode.INCONCLUSIVE),
        INTERRUPTED(ExitCode.INTERRUPTED);

        final int code;

        End(int code) {
            this.code = code;
        }
    }

    static Finding without(End end, String why) {
        return new Finding(end, why, null, false, null);
    }

    /** What a comparison says whose best setting never broke the limit. */
    static Finding of(Confirmation run) {
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
                            ? "too few identical trials ended to tell what is chance"
                            : "the cost of identical trials differed by more than half: nothing can be told apart here");
        }
        if (isAlone) {
            return new Finding(End.RECOMMENDED, "", run.best(), false, run);
        }
        Setting cheaper = run.cheaper();
        Setting taken = cheaper == null ? simpler(run.best(), run.next()) : cheaper;
        return new Finding(End.RECOMMENDED, "", taken, cheaper == null, run);
    }

    /** What it was compared with; null when nothing else kept the limit in a short trial. */
    Setting other() {
        return taken.equals(run.best()) ? run.next() : run.best();
    }

    /** Of two that cost the same the one that promises more; then the one with fewer values that are not defaults. */
    private static Setting simpler(Setting one, Setting other) {
        int more = other.transport().provider().guarantees().size()
                - one.transport().provider().guarantees().size();
        return more > 0 || more == 0 && other.deviations() < one.deviations() ? other : one;
    }
}
