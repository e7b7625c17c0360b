package dev.baton;

import java.time.Duration;
import java.util.Objects;

/** Turns durations that callers give into nanoseconds: the one place that knows how long "for ever" is. Stateless. */
final class Limits {
    /** 73 years: a time that ends then can still be compared with a clock that began anywhere. */
    private static final long FOREVER_NANOS = 1L << 61;

    private static final Duration FOREVER = Duration.ofNanos(FOREVER_NANOS);

    private Limits() {}

    /**
     * Nanoseconds of a limit; what is negative is zero, what is longer than 73 years is 73 years.
     *
     * @param what the limit's name, for when it is null
     */
    static long nanos(String what, Duration limit) {
        return capped(what, limit).toNanos();
    }

    /** The same as a duration. */
    static Duration capped(String what, Duration limit) {
        Objects.requireNonNull(limit, what);
        if (limit.isNegative()) {
            return Duration.ZERO;
        }
        return limit.compareTo(FOREVER) > 0 ? FOREVER : limit;
    }
}
