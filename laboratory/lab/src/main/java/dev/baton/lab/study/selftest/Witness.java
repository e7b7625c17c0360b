package dev.baton.lab.study.selftest;

import dev.baton.lab.trial.ends.Window;

/**
 * The time that a loop's thread lost during the measurement, determined by the gaps between its turns and by late wake-ups, without planted
 * faults. It is independent of the measurement: for a wrong figure it shows whether the machine may be the cause. Confined to the loop,
 * except {@link #woken}; the sum may be read after the end of the loop.
 */
final class Witness {
    /** The time after the window that still counts, as messages on their way are disturbed as well. */
    private static final long AFTER_NANOS = 100_000_000;

    private final Window window;
    private long lastNanos;
    private boolean hasTurned;
    private long dueNanos; // the end of the wait
    private volatile long wokenNanos;
    private volatile boolean isWoken;
    long disturbedNanos; // lost in all
    long worstNanos; // lost at once

    Witness(Window window) {
        this.window = window;
    }

    /** The thread has the next turn. */
    void turn(long now) {
        if (hasTurned) {
            lost(now - lastNanos, now);
        }
        hasTurned = true;
        lastNanos = now;
    }

    /** Records a planned stop until {@code due} that ended at {@code now}. */
    void stoodUntil(long due, long now) {
        lost(now - due, now);
        lastNanos = now;
    }

    /** Records the begin of a wait. */
    void beginWait(long now, long nanos) {
        lost(now - lastNanos, now);
        isWoken = false;
        dueNanos = now + nanos;
    }

    /** Another thread has news for it. */
    void woken(long now) {
        if (!isWoken) {
            wokenNanos = now;
            isWoken = true;
        }
    }

    void endWait(long now) {
        long due = isWoken && wokenNanos - dueNanos < 0 ? wokenNanos : dueNanos;
        lost(now - due, now);
        lastNanos = now;
    }

    private void lost(long nanos, long now) {
        if (nanos > SelftestFindings.NOTABLE_NANOS
                && window.isStarted()
                && now - window.measureNanos() >= 0
                && now - nanos - window.endNanos() < AFTER_NANOS) {
            disturbedNanos += nanos;
            worstNanos = Math.max(worstNanos, nanos);
        }
    }
}
