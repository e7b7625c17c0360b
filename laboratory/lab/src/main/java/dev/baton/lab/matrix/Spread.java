package dev.baton.lab.matrix;

import java.util.Arrays;
import java.util.Collection;

/**
 * A few repeated measurements of one figure: their median and their whole range. Immutable, thread-safe.
 *
 * @param count how many, 1 or more
 */
public record Spread(int count, double median, double least, double most) {
    /** Of these; null of none. Of an even number the median is the mean of the two in the middle. */
    public static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            return null;
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return new Spread(sorted.length, median, sorted[0], sorted[sorted.length - 1]);
    }

    /** How far apart the extremes are, as a share of the median; 0 when that is 0. */
    public double share() {
        return median == 0 ? 0 : (most - least) / Math.abs(median);
    }

    private boolean overlaps(Spread other) {
        return least <= other.most && other.least <= most;
    }

    /**
     * Whether two medians differ by more than identical trials do, and no measurement of one lies within the range of the
     * other.
     *
     * @param noise by how much identical trials differ, as a share
     */
    public boolean differsFrom(Spread other, double noise) {
        double larger = Math.max(Math.abs(median), Math.abs(other.median));
        return !overlaps(other) && Math.abs(median - other.median) > noise * larger;
    }
}
