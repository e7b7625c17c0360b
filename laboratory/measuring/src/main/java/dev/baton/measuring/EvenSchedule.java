package dev.baton.measuring;

/**
 * A schedule with slot k at {@code start + k * interval}, each rounded separately, so that errors do not add up. Immutable, thread-safe.
 */
public final class EvenSchedule implements Schedule {
    private final long startNanos;
    private final double intervalNanos;

    /**
     * Creates a schedule.
     *
     * @param intervalNanos 2 or more, so that no two slots coincide
     */
    public EvenSchedule(long startNanos, double intervalNanos) {
        if (!(intervalNanos >= 2)) {
            throw new IllegalArgumentException("interval of " + intervalNanos + " ns; 2 ns or more is allowed");
        }
        this.startNanos = startNanos;
        this.intervalNanos = intervalNanos;
    }

    @Override
    public long slotNanos(long number) {
        return startNanos + (long) (number * intervalNanos);
    }

    @Override
    public long slotsBefore(long nanos) {
        if (nanos - startNanos <= 0) {
            return 0;
        }
        long number = Math.max(0, (long) ((nanos - startNanos) / intervalNanos) - 1);
        while (slotNanos(number) - nanos < 0) {
            number++;
        }
        return number;
    }
}
