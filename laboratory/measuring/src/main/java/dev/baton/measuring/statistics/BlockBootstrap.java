package dev.baton.measuring.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.apache.commons.math3.stat.descriptive.moment.Variance;

/**
 * The scatter of a percentile of one trial if the trial were repeated under the same conditions. Its seconds are drawn again, with
 * replacement, until there are as many as before, in blocks of {@value #BLOCK} consecutive ones, because a disturbance of one second often
 * affects the next; and so {@value #DRAWS} times. (The moving block bootstrap, Kuensch 1989.) It does not include differences between
 * starts of a JVM. Confined to one thread.
 */
public final class BlockBootstrap {
    static final int DRAWS = 200;

    /** The number of seconds in a block: collections and stalls of the host lasted up to some seconds with the queues that they caused. */
    static final int BLOCK = 5;

    private final long[] values; // rising
    private final int[][] indexes; // of each second, into the values
    private final long[][] counts; // of each second, parallel to its indexes
    private final long[] drawn;

    public BlockBootstrap(List<Histogram> seconds) {
        TreeSet<Long> all = new TreeSet<>();
        for (Histogram second : seconds) {
            for (HistogramIterationValue each : second.recordedValues()) {
                all.add(each.getValueIteratedTo());
            }
        }
        values = all.stream().mapToLong(Long::longValue).toArray();
        indexes = new int[seconds.size()][];
        counts = new long[seconds.size()][];
        for (int i = 0; i < seconds.size(); i++) {
            fill(i, seconds.get(i));
        }
        drawn = new long[values.length];
    }

    private void fill(int second, Histogram histogram) {
        int size = 0;
        int[] index = new int[values.length];
        long[] count = new long[values.length];
        for (HistogramIterationValue each : histogram.recordedValues()) {
            index[size] = Arrays.binarySearch(values, each.getValueIteratedTo());
            count[size++] = each.getCountAtValueIteratedTo();
        }
        indexes[second] = Arrays.copyOf(index, size);
        counts[second] = Arrays.copyOf(count, size);
    }

    /** Variances of the percentiles' logarithms. @return NaN each for fewer seconds than two blocks have */
    public double[] logVariances(double[] percentiles, long seed) {
        double[] variances = new double[percentiles.length];
        int seconds = indexes.length;
        if (seconds < 2 * BLOCK) {
            Arrays.fill(variances, Double.NaN);
            return variances;
        }
        double[][] logs = new double[percentiles.length][DRAWS];
        Random random = new Random(seed);
        for (int draw = 0; draw < DRAWS; draw++) {
            long total = draw(random, seconds);
            for (int i = 0; i < percentiles.length; i++) {
                logs[i][draw] = Math.log(Math.max(1, at(percentiles[i], total)));
            }
        }
        for (int i = 0; i < percentiles.length; i++) {
            variances[i] = new Variance().evaluate(logs[i]);
        }
        return variances;
    }

    private long draw(Random random, int seconds) {
        Arrays.fill(drawn, 0);
        long total = 0;
        for (int taken = 0; taken < seconds; taken += BLOCK) {
            int first = random.nextInt(seconds - BLOCK + 1);
            for (int second = first; second < first + Math.min(BLOCK, seconds - taken); second++) {
                for (int i = 0; i < indexes[second].length; i++) {
                    drawn[indexes[second][i]] += counts[second][i];
                    total += counts[second][i];
                }
            }
        }
        return total;
    }

    private long at(double percentile, long total) {
        long rank = Math.max(1, (long) Math.ceil(percentile / 100 * total - 1e-6));
        long seen = 0;
        for (int i = 0; i < values.length; i++) {
            seen += drawn[i];
            if (seen >= rank) {
                return values[i];
            }
        }
        return values.length == 0 ? 0 : values[values.length - 1];
    }
}
