package dev.baton.lab.study.window;

/**
 * The amount that each event adds to the total of its key, in preallocated arrays: the source computes the expected totals with it, and
 * {@link PrimitiveState} counts with it. Confined to one thread.
 */
final class Amounts {
    /** The bytes of a time integral for each key: the time of its last event, and that event's value. */
    static final int INTEGRAL_BYTES = Long.BYTES + Integer.BYTES;

    private final WindowStudy.Aggregate aggregate;
    private final long[] lastNanos; // of a time integral, like the next one
    private final int[] lastValues; // 0 before a key's first event, which so adds nothing

    Amounts(WindowStudy.Aggregate aggregate, int keys) {
        this.aggregate = aggregate;
        boolean isIntegral = aggregate == WindowStudy.Aggregate.TIME_INTEGRAL;
        lastNanos = new long[isIntegral ? keys : 0];
        lastValues = new int[isIntegral ? keys : 0];
    }

    /** Returns the amount of the next event, in the order of their slots. */
    long of(int key, int value, long slotNanos) {
        return switch (aggregate) {
            case COUNT -> 1;
            case SUM -> value;
            case TIME_INTEGRAL -> stretch(key, value, slotNanos);
        };
    }

    private long stretch(int key, int value, long slotNanos) {
        long amount = lastValues[key] * (slotNanos - lastNanos[key]);
        lastNanos[key] = slotNanos;
        lastValues[key] = value;
        return amount;
    }
}
