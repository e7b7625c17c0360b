package dev.baton.measuring;

import java.util.concurrent.locks.LockSupport;

/**
 * The wait of a punctual generator: it sleeps until shortly before the next slot and spins for the rest, so that a message
 * is late by the time of one clock reading, and not by the kernel's timer.
 *
 * <p>It assumes that the sleep ends at most {@value #SPIN_NANOS} ns late, which takes a thread with the shortest timer slack
 * and a free core. A sleep that ends later than that delays the message, and its send delay shows by how much. The spin
 * costs that much CPU time for each slot. Stateless, thread-safe.
 */
public final class SlotWait {
    /** The time before a slot from which the thread spins. */
    static final long SPIN_NANOS = 150_000;

    /** The wait of a generator whose next slot is unknown: before its start, and while there is no room. */
    private static final long BLIND_NANOS = 50_000;

    /** The longest sleep, so that the end of the thread is not delayed. */
    private static final long LONGEST_NANOS = 10_000_000;

    private SlotWait() {}

    /**
     * Returns the slot to wait for if another generator waits for room: unknown ({@link Long#MAX_VALUE}) unless the next slot is so near
     * that a sleep may end after it.
     */
    public static long whileBlind(long slotNanos) {
        boolean isNear = slotNanos - System.nanoTime() <= SPIN_NANOS + BLIND_NANOS;
        return isNear ? slotNanos : Long.MAX_VALUE;
    }

    /**
     * Waits until a slot, or returns early when the slot is far away.
     *
     * @param slotNanos moment on the clock of {@link System#nanoTime}; {@link Long#MAX_VALUE} when it is not known
     */
    public static void until(long slotNanos) {
        if (slotNanos == Long.MAX_VALUE) {
            LockSupport.parkNanos(BLIND_NANOS);
            return;
        }
        long left = slotNanos - System.nanoTime();
        if (left > SPIN_NANOS) {
            LockSupport.parkNanos(Math.min(left - SPIN_NANOS, LONGEST_NANOS));
            left = slotNanos - System.nanoTime();
        }
        if (left <= SPIN_NANOS) {
            while (slotNanos - System.nanoTime() > 0) {
                Thread.onSpinWait();
            }
        }
    }
}
