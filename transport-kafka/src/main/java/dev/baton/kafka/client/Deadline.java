package dev.baton.kafka.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The point in time at which an operation that blocks gives up. Immutable, thread-safe. */
public final class Deadline {
    private static final long PAUSE_NANOS = 1_000_000;

    private final Duration limit;
    private final long endNanos;

    private Deadline(Duration limit) {
        this.limit = limit;
        this.endNanos = System.nanoTime() + limit.toNanos();
    }

    public static Deadline in(Duration limit) {
        return new Deadline(limit);
    }

    /** Returns the duration with which the deadline was created. */
    public Duration limit() {
        return limit;
    }

    /** Returns the time that is left, 0 when the deadline has passed. */
    public Duration left() {
        return Duration.ofNanos(leftNanos());
    }

    public long leftNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    public boolean isOver() {
        return leftNanos() == 0;
    }

    /** Waits about a millisecond, between two polls of a condition. */
    public static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
