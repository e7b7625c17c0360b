package dev.baton.measuring.statistics;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The test for one outlier among a few repetitions of a figure: Grubbs' (Grubbs, "Procedures for detecting outlying observations in
 * samples", Technometrics 11, 1969), in the form of the deleted residual. The value that is furthest from the mean of the others is one
 * when its distance, divided by {@code s * sqrt(1 + 1 / (n - 1))} with the others' standard deviation s, exceeds the quantile {@code 1 -
 * 0.01 / (2 n)} of Student's distribution with n - 2 degrees of freedom. Of normally distributed values one is found in 1 of 100 sets.
 *
 * <p>It finds one value, never more: two of five distant repetitions show that the figure is unsteady, and then the noise has to include
 * them. Stateless, thread-safe.
 */
public final class Outlier {
    /** The part of all sets of normally distributed values in which one is found. */
    private static final double CHANCE = 0.01;

    private static final int FEWEST = 3;

    private Outlier() {}

    /**
     * Returns the index of the outlier; -1 when there is none, as among fewer than {@value #FEWEST} values.
     *
     * @param leastVariance resolution of the values, such as that of a histogram's buckets
     */
    public static int indexIn(double[] values, double leastVariance) {
        int count = values.length;
        if (count < FEWEST) {
            return -1;
        }
        double mean = StatUtils.mean(values);
        int furthest = 0;
        for (int i = 1; i < count; i++) {
            if (Math.abs(values[i] - mean) > Math.abs(values[furthest] - mean)) {
                furthest = i;
            }
        }
        double[] others = without(values, furthest);
        double variance = Math.max(leastVariance, StatUtils.variance(others));
        double distance = Math.abs(values[furthest] - StatUtils.mean(others));
        double studentized = distance / Math.sqrt(variance * (1 + 1.0 / (count - 1)));
        // without a generator of random numbers: nothing is drawn
        double beyond = 1 - new TDistribution(null, count - 2).cumulativeProbability(studentized);
        return beyond < CHANCE / (2 * count) ? furthest : -1;
    }

    /** Returns the values without the one at an index; all of them for -1. */
    public static double[] without(double[] values, int index) {
        if (index < 0) {
            return values;
        }
        double[] left = new double[values.length - 1];
        System.arraycopy(values, 0, left, 0, index);
        System.arraycopy(values, index + 1, left, index, left.length - index);
        return left;
    }
}
