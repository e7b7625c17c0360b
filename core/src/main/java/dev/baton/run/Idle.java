package dev.baton.run;

import java.time.Duration;

/**
 * What a loop does when a sweep found no work; Agrona calls it an {@code IdleStrategy}.
 *
 * <p>A strategy is a pure function of the number of idle sweeps in a row, so one instance serves any number of loops.
 * Whatever it answers, a loop wakes for the next deadline of its tasks and when a writer on another thread hands it
 * news. Immutable, thread-safe.
 */
@FunctionalInterface
public interface Idle {
    /** Answer of {@link #pauseNanos}: sweep again at once, with a hint to the processor. */
    long SPIN = 0;

    /** Answer of {@link #pauseNanos}: offer the core to other threads, then sweep again. */
    long YIELD = -1;

    /**
     * How to pass the time before the next sweep.
     *
     * @param idleSweeps sweeps without work so far, from 1; at most {@link Integer#MAX_VALUE}
     * @return {@link #SPIN}, {@link #YIELD}, or the most nanoseconds to wait for news
     */
    long pauseNanos(int idleSweeps);

    /** {@return a strategy that never gives up the core: the shortest reaction, at the price of one core per loop} */
    static Idle spin() {
        return idleSweeps -> SPIN;
    }

    /**
     * {@return a strategy that lets other threads run between sweeps; it burns the core when there are none}
     *
     * <p>For cores that hardly anything else wants: where others do, Linux may take the rest of the time slice with each
     * yield, milliseconds then. On Linux 6.18, two cores and five busy processes beside, threads that hand bursts of
     * frames to each other took more than ten times as long as with waits (a test of the Disruptor's ring, 2026-11-23).
     */
    static Idle yielding() {
        return idleSweeps -> YIELD;
    }

    /**
     * {@return a strategy that waits after every idle sweep} Expect the kernel's timer slack, some 50 us on Linux, on
     * top.
     *
     * @param pause longer than zero; 73 years at most count
     * @throws IllegalArgumentException when the pause is not longer than zero
     */
    static Idle park(Duration pause) {
        long nanos = Limits.nanos("pause", pause);
        if (nanos <= 0) {
            throw new IllegalArgumentException("park for " + pause + "; a pause is longer than zero");
        }
        return idleSweeps -> nanos;
    }

    /**
     * {@return the default strategy: a short spin, then waits that double from 50 us to 1 ms}
     *
     * <p>News from the same process and deadlines end a wait early, so the longest wait bounds only how late a loop
     * notices a writer in another process.
     */
    static Idle backoff() {
        return Backoff::pauseNanos;
    }
}
