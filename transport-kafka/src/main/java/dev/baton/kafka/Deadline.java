package dev.baton.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A time by which something that may block has to be over. Immutable, thread-safe. */
final class Deadline {
    private static final long PAUSE_NANOS = 1_000_000;

    private final Duration limit;
    private final long endNanos;

    private Deadline(Duration limit) {
        this.limit = limit;
        this.endNanos = System.nanoTime() + limit.toNanos();
    }

    static Deadline in(Duration limit) {
        return new Deadline(limit);
    }

    /** What it was when it was set. */
    Duration limit() {
        return limit;
    }

    /** What is left of it, from 0. */
    Duration left() {
        return Duration.ofNanos(leftNanos());
    }

    long leftNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    boolean isOver() {
        return leftNanos() == 0;
    }

    /** Waits about a millisecond before the next look at something that sends no news. */
    static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
