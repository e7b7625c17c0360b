package dev.baton.measuring.statistics;

/**
 * The risk of taking a machine for a change of the build, when each start of a JVM on it runs at one of two speeds by
 * chance. With a share p of slow starts, all m trials before are fast and all n after are slow in (1-p)^m p^n of the runs;
 * the worst p is n/(m+n). Each side then scatters little, so no estimate of the noise can see it: only more trials can. (On
 * one virtual machine the p50 of a transit was 265 to 300 ns in most starts and 700 to 930 ns in some.) Stateless,
 * thread-safe.
 */
public final class TwoSpeeds {
    private TwoSpeeds() {}

    /** Of one check, however many starts are slow. */
    public static double risk(int before, int after) {
        double slow = after / (double) (before + after);
        return Math.pow(1 - slow, before) * Math.pow(slow, after);
    }

    /** Trials after that keep the risk of all checks within a bound. @return more than {@code most} when none do */
    public static int trialsNeeded(int before, int checks, double bound, int most) {
        int after = 1;
        while (after <= most && checks * risk(before, after) > bound) {
            after++;
        }
        return after;
    }
}
