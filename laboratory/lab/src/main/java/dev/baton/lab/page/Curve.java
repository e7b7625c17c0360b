package dev.baton.lab.page;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.HdrHistogram.AbstractHistogram;

/**
 * A histogram as values at percentiles that are the same for all trials: {@value #PER_DECADE} to each tenfold of
 * 1 / (1 - percentile), the usual ones among them. Stateless, thread-safe.
 */
final class Curve {
    private static final int PER_DECADE = 24;
    private static final int DECADES = 9;
    private static final double MEDIAN = 2;
    private static final List<Double> GRID = grid();

    private Curve() {}

    private static List<Double> grid() {
        TreeSet<Double> points = new TreeSet<>(List.of(MEDIAN));
        for (int i = 0; i <= PER_DECADE * DECADES; i++) {
            boolean isWhole = i % PER_DECADE == 0;
            double point = Math.pow(10, (double) i / PER_DECADE);
            points.add(isWhole ? Math.rint(point) : Math.round(point * 1e4) / 1e4);
        }
        return List.copyOf(points);
    }

    /** {@return the points of a curve, as 1 / (1 - percentile), in increasing order} */
    static List<Double> points() {
        return GRID;
    }

    /** A value for each point up to the first one that only the maximum lies above. */
    static List<Long> of(AbstractHistogram histogram) {
        List<Long> values = new ArrayList<>();
        long count = histogram.getTotalCount();
        for (double point : GRID) {
            if (count == 0) {
                break;
            }
            values.add(point >= count ? histogram.getMaxValue() : histogram.getValueAtPercentile(100 - 100 / point));
            if (point >= count) {
                break;
            }
        }
        return values;
    }
}
