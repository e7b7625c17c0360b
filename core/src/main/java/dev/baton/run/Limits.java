package dev.baton.run;

import java.time.Duration;
import java.util.Objects;

/**
 * Limits durations that callers set, so that they fit into nanoseconds. The only place that defines how long "forever" is.
 * Stateless, thread-safe.
 */
public final class Limits {
    /** The longest duration, 73 years: such a deadline can still be compared with any value of the clock. */
    private static final long FOREVER_NANOS = 1L << 61;

    private static final Duration FOREVER = Duration.ofNanos(FOREVER_NANOS);

    private Limits() {}

    /**
     * {@return the nanoseconds of a limit; a negative limit is zero, a longer one than 73 years is 73 years}
     *
     * @param what the limit's name, for the exception when it is null
     * @param limit limit of any length
     */
    public static long nanos(String what, Duration limit) {
        return capped(what, limit).toNanos();
    }

    /**
     * {@return a limit as a duration; a negative limit is zero, a longer one than 73 years is 73 years}
     *
     * @param what the limit's name, for the exception when it is null
     * @param limit limit of any length
     */
    public static Duration capped(String what, Duration limit) {
        Objects.requireNonNull(limit, what);
        if (limit.isNegative()) {
            return Duration.ZERO;
        }
        return limit.compareTo(FOREVER) > 0 ? FOREVER : limit;
    }
}
