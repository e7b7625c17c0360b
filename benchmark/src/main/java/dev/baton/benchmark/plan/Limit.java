package dev.baton.benchmark.plan;

import java.util.Locale;

/**
 * A bound that every instance must keep on its own histogram of response times.
 *
 * @param percentile above 0, at most 100; 100 bounds the maximum
 * @param nanos the percentile must lie below
 */
public record Limit(double percentile, long nanos) {
    public Limit {
        if (!(percentile > 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile " + percentile + " is out of range; above 0, at most 100");
        }
        Range.check("limit, in ns,", nanos, 1, Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        String digits = String.format(Locale.ROOT, "%.6f", percentile).replaceAll("\\.?0+$", "");
        return "p" + digits + "<" + nanos / 1000.0 + "us";
    }
}
