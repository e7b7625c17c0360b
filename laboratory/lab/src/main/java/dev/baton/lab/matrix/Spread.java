package dev.baton.lab.matrix;

import java.util.Collection;
import java.util.function.DoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A few repeated measurements of one figure: their median and their whole range. Immutable, thread-safe.
 *
 * @param count how many, 1 or more
 */
public record Spread(int count, double median, double least, double most) {
    /** Returns the spread of these values; null for none. For an even number the median is the mean of the two in the middle. */
    public static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            return null;
        }
        double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
        return new Spread(all.length, StatUtils.percentile(all, 50), StatUtils.min(all), StatUtils.max(all));
    }

    /** {@return the range as a share of the median; 0 when that is 0} */
    public double share() {
        return median == 0 ? 0 : (most - least) / Math.abs(median);
    }

    /** The median and, of several, the whole range: {@code 3 us [2 us .. 4 us]}. */
    public String text(DoubleFunction<String> value) {
        return value.apply(median) + (count == 1 ? "" : " [" + range(value) + "]");
    }

    /** The whole range of several: {@code 2 us .. 4 us}; empty of one. */
    public String range(DoubleFunction<String> value) {
        return count == 1 ? "" : value.apply(least) + " .. " + value.apply(most);
    }

    private boolean overlaps(Spread other) {
        return least <= other.most && other.least <= most;
    }

    /**
     * {@return whether two medians differ by more than identical trials, and no value of one lies within the range of the other}
     *
     * @param noise difference of identical trials, as a share
     */
    public boolean differsFrom(Spread other, double noise) {
        double larger = Math.max(Math.abs(median), Math.abs(other.median));
        return !overlaps(other) && Math.abs(median - other.median) > noise * larger;
    }
}
