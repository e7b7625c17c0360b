package dev.baton.lab.study.load;

import dev.baton.lab.study.load.LoadFindings.Bar;
import dev.baton.measuring.data.Percentile;
import dev.baton.measuring.statistics.Percentiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Service times as load generators print them: at round percentiles, and as bars. Stateless, thread-safe. */
final class Distribution {
    static final double[] SHARES = {10, 25, 50, 75, 90, 95, 99};
    private static final int BARS = 12;

    private Distribution() {}

    /** Returns a percentile for each share; empty when nothing was recorded. */
    static List<Percentile> shares(Histogram histogram, long windowNanos) {
        long count = histogram.getTotalCount();
        double rate = windowNanos == 0 ? count : count * 1e9 / windowNanos;
        return Arrays.stream(count == 0 ? new double[0] : SHARES)
                .mapToObj(share -> Percentiles.of(share, histogram.getValueAtPercentile(share), count, rate))
                .toList();
    }

    /**
     * Bars whose bounds grow by the same factor, from the fastest to the slowest: with bounds at equal distances the
     * slowest request would leave one bar with nearly everything in it. Every request is in one bar.
     */
    static List<Bar> bars(Histogram histogram) {
        List<Bar> bars = new ArrayList<>();
        if (histogram.getTotalCount() == 0) {
            return bars;
        }
        double least = Math.max(1, histogram.getMinValue());
        double factor = Math.pow(Math.max(least, histogram.getMaxValue()) / least, 1.0 / BARS);
        long from = 0;
        long counted = 0;
        for (int i = 1; i <= BARS; i++) {
            boolean isLast = i == BARS;
            long to = isLast ? histogram.getMaxValue() : (long) (least * Math.pow(factor, i));
            to = histogram.highestEquivalentValue(to); // a bound within a step of the histogram would count it twice
            if (to < from) {
                continue; // all requests took about as long
            }
            long until = isLast ? histogram.getTotalCount() : histogram.getCountBetweenValues(0, to);
            bars.add(new Bar(from == 0 ? histogram.getMinValue() : from, to, until - counted));
            counted = until;
            from = to + 1;
        }
        return bars;
    }
}
