package dev.baton.run;

import java.time.Duration;
import java.util.Objects;

/**
 * Saturates durations that callers give, so that they fit into nanoseconds: the one place that knows how long "for ever"
 * is. Stateless, thread-safe.
 */
public final class Limits {
    /** 73 years: a time that ends then can still be compared with a clock that began anywhere. */
    private static final long FOREVER_NANOS = 1L << 61;

    private static final Duration FOREVER = Duration.ofNanos(FOREVER_NANOS);

    private Limits() {}

    /**
     * {@return the nanoseconds of a limit; what is negative is zero, what is longer than 73 years is 73 years}
     *
     * @param what the limit's name, for the exception when it is null
     * @param limit of any length
     */
    public static long nanos(String what, Duration limit) {
        return capped(what, limit).toNanos();
    }

    /**
     * {@return a limit as a duration; what is negative is zero, what is longer than 73 years is 73 years}
     *
     * @param what the limit's name, for the exception when it is null
     * @param limit of any length
     */
    public static Duration capped(String what, Duration limit) {
        Objects.requireNonNull(limit, what);
        if (limit.isNegative()) {
            return Duration.ZERO;
        }
        return limit.compareTo(FOREVER) > 0 ? FOREVER : limit;
    }
}
