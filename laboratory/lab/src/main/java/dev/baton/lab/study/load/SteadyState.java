package dev.baton.lab.study.load;

import dev.baton.lab.study.load.LoadFindings.Interval;
import java.util.List;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * The time at which a JVM reached its final speed, determined from the rates of its intervals.
 *
 * <p>The final rate is the median of the second half of the intervals with a first answer before them. Rates are smoothed: each is the
 * median of itself and the {@value #SMOOTHED} - 1 that follow it, so that a stall of two intervals does not end a steady state. The state
 * is steady from the first interval from which on every smoothed rate lies within {@value #BAND_PERCENT} % of the final one. If that is
 * only in the second half, from which the final rate is taken, there is no steady state.
 *
 * <p>Stateless, thread-safe.
 */
final class SteadyState {
    static final int SMOOTHED = 5;
    static final int BAND_PERCENT = 20;

    /** The least number of intervals for a decision. */
    static final int LEAST_INTERVALS = 4 * SMOOTHED;

    private SteadyState() {}

    static String rule(long intervalNanos) {
        return "reached when every further median of " + SMOOTHED + " intervals of " + intervalNanos / 1_000_000
                + " ms is within " + BAND_PERCENT + " % of the median of the second half";
    }

    /**
     * The end of the first interval of it, since the JVM's start: it began within that interval.
     *
     * @return null: not reached
     */
    static Long nanos(List<Interval> series) {
        int first = 0;
        while (first < series.size() && series.get(first).answers() == 0) {
            first++;
        }
        int count = series.size() - first;
        if (count < LEAST_INTERVALS) {
            return null;
        }
        double[] rates = new double[count];
        for (int i = 0; i < count; i++) {
            rates[i] = rate(series, first + i);
        }
        double last = median(rates, count / 2, count);
        int steady = count - SMOOTHED + 1;
        while (steady > 0 && isNear(median(rates, steady - 1, steady - 1 + SMOOTHED), last)) {
            steady--;
        }
        return steady >= count / 2
                ? null
                : Long.valueOf(series.get(first + steady).endNanos());
    }

    private static boolean isNear(double rate, double last) {
        return Math.abs(rate - last) * 100 <= BAND_PERCENT * last;
    }

    private static double rate(List<Interval> series, int index) {
        long nanos = series.get(index).endNanos()
                - (index == 0 ? 0 : series.get(index - 1).endNanos());
        return nanos <= 0 ? 0 : series.get(index).answers() / (double) nanos;
    }

    private static double median(double[] rates, int from, int to) {
        return new Median().evaluate(rates, from, to - from);
    }
}
