package dev.baton.measuring;

import java.util.List;

/**
 * The responses of one instance, small enough for thousands of them: two digits, microseconds, about 10 KB, of which a quiet instance
 * touches two or three cache lines. Values are rounded up to the next microsecond, so that rounding never makes a response meet a limit.
 *
 * <p>The counts are those of an HdrHistogram of two digits, without its other state: the total, the extremes and the percentiles are
 * computed on request. With a thousand instances in turn, every cache line that a record touches has left the nearest cache. Confined to
 * the receiver's thread, and to its reader after that has ended.
 */
public final class InstanceHistogram {
    private static final long NANOS = 1000;

    /** Counts of each power of two; below twice as many microseconds each value has a count of its own. */
    private static final int HALF_BITS = 7;

    private static final int EXACT = 2 << HALF_BITS;

    private final long highestMicros;
    private final int size; // counts of a phase
    private final int[] counts; // by phase
    private long[] moved; // from counts that were full; null: none yet

    /**
     * Creates a histogram.
     *
     * @param highestNanos greater values are recorded as this
     */
    public InstanceHistogram(long highestNanos) {
        highestMicros = Math.max(2, (highestNanos + NANOS - 1) / NANOS);
        size = indexOf(highestMicros) + 1;
        counts = new int[2 * size];
    }

    /**
     * Returns the responses of the measurement that several have recorded, of the same highest value; the only one itself.
     *
     * @param all one or more
     */
    public static InstanceHistogram sum(List<InstanceHistogram> all) {
        InstanceHistogram first = all.get(0);
        if (all.size() == 1) {
            return first;
        }
        InstanceHistogram sum = new InstanceHistogram(first.highestMicros * NANOS);
        sum.moved = new long[sum.counts.length];
        for (InstanceHistogram each : all) {
            for (int index = 0; index < sum.size; index++) {
                sum.moved[index] += each.countAt(index);
            }
        }
        return sum;
    }

    /** Records a response of the measurement. */
    public void record(long nanos) {
        record(RecorderPool.MEASURED, nanos);
    }

    /**
     * Records a response. Values of the warm-up are never read, see {@link RecorderPool}.
     *
     * @param phase {@link RecorderPool#MEASURED} or {@link RecorderPool#WARM_UP}
     */
    public void record(int phase, long nanos) {
        long micros = Math.min(highestMicros, (Math.max(0, nanos) + NANOS - 1) / NANOS);
        int index = phase * size + indexOf(micros);
        if (++counts[index] < 0) {
            move(index);
        }
    }

    /** Moves the largest integer, and one more, out of a count. */
    private void move(int index) {
        counts[index] = 0;
        if (moved == null) {
            moved = new long[counts.length];
        }
        moved[index] += 1L << Integer.SIZE - 1;
    }

    private static int indexOf(long micros) {
        int shift = Long.SIZE - HALF_BITS - 1 - Long.numberOfLeadingZeros(micros | EXACT - 1);
        return (shift << HALF_BITS) + (int) (micros >>> shift);
    }

    private static long largestAt(int index) {
        int next = index + 1;
        int shift = Math.max(0, (next >>> HALF_BITS) - 1);
        return ((long) (next - (shift << HALF_BITS)) << shift) - 1;
    }

    private long countAt(int index) {
        return moved == null ? counts[index] : counts[index] + moved[index];
    }

    /** Records a value this often; for tests with the counts of hours. */
    void put(long nanos, int count) {
        counts[indexOf(nanos / NANOS)] = count;
    }

    /** Responses of the measurement. */
    public long count() {
        long sum = 0;
        for (int index = 0; index < size; index++) {
            sum += countAt(index);
        }
        return sum;
    }

    /**
     * The value that a percentage of the responses do not exceed, in nanoseconds, as HdrHistogram has it; 0 when there are
     * none.
     *
     * @param percentile above 0, up to 100
     */
    public long percentileNanos(double percentile) {
        long within = Math.max(1, (long) Math.ceil(Math.nextDown(percentile) * count() / 100));
        long seen = 0;
        for (int index = 0; index < size; index++) {
            seen += countAt(index);
            if (seen >= within) {
                return largestAt(index) * NANOS;
            }
        }
        return 0;
    }

    /** The slowest response, in nanoseconds; 0 when there are none. */
    public long maxNanos() {
        int index = size - 1;
        while (index >= 0 && countAt(index) == 0) {
            index--;
        }
        return index < 0 ? 0 : largestAt(index) * NANOS;
    }

    /** {@return bytes of heap for the measurement's counts} Those of the warm-up take as many. */
    public int footprintBytes() {
        return size * (moved == null ? Integer.BYTES : Integer.BYTES + Long.BYTES);
    }
}
