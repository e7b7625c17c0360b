package dev.baton.run;

import java.time.Duration;

/**
 * The idle strategy of a loop: what it does after a sweep that found no work. Agrona calls it an {@code IdleStrategy}.
 *
 * <p>A strategy is a pure function of the number of consecutive idle sweeps, so any number of loops can share one.
 * Regardless of its result, a loop wakes for the next deadline of its tasks, and when a writer on another thread wakes it
 * for new messages. If all tasks of a loop are woken for their work, the loop waits for up to 100 ms when the result is a
 * wait, and after 50 us or more the next spin ends with four sweeps: messages are too far apart for it. A loop with 16 chains or more ends
 * a spin 200 us after its last work. Neither holds for a strategy that always spins. Immutable, thread-safe.
 */
@FunctionalInterface
public interface Idle {
    /** A result of {@link #pauseNanos}: sweep again at once, with a spin hint to the processor. */
    long SPIN = 0;

    /** A result of {@link #pauseNanos}: yield the core to other threads, then sweep again. */
    long YIELD = -1;

    /**
     * Returns how the loop waits before its next sweep.
     *
     * @param idleSweeps number of consecutive sweeps without work so far, 1 to {@link Integer#MAX_VALUE}
     * @return {@link #SPIN}, {@link #YIELD}, or the maximum number of nanoseconds to wait for new messages
     */
    long pauseNanos(int idleSweeps);

    /** {@return a strategy that never releases the core: the shortest reaction time, at the cost of one core per loop} */
    static Idle spin() {
        return idleSweeps -> SPIN;
    }

    /**
     * {@return a strategy that lets other threads run between sweeps; it keeps the core busy if there are none}
     *
     * <p>Use it for cores that little else needs. If other threads need the core, Linux may take the rest of the time slice,
     * which is milliseconds, at each yield. On Linux 6.18, with two cores and five other busy processes, threads that hand
     * bursts of frames to each other took more than ten times as long as with waits (a test of the Disruptor's ring,
     * 2026-11-23).
     */
    static Idle yielding() {
        return idleSweeps -> YIELD;
    }

    /**
     * {@return a strategy that waits after every idle sweep} The kernel adds its timer slack, some 50 us on Linux.
     *
     * @param pause more than zero; limited to 73 years
     * @throws IllegalArgumentException if the pause is not more than zero
     */
    static Idle park(Duration pause) {
        long nanos = Limits.nanos("pause", pause);
        if (nanos <= 0) {
            throw new IllegalArgumentException("park for " + pause + "; a pause must be longer than zero");
        }
        return idleSweeps -> nanos;
    }

    /**
     * {@return the default strategy: a short spin, then waits that double from 50 us to 1 ms}
     *
     * <p>New messages from the same process and deadlines end a wait early. The longest wait is therefore only a bound for
     * the detection of messages from another process.
     */
    static Idle backoff() {
        return Idle::doubling;
    }

    /** Returns the pause of {@link #backoff}. */
    private static long doubling(int idleSweeps) {
        int spins = 64;
        long shortestNanos = 50_000;
        int mostDoublings = 5;
        long longestNanos = 1_000_000;
        if (idleSweeps <= spins) {
            return SPIN;
        }
        int doublings = Math.min(idleSweeps - spins - 1, mostDoublings);
        return Math.min(shortestNanos << doublings, longestNanos);
    }
}
