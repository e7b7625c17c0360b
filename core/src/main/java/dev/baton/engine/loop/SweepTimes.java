package dev.baton.engine.loop;

import dev.baton.run.Environment;
import dev.baton.run.Loops.LoopStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The durations of the sweeps of a loop. Short sweeps that follow each other without a pause are timed as a group of up to
 * {@value #MAX_TOGETHER}, so that a busy loop reads the clock once per group, while a group takes less than {@value
 * #GROUP_NANOS} ns. Longer sweeps are timed one by one. The reported longest sweep is an upper bound: it includes the other
 * sweeps of its group.
 *
 * <p>Written by the loop; any thread reads a {@link #status}, whose figures may be of two neighbouring groups.
 */
final class SweepTimes {
    private static final long WINDOW_NANOS = 30_000_000_000L;
    private static final int MAX_TOGETHER = 32;
    private static final long GROUP_NANOS = 20_000;
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
    private long longestNanos; // of this window and the previous one
    private long begunNanos = NONE; // of the group in progress
    private int sweeps; // of that group
    private int together = 1; // sweeps per group
    private long windowNanos; // begin of the window
    private long longestOfWindow;

    SweepTimes(Environment environment) {
        this.environment = environment;
        this.sinceNanos = environment.nanoTime();
        this.windowNanos = sinceNanos;
    }

    /** Records the beginning of a sweep. */
    void begin() {
        if (begunNanos == NONE) {
            BEGUN.setOpaque(this, environment.nanoTime());
        }
    }

    /**
     * Records the end of a sweep.
     *
     * @param isFollowed whether the next sweep follows without a pause
     */
    void end(int work, boolean isFollowed) {
        if (work > 0 && isFollowed && ++sweeps < together) {
            return;
        }
        long now = environment.nanoTime();
        long nanos = now - begunNanos;
        if (work > 0 || sweeps > 0) {
            BUSY.setOpaque(this, busyNanos + nanos);
        }
        BEGUN.setOpaque(this, work > 0 && isFollowed ? now : NONE);
        sweeps = 0;
        together = nanos > GROUP_NANOS ? 1 : nanos > GROUP_NANOS / 2 ? together : Math.min(MAX_TOGETHER, 2 * together);
        note(now, nanos);
    }

    private void note(long now, long nanos) {
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

    /** Returns the current load. Any thread. */
    LoopStatus status(String name) {
        long busy = (long) BUSY.getOpaque(this);
        long longest = (long) LONGEST.getOpaque(this);
        long begun = (long) BEGUN.getOpaque(this);
        long now = environment.nanoTime();
        long inProgress = begun == NONE ? 0 : Math.max(0, now - begun);
        return new LoopStatus(name, busy, Math.max(busy, now - sinceNanos), Math.max(longest, inProgress));
    }
}
