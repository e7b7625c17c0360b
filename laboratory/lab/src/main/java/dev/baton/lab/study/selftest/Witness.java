package dev.baton.lab.study.selftest;

import dev.baton.lab.trial.Window;

/**
 * How much time a loop's thread lost during the measurement, as told by the gaps between its turns and by how late it
 * woke; what was done to it on purpose is not counted. It takes no part in measuring: when a figure is not what it should
 * be, it tells whether the machine can have had a hand in it. Confined to the loop, but for {@link #woken}; the sum is
 * for one who has seen the loop end.
 */
final class Witness {
    /** What is still on its way when the window ends is disturbed as well. */
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

    /** It stood still on purpose until {@code due}, and went on {@code now}. */
    void stoodUntil(long due, long now) {
        lost(now - due, now);
        lastNanos = now;
    }

    /** It has nothing to do for a while. */
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
