package dev.baton.run;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How long the sweeps of a loop take. The loop reads the clock once for each sweep while it is busy, as one begins where the
 * one before ended, and twice for one behind a pause.
 *
 * <p>Written by the loop; any thread reads a {@link #status}, whose figures may be of two neighbouring sweeps.
 */
final class SweepTimes {
    private static final long WINDOW_NANOS = 30_000_000_000L;
    private static final long NONE = Long.MIN_VALUE;

    private static final VarHandle BUSY;
    private static final VarHandle LONGEST;
    private static final VarHandle BEGUN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BUSY = lookup.findVarHandle(SweepTimes.class, "busyNanos", long.class);
            LONGEST = lookup.findVarHandle(SweepTimes.class, "longestNanos", long.class);
            BEGUN = lookup.findVarHandle(SweepTimes.class, "begunNanos", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Environment environment;
    private final long sinceNanos;
    private long busyNanos;
    private long longestNanos; // of this window and the one before
    private long begunNanos = NONE; // of the sweep in progress
    private long endNanos; // of the sweep before, if the next one follows at once
    private boolean followsAtOnce;
    private long windowNanos; // when it began
    private long longestOfWindow;

    SweepTimes(Environment environment) {
        this.environment = environment;
        this.sinceNanos = environment.nanoTime();
        this.windowNanos = sinceNanos;
    }

    /** A sweep begins. */
    void begin() {
        BEGUN.setOpaque(this, followsAtOnce ? endNanos : environment.nanoTime());
    }

    /**
     * It has ended.
     *
     * @param isPauseless whether the next one follows at once when this one found work
     */
    void end(int work, boolean isPauseless) {
        long now = environment.nanoTime();
        long nanos = now - begunNanos;
        BEGUN.setOpaque(this, NONE);
        endNanos = now;
        followsAtOnce = isPauseless && work > 0;
        if (work > 0) {
            BUSY.setOpaque(this, busyNanos + nanos);
        }
        if (now - windowNanos > WINDOW_NANOS) {
            LONGEST.setOpaque(this, now - windowNanos > 2 * WINDOW_NANOS ? 0 : longestOfWindow);
            longestOfWindow = 0;
            windowNanos = now;
        }
        if (nanos > longestOfWindow) {
            longestOfWindow = nanos;
            if (nanos > longestNanos) {
                LONGEST.setOpaque(this, nanos);
            }
        }
    }

    /** As of now. Any thread. */
    LoopStatus status(String name) {
        long busy = (long) BUSY.getOpaque(this);
        long longest = (long) LONGEST.getOpaque(this);
        long begun = (long) BEGUN.getOpaque(this);
        long now = environment.nanoTime();
        long inProgress = begun == NONE ? 0 : Math.max(0, now - begun);
        return new LoopStatus(name, busy, Math.max(busy, now - sinceNanos), Math.max(longest, inProgress));
    }
}
