package dev.baton.measuring.statistics;

/**
 * The risk of mistaking the machine for a change of the build, when each start of a JVM on it runs at one of two speeds by chance. With a
 * share p of slow starts, all m trials before are fast and all n after are slow in (1-p)^m p^n of the runs; the worst p is n/(m+n). Each
 * side then scatters little, so no estimate of the noise detects it; only more trials do. (On one virtual machine the p50 of a transit was
 * 265 to 300 ns in most starts and 700 to 930 ns in some.)
 *
 * <p>A side may also have little scatter because its one trial of the other speed was set aside as an outlier. With k such trials, slow
 * ones before and fast ones after, the risk is that of at most k of them: each of the m + n trials is one with its own probability, p
 * before and 1-p after. Stateless, thread-safe.
 */
public final class TwoSpeeds {
    private static final int STEPS = 200;

    private TwoSpeeds() {}

    /** {@return the risk of one check, whatever the part of slow starts} */
    public static double risk(int before, int after) {
        double slow = after / (double) (before + after);
        return Math.pow(1 - slow, before) * Math.pow(slow, after);
    }

    /**
     * Returns the risk of one check, whatever the part of slow starts. @param contrary trials of the other speed that were set aside, 0 to
     * 2
     */
    public static double risk(int before, int after, int contrary) {
        if (contrary == 0) {
            return risk(before, after);
        }
        double worst = 0;
        for (int step = 1; step < STEPS; step++) {
            worst = Math.max(worst, risk(before, after, contrary, step / (double) STEPS));
        }
        return worst;
    }

    private static double risk(int before, int after, int contrary, double slow) {
        double risk = 0;
        for (int all = 0; all <= contrary; all++) {
            for (int slowBefore = 0; slowBefore <= all; slowBefore++) {
                risk += binomial(before, slowBefore, slow) * binomial(after, all - slowBefore, 1 - slow);
            }
        }
        return risk;
    }

    /** Returns the probability of at most this many of all trials, each with its own probability. */
    private static double binomial(int trials, int few, double each) {
        double probability = Math.pow(each, few) * Math.pow(1 - each, trials - few);
        for (int i = 0; i < few; i++) {
            probability *= (trials - i) / (i + 1.0);
        }
        return Math.max(0, probability);
    }

    /**
     * Returns the number of trials after a change that keeps the risk of all checks within a bound. @return more than {@code most} if none
     * does
     */
    public static int trialsNeeded(int before, int checks, int contrary, double bound, int most) {
        int after = 1;
        while (after <= most && checks * risk(before, after, contrary) > bound) {
            after++;
        }
        return after;
    }
}
