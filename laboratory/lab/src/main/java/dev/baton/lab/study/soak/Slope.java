package dev.baton.lab.study.soak;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.math3.special.Erf;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The growth of a series, with its significance.
 *
 * <p>The growth is the Theil-Sen estimate: the median of the slopes of all pairs of points, which arbitrary values of a quarter of the
 * points hardly change. The significance is Mann and Kendall's test: the number of rising pairs less that of falling ones, compared with
 * the variance of a series in random order, with ties counted.
 *
 * <p>Counts of a process without a trend are not in random order either: a high value is often followed by another. The variance is
 * therefore multiplied by {@code (1 + r) / (1 - r)}, where r is the part of a deviation from the slope that remains at the next point
 * (Hamed and Rao, Yue and Wang), if that is more than chance. r is {@value #MOST_MEMORY} at most, as a growth that is not quite straight
 * would otherwise hide itself. Immutable, thread-safe.
 *
 * @param perPoint growth from a point to the next one
 * @param chance that a series without a trend rises as steadily: one-sided, from 0 to 1
 */
record Slope(double perPoint, double chance) {
    private static final double MOST_MEMORY = 0.6;

    /** One-sided, 5 %: a correlation of random points is rarely larger than this over the root of their number. */
    private static final double CHANCE_MEMORY = 1.645;

    private static final int LEAST_POINTS = 4;

    /** Computes the slope of values at even distances. */
    static Slope of(double[] values) {
        int count = values.length;
        if (count < LEAST_POINTS) {
            return new Slope(0, 1);
        }
        double[] slopes = new double[count * (count - 1) / 2];
        long rises = 0;
        int at = 0;
        for (int i = 0; i < count; i++) {
            for (int j = i + 1; j < count; j++) {
                double difference = values[j] - values[i];
                slopes[at++] = difference / (j - i);
                rises += (long) Math.signum(difference);
            }
        }
        double perPoint = median(slopes);
        double variance = variance(values) * memory(values, perPoint);
        if (rises <= 0 || variance <= 0) {
            return new Slope(perPoint, 1);
        }
        return new Slope(perPoint, upperTail((rises - 1) / Math.sqrt(variance)));
    }

    /** Returns the variance of the number of rises less falls, in random order; equal values are neither. */
    private static double variance(double[] values) {
        Map<Double, Long> ties = Arrays.stream(values)
                .boxed()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        double tied = ties.values().stream().mapToDouble(Slope::pairs).sum();
        return (pairs(values.length) - tied) / 18;
    }

    private static double pairs(double count) {
        return count * (count - 1) * (2 * count + 5);
    }

    /** Returns the factor of the variance. */
    private static double memory(double[] values, double perPoint) {
        double[] rest = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            rest[i] = values[i] - perPoint * i;
        }
        double mean = StatUtils.mean(rest);
        double product = 0;
        double square = 0;
        for (int i = 0; i < rest.length; i++) {
            square += (rest[i] - mean) * (rest[i] - mean);
            if (i > 0) {
                product += (rest[i] - mean) * (rest[i - 1] - mean);
            }
        }
        double kept = square == 0 ? 0 : product / square;
        if (kept < CHANCE_MEMORY / Math.sqrt(rest.length)) {
            return 1;
        }
        double counted = Math.min(kept, MOST_MEMORY);
        return (1 + counted) / (1 - counted);
    }

    static double median(double[] values) {
        return StatUtils.percentile(values, 50);
    }

    /** Returns the probability above z in the normal distribution. */
    static double upperTail(double z) {
        return Erf.erfc(z / Math.sqrt(2)) / 2;
    }
}
