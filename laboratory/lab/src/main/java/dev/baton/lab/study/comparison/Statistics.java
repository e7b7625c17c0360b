package dev.baton.lab.study.comparison;

import dev.baton.lab.matrix.Spread;
import dev.baton.measuring.statistics.BlockBootstrap;
import dev.baton.measuring.statistics.Outlier;
import dev.baton.measuring.statistics.Percentiles;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The differences between two series of trials of one subject that exceed the noise.
 *
 * <p>The unit is the trial, because two starts of a JVM differ more than two seconds of one. Each figure of each subject has its own noise:
 * <ol>
 * <li>On each side one trial whose figure is an outlier among the others is set aside ({@link Outlier}: Grubbs 1969, on logarithms), so
 * that one bad trial does not hide the others. The report names it.
 * <li>The noise is the variance of the logarithm between the remaining trials, and at least the one that the block bootstrap finds within
 * them. A side with an outlier set aside is at least as noisy as the other side: on a machine whose JVMs start at one of two speeds, the
 * one trial of the other speed looks like an outlier.
 * <li>A difference of the means of the logarithms counts when it exceeds the {@value #CONFIDENCE} quantile of Student's distribution times
 * its standard error (Welch 1947: the sides may be differently noisy). A side without repetitions is assumed to be as noisy as the other;
 * if both have none, the result is unknown.
 * <li>The power is the difference that would have been found with a probability of {@value #POWER}: that quantile and the quantile {@value
 * #POWER}, together times the standard error (the minimal detectable difference, as in Zar, "Biostatistical Analysis", chapter 8).
 * </ol>
 * Immutable after construction, thread-safe.
 */
public final class Statistics {
    /** Two-sided 95 %. */
    static final double CONFIDENCE = 0.975;

    /** Probability of finding a difference that exists. */
    static final double POWER = 0.8;

    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 100};

    /** Variance of the logarithms of values that histograms of three digits round to a thousandth: uniform within a bucket. */
    private static final double ROUNDING_VARIANCE = 1e-6 / 12;

    private final Series before;
    private final Series after;

    public Statistics(List<Sample> before, List<Sample> after) {
        this.before = new Series(before);
        this.after = new Series(after);
    }

    /** The trials of one side, and the scatter of each percentile within them. */
    private static final class Series {
        private final List<Sample> samples;
        private final double[][] within; // by trial: the variance of each percentile; NaN where it is not known

        Series(List<Sample> samples) {
            this.samples = List.copyOf(samples);
            within = samples.stream()
                    .map(sample -> new BlockBootstrap(sample.seconds()).logVariances(PERCENTILES, 1))
                    .toArray(double[][]::new);
        }

        /** Returns the values of a percentile in the order of the trials that have it. */
        double[] values(double percentile) {
            return samples.stream()
                    .map(sample -> sample.result().response().nanosAt(percentile))
                    .filter(Objects::nonNull)
                    .mapToDouble(Long::doubleValue)
                    .toArray();
        }

        double varianceWithin(int percentile) {
            return Arrays.stream(within)
                    .mapToDouble(each -> each[percentile])
                    .filter(each -> !Double.isNaN(each))
                    .average()
                    .orElse(0);
        }
    }

    /** One percentile of one side: the trials that count, as logarithms. @param aside null for none */
    private record Figure(Spread spread, double[] logs, Double aside, double varianceWithin) {
        /** Returns null when no trial has the percentile. */
        static Figure of(Series series, int percentile) {
            double[] values = series.values(PERCENTILES[percentile]);
            if (values.length == 0) {
                return null;
            }
            double[] logs = Arrays.stream(values)
                    .map(value -> Math.log(Math.max(1, value)))
                    .toArray();
            double within = series.varianceWithin(percentile);
            int outlier = Outlier.indexIn(logs, Math.max(within, ROUNDING_VARIANCE));
            return new Figure(
                    Spread.of(Arrays.stream(values).boxed().toList()),
                    Outlier.without(logs, outlier),
                    outlier < 0 ? null : Double.valueOf(values[outlier]),
                    within);
        }

        double mean() {
            return StatUtils.mean(logs);
        }

        int freedom() {
            return logs.length - 1;
        }

        double variance() {
            return Math.max(StatUtils.variance(logs), varianceWithin);
        }
    }

    /** Returns one line for each percentile that both sides have, with a confidence of 95 %. */
    public List<Difference> differences() {
        return DoubleStream.of(PERCENTILES)
                .mapToObj(percentile -> difference(percentile, CONFIDENCE))
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
    Difference difference(double percentile, double quantile) {
        int i = Arrays.binarySearch(PERCENTILES, percentile);
        Figure one = Figure.of(before, i);
        Figure other = Figure.of(after, i);
        if (one == null || other == null) {
            return null;
        }
        double log = other.mean() - one.mean();
        double error = error(one, other);
        double margin = Double.POSITIVE_INFINITY;
        double seen = Double.POSITIVE_INFINITY;
        if (error == 0) {
            margin = 0;
            seen = 0;
        } else if (!Double.isInfinite(error)) {
            // without a generator of random numbers: nothing is drawn, and its seed takes longer than the quantile
            TDistribution student = new TDistribution(null, freedom(one, other));
            margin = student.inverseCumulativeProbability(quantile) * error;
            seen = margin + student.inverseCumulativeProbability(POWER) * error;
        }
        return new Difference(
                percentile,
                one.spread(),
                other.spread(),
                Math.expm1(log),
                Math.expm1(margin),
                Math.expm1(seen),
                word(log, margin),
                hasFewSamples(percentile),
                one.aside(),
                other.aside());
    }

    private static Difference.Word word(double log, double margin) {
        if (Double.isInfinite(margin)) {
            return Difference.Word.UNKNOWN;
        }
        if (Math.abs(log) <= margin) {
            return Difference.Word.SAME;
        }
        return log < 0 ? Difference.Word.FASTER : Difference.Word.SLOWER;
    }

    /** Returns the standard error of the difference of the means; infinite when neither side has repetitions. */
    private static double error(Figure one, Figure other) {
        return one.freedom() + other.freedom() == 0
                ? Double.POSITIVE_INFINITY
                : Math.sqrt(errorOf(one, other) + errorOf(other, one));
    }

    /** Returns the variance of a mean. */
    private static double errorOf(Figure figure, Figure against) {
        double variance = noisy(figure, against).variance();
        boolean isTrusted = figure.aside() == null || against.freedom() == 0;
        return (isTrusted ? variance : Math.max(variance, against.variance())) / figure.logs().length;
    }

    /** Returns the figure whose noise is used for this one. */
    private static Figure noisy(Figure figure, Figure against) {
        return figure.freedom() > 0 ? figure : against;
    }

    /** Returns Welch's degrees of freedom. */
    private static double freedom(Figure one, Figure other) {
        double errorOne = errorOf(one, other);
        double errorOther = errorOf(other, one);
        double both = errorOne + errorOther;
        return both
                * both
                / (errorOne * errorOne / noisy(one, other).freedom()
                        + errorOther * errorOther / noisy(other, one).freedom());
    }

    private boolean hasFewSamples(double percentile) {
        return percentile < 100
                && Stream.concat(before.samples.stream(), after.samples.stream())
                        .anyMatch(sample -> Percentiles.hasFewSamples(
                                percentile, sample.result().response().count()));
    }

    /** Returns the number of repetitions on which the noise is based: the trials of both sides less one of each. */
    public int repetitions() {
        return before.samples.size() + after.samples.size() - 2;
    }
}
