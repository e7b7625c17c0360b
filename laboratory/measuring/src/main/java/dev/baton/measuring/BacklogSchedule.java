package dev.baton.measuring;

/**
 * An even schedule with messages that are due at once at one moment, each one nanosecond after the one before it, so that no two share a
 * slot; the even slots from then on follow that much later. Immutable, thread-safe.
 */
public final class BacklogSchedule implements Schedule {
    private final EvenSchedule even;
    private final long atNanos;
    private final int size;
    private final long before; // even slots before the moment

    /**
     * Creates a schedule.
     *
     * @param atNanos moment of the backlog
     * @param size messages of the backlog
     */
    public BacklogSchedule(EvenSchedule even, long atNanos, int size) {
        this.even = even;
        this.atNanos = atNanos;
        this.size = size;
        before = even.slotsBefore(atNanos);
    }

    @Override
    public long slotNanos(long number) {
        if (number < before) {
            return even.slotNanos(number);
        }
        long ofBacklog = number - before;
        return ofBacklog < size ? atNanos + ofBacklog : even.slotNanos(number - size) + size;
    }

    @Override
    public long slotsBefore(long nanos) {
        if (nanos - atNanos <= 0) {
            return even.slotsBefore(nanos);
        }
        long since = nanos - atNanos;
        return since <= size ? before + since : Math.max(before, even.slotsBefore(nanos - size)) + size;
    }
}
