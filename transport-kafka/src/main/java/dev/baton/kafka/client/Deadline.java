package dev.baton.kafka.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A time by which something that may block has to be over. Immutable, thread-safe. */
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

    /** What it was when it was set. */
    public Duration limit() {
        return limit;
    }

    /** What is left of it, from 0. */
    public Duration left() {
        return Duration.ofNanos(leftNanos());
    }

    public long leftNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    public boolean isOver() {
        return leftNanos() == 0;
    }

    /** Waits about a millisecond before the next look at something that sends no news. */
    public static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
