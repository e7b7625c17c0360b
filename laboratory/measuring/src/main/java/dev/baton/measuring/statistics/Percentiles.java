package dev.baton.measuring.statistics;

import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.AbstractHistogram;

/** The arithmetic of percentiles: the number of samples of an estimate, and the duration of a run for more. */
public final class Percentiles {
    /** A percentile with fewer samples above it is shown grey and is never part of a verdict. */
    public static final int ENOUGH_SAMPLES = 100;

    private static final double[] SHOWN = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};
    private static final double ROUNDING = 1e-6;

    private Percentiles() {}

    /**
     * A histogram in figures.
     *
     * @param histogram merged from all threads, in nanoseconds
     * @param windowNanos length of the measurement that filled it
     * @param ratePerSecond asked, all instances together; for a histogram that is still empty
     */
    public static Latency of(
            AbstractHistogram histogram, long clamped, long highestNanos, long windowNanos, double ratePerSecond) {
        return of(histogram, clamped, highestNanos, windowNanos, ratePerSecond, 0);
    }

    /** A histogram in figures. @param backlog values that a longer measurement would not multiply */
    public static Latency of(
            AbstractHistogram histogram,
            long clamped,
            long highestNanos,
            long windowNanos,
            double ratePerSecond,
            long backlog) {
        long count = histogram.getTotalCount();
        double rate = count <= backlog || windowNanos == 0 ? ratePerSecond : (count - backlog) * 1e9 / windowNanos;
        List<Percentile> percentiles = new ArrayList<>();
        for (double percentile : SHOWN) {
            percentiles.add(of(
                    percentile, count == 0 ? null : histogram.getValueAtPercentile(percentile), count, rate, backlog));
        }
        return new Latency(
                count,
                count == 0 ? null : histogram.getMinValue(),
                count == 0 ? null : histogram.getMean(),
                percentiles,
                count == 0 ? null : histogram.getMaxValue(),
                clamped,
                highestNanos);
    }

    /** Creates one entry from this number of values at this rate. */
    public static Percentile of(double percentile, Long nanos, long count, double ratePerSecond) {
        return of(percentile, nanos, count, ratePerSecond, 0);
    }

    private static Percentile of(double percentile, Long nanos, long count, double ratePerSecond, long backlog) {
        boolean hasFewSamples = hasFewSamples(percentile, count);
        return new Percentile(
                percentile,
                nanos,
                samplesAbove(percentile, count),
                hasFewSamples,
                hasFewSamples ? runForNanos(percentile, ratePerSecond, backlog) : 0);
    }

    /** Values of a rank above the percentile's, among {@code count}. */
    public static long samplesAbove(double percentile, long count) {
        return (long) Math.floor(count * (100 - percentile) / 100 + ROUNDING);
    }

    /** {@return whether too few samples lie above a percentile for a verdict} */
    public static boolean hasFewSamples(double percentile, long count) {
        return samplesAbove(percentile, count) < ENOUGH_SAMPLES;
    }

    /**
     * {@return the duration of a measurement at this rate with enough samples above the percentile; {@link Long#MAX_VALUE} for the maximum}
     */
    public static long runForNanos(double percentile, double ratePerSecond) {
        return runForNanos(percentile, ratePerSecond, 0);
    }

    private static long runForNanos(double percentile, double ratePerSecond, long backlog) {
        double samples = Math.ceil(ENOUGH_SAMPLES / (1 - percentile / 100) - ROUNDING);
        return (long) Math.ceil(Math.max(0, samples - backlog) / ratePerSecond * 1e9);
    }
}
