package dev.baton.measuring;

import java.util.Arrays;

/** Recorded times, repeated from the first when the last one is over. Immutable, thread-safe. */
public final class ReplaySchedule implements Schedule {
    private final long startNanos;
    private final long[] times;
    private final int first;

    /**
     * Creates a schedule.
     *
     * @param times of all messages after the begin of the record ({@link #times}); shared, and not changed any more
     * @param first place of the first message in the record
     */
    public ReplaySchedule(long startNanos, long[] times, int first) {
        this.startNanos = startNanos - (first == 0 ? 0 : times[first - 1]);
        this.times = times;
        this.first = first;
    }

    /**
     * Returns the times of recorded messages, each at least one nanosecond after the one before it.
     *
     * @param gapsNanos time from the message before to each message
     * @param speed by which the record is replayed faster
     */
    public static long[] times(long[] gapsNanos, double speed) {
        long[] times = new long[gapsNanos.length];
        long recorded = 0;
        long last = 0;
        for (int i = 0; i < times.length; i++) {
            recorded += gapsNanos[i];
            last = Math.max(last + 1, Math.round(recorded / speed));
            times[i] = last;
        }
        return times;
    }

    private long roundNanos() {
        return times[times.length - 1];
    }

    @Override
    public long slotNanos(long number) {
        long place = first + number;
        return startNanos + place / times.length * roundNanos() + times[(int) (place % times.length)];
    }

    @Override
    public long slotsBefore(long nanos) {
        long since = nanos - startNanos;
        if (since <= 0) {
            return 0;
        }
        long rounds = (since - 1) / roundNanos();
        int found = Arrays.binarySearch(times, since - rounds * roundNanos());
        return Math.max(0, rounds * times.length + (found < 0 ? -found - 1 : found) - first);
    }
}
