package dev.baton.measuring;

import java.util.Arrays;

/**
 * A Poisson process: gaps drawn independently from an exponential distribution, from only a seed and the slot's number.
 *
 * <p>The time of every {@value #STRIDE}th slot is kept, so that any slot is found in at most that many steps, and the last requested one,
 * so that the next takes one step. Allocates only when the kept times outgrow their array, which then doubles. Confined to one thread.
 */
public final class PoissonSchedule implements Schedule {
    private static final int STRIDE = 1024;

    private final double intervalNanos;
    private final long seed;
    private long[] marks = new long[64]; // times of slots 0, STRIDE, 2 * STRIDE ...
    private int marked = 1;
    private long number;
    private long slotNanos;

    /**
     * Creates a schedule.
     *
     * @param intervalNanos the mean gap; 2 or more
     */
    public PoissonSchedule(long startNanos, double intervalNanos, long seed) {
        if (!(intervalNanos >= 2)) {
            throw new IllegalArgumentException("interval of " + intervalNanos + " ns; 2 ns or more is allowed");
        }
        this.intervalNanos = intervalNanos;
        this.seed = seed;
        slotNanos = startNanos + gap(0);
        marks[0] = slotNanos;
    }

    @Override
    public long slotNanos(long wanted) {
        if (wanted != number) {
            if (wanted < number || wanted - number > STRIDE) {
                rewindTo(Math.min(wanted / STRIDE, marked - 1));
            }
            while (number < wanted) {
                step();
            }
        }
        return slotNanos;
    }

    @Override
    public long slotsBefore(long nanos) {
        if (nanos - marks[0] <= 0) {
            return 0;
        }
        if (nanos - slotNanos < 0) {
            int found = Arrays.binarySearch(marks, 0, marked, nanos);
            rewindTo(found >= 0 ? found : -found - 2);
        }
        while (slotNanos - nanos < 0) {
            step();
        }
        return number;
    }

    private void rewindTo(long mark) {
        number = mark * STRIDE;
        slotNanos = marks[(int) mark];
    }

    private void step() {
        number++;
        slotNanos += gap(number);
        if (number == (long) marked * STRIDE) {
            if (marked == marks.length) {
                marks = Arrays.copyOf(marks, 2 * marked);
            }
            marks[marked++] = slotNanos;
        }
    }

    private long gap(long slot) {
        return Math.max(1, Math.round(Mix.exponential(seed, slot) * intervalNanos));
    }
}
