package dev.baton.lab.doctor;

import dev.baton.measuring.statistics.Percentiles;
import dev.baton.operations.terminal.Units;
import org.HdrHistogram.Histogram;

/** A distribution in a few figures. Immutable, thread-safe. @param count of samples */
record Quantiles(long count, long p50Nanos, long p90Nanos, long p99Nanos, long maxNanos) {
    static Quantiles of(Histogram samples) {
        return new Quantiles(
                samples.getTotalCount(),
                samples.getValueAtPercentile(50),
                samples.getValueAtPercentile(90),
                samples.getValueAtPercentile(99),
                samples.getMaxValue());
    }

    /** {@return whether there are enough samples above a percentile for a judgement} */
    boolean tells(double percentile) {
        return !Percentiles.hasFewSamples(percentile, count);
    }

    /** Percentiles with too few samples above them stand in parentheses. */
    String words() {
        return "p50 " + text(50, p50Nanos) + ", p90 " + text(90, p90Nanos) + ", p99 " + text(99, p99Nanos) + ", max "
                + Units.time(maxNanos);
    }

    private String text(double percentile, long nanos) {
        return tells(percentile) ? Units.time(nanos) : "(" + Units.time(nanos) + ")";
    }
}
