package dev.baton.measuring;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * The responses of one instance, small enough for thousands of them: two digits, microseconds, about 10 KB, of which a
 * quiet instance touches two or three cache lines. Values are rounded up to the next microsecond, so that a limit is
 * never kept by rounding. Confined to the receiver's thread, and to its reader after that has ended.
 */
public final class InstanceHistogram {
    private static final int DIGITS = 2;
    private static final long NANOS = 1000;

    private final long highestMicros;
    private final IntCountsHistogram histogram;
    private Histogram full; // what was moved from there; null: nothing yet

    /** @param highestNanos what lies beyond is recorded as this */
    public InstanceHistogram(long highestNanos) {
        highestMicros = Math.max(2, (highestNanos + NANOS - 1) / NANOS);
        histogram = new IntCountsHistogram(highestMicros, DIGITS);
    }

    /** An empty one of the same range. */
    public InstanceHistogram another() {
        return new InstanceHistogram(highestMicros * NANOS);
    }

    public void record(long nanos) {
        long micros = micros(nanos);
        try {
            histogram.recordValue(micros);
        } catch (IllegalStateException overflow) { // costs nothing until it happens
            move();
            histogram.recordValue(micros);
        }
    }

    private void move() {
        if (full == null) {
            full = new Histogram(highestMicros, DIGITS);
        }
        full.add(histogram);
        histogram.reset();
    }

    private AbstractHistogram all() {
        if (full == null) {
            return histogram;
        }
        Histogram sum = full.copy();
        sum.add(histogram);
        return sum;
    }

    /** Records the same so many times; for tests of what hours of messages come to. */
    void record(long nanos, int times) {
        histogram.recordValueWithCount(micros(nanos), times);
    }

    private long micros(long nanos) {
        return Math.min(highestMicros, (Math.max(0, nanos) + NANOS - 1) / NANOS);
    }

    public long count() {
        return all().getTotalCount();
    }

    /** The value that a percentage of the responses do not exceed, in nanoseconds. */
    public long percentileNanos(double percentile) {
        return all().getValueAtPercentile(percentile) * NANOS;
    }

    public long maxNanos() {
        return all().getMaxValue() * NANOS;
    }

    /** Bytes of heap, estimated. */
    public int footprintBytes() {
        return histogram.getEstimatedFootprintInBytes() + (full == null ? 0 : full.getEstimatedFootprintInBytes());
    }
}
