package dev.baton.measuring;

/**
 * Bursts at even intervals: the messages of burst b are due at {@code start + b * interval}, each one nanosecond after
 * the one before it, so that no two share a slot. Immutable, thread-safe.
 */
public final class BurstSchedule implements Schedule {
    private final EvenSchedule bursts;
    private final int size;

    /**
     * Creates a schedule of bursts of one size.
     *
     * @param intervalNanos between two bursts; at least twice as many nanoseconds as a burst has messages
     * @param size messages in each burst, 1 or more
     */
    public BurstSchedule(long startNanos, double intervalNanos, int size) {
        if (size < 1) {
            throw new IllegalArgumentException("bursts of " + size + " messages; 1 or more is allowed");
        }
        if (!(intervalNanos >= 2.0 * size)) {
            throw new IllegalArgumentException("interval of " + intervalNanos + " ns between bursts of " + size
                    + " messages; " + 2L * size + " ns or more is allowed");
        }
        bursts = new EvenSchedule(startNanos, intervalNanos);
        this.size = size;
    }

    @Override
    public long slotNanos(long number) {
        return bursts.slotNanos(number / size) + number % size;
    }

    @Override
    public long slotsBefore(long nanos) {
        long begun = bursts.slotsBefore(nanos);
        return begun == 0 ? 0 : (begun - 1) * size + Math.min(size, nanos - bursts.slotNanos(begun - 1));
    }
}
