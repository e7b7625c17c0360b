package dev.baton.lab.study.comparison;

import dev.baton.lab.matrix.Spread;
import dev.baton.measuring.statistics.BlockBootstrap;
import dev.baton.measuring.statistics.Percentiles;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Which differences are more than noise.
 *
 * <p>The unit is the trial, because two starts of a JVM differ by more than two seconds of one do. A percentile's noise is
 * the variance of its logarithm between trials of the same thing, pooled over everything that a side repeated (a matrix'
 * A/A pair is such a repetition), and never less than what the block bootstrap finds within a trial. A difference of the
 * means of the logarithms is one when it exceeds the {@value #CONFIDENCE} quantile of Student's distribution times its
 * standard error (Welch 1947: the sides may be differently noisy). A side that repeated nothing is taken to be as noisy as
 * the other; where neither did, nothing can be said. Immutable after construction, thread-safe.
 */
public final class Statistics {
    /** Two-sided 95 %. */
    static final double CONFIDENCE = 0.975;

    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 100};

    private final Noise before;
    private final Noise after;

    /** The variances of one side, by percentile. */
    private static final class Noise {
        private final double[] between = new double[PERCENTILES.length];
        private final double[] within = new double[PERCENTILES.length];
        private int freedom;
        private int bootstrapped;

        Noise(ComparisonSide side) {
            side.series().values().forEach(this::add);
        }

        private void add(List<Sample> series) {
            freedom += series.size() - 1;
            for (int i = 0; i < PERCENTILES.length; i++) {
                double[] logs = logs(series, PERCENTILES[i]);
                double mean = mean(logs);
                for (double log : logs) {
                    between[i] += (log - mean) * (log - mean);
                }
            }
            series.stream().filter(sample -> !sample.seconds().isEmpty()).forEach(this::bootstrap);
        }

        private void bootstrap(Sample sample) {
            double[] variances = new BlockBootstrap(sample.seconds()).logVariances(PERCENTILES, 1);
            if (!Double.isNaN(variances[0])) {
                bootstrapped++;
                for (int i = 0; i < PERCENTILES.length; i++) {
                    within[i] += variances[i];
                }
            }
        }

        double variance(int i) {
            double ofSeconds = bootstrapped == 0 ? 0 : within[i] / bootstrapped;
            return Math.max(between[i] / freedom, ofSeconds);
        }
    }

    public Statistics(ComparisonSide before, ComparisonSide after) {
        this.before = new Noise(before);
        this.after = new Noise(after);
    }

    /** One line for each percentile that both sides have, with a confidence of 95 %. */
    public List<Difference> differences(List<Sample> before, List<Sample> after) {
        return DoubleStream.of(PERCENTILES)
                .mapToObj(percentile -> difference(percentile, before, after, CONFIDENCE))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Compares one percentile.
     *
     * @param percentile one of 50, 90, 99, 99.9, 99.99, and 100 for the maximum
     * @param quantile of Student's distribution that a difference has to exceed
     * @return null when one side does not have the percentile
     */
    Difference difference(double percentile, List<Sample> before, List<Sample> after, double quantile) {
        Spread first = Spread.of(values(before, percentile));
        Spread second = Spread.of(values(after, percentile));
        if (first == null || second == null) {
            return null;
        }
        int i = Arrays.binarySearch(PERCENTILES, percentile);
        double log = mean(logs(after, percentile)) - mean(logs(before, percentile));
        double margin = margin(i, before.size(), after.size(), quantile);
        Difference.Word word = Double.isInfinite(margin)
                ? Difference.Word.UNKNOWN
                : Math.abs(log) <= margin
                        ? Difference.Word.SAME
                        : log < 0 ? Difference.Word.FASTER : Difference.Word.SLOWER;
        boolean hasFewSamples = hasFewSamples(percentile, before, after);
        return new Difference(percentile, first, second, Math.expm1(log), Math.expm1(margin), word, hasFewSamples);
    }

    /** Half of the confidence interval of a difference of logarithms. */
    private double margin(int i, int countBefore, int countAfter, double quantile) {
        if (freedom() == 0) {
            return Double.POSITIVE_INFINITY;
        }
        Noise one = before.freedom > 0 ? before : after;
        Noise other = after.freedom > 0 ? after : before;
        double errorOne = one.variance(i) / countBefore;
        double errorOther = other.variance(i) / countAfter;
        double both = errorOne + errorOther;
        if (both == 0) {
            return 0;
        }
        double freedom = both * both / (errorOne * errorOne / one.freedom + errorOther * errorOther / other.freedom);
        // without a generator of random numbers: nothing is drawn, and its seed takes longer than the quantile
        return new TDistribution(null, freedom).inverseCumulativeProbability(quantile) * Math.sqrt(both);
    }

    private static boolean hasFewSamples(double percentile, List<Sample> before, List<Sample> after) {
        return percentile < 100
                && Stream.concat(before.stream(), after.stream())
                        .anyMatch(sample -> Percentiles.hasFewSamples(
                                percentile, sample.result().response().count()));
    }

    private static double[] logs(List<Sample> series, double percentile) {
        return values(series, percentile).stream()
                .mapToDouble(value -> Math.log(Math.max(1, value)))
                .toArray();
    }

    private static double mean(double[] logs) {
        return logs.length == 0 ? 0 : StatUtils.mean(logs);
    }

    private static Collection<Double> values(List<Sample> series, double percentile) {
        return series.stream()
                .map(sample -> sample.result().response().nanosAt(percentile))
                .filter(Objects::nonNull)
                .map(Long::doubleValue)
                .toList();
    }

    /** Repetitions that the noise was found from, less one for each thing repeated. */
    public int freedom() {
        return before.freedom + after.freedom;
    }
}
