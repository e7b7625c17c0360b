package dev.baton.chronicle.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The clock that decides to which file a topic is written: it never returns a time before the newest file.
 *
 * <p>By a clock that steps back Chronicle would append to an older file, which readers have left, and continue with
 * sequences from the end of that file. While the time is behind, the topic stays in its newest file.
 *
 * <p>While the topic's writer appends, the clock is held: the file for which space was taken is the one that is written
 * to, also at the moment of a roll, and the system's clock is read once for both (20 ns).
 *
 * <p>Set by the topic's writer, read by any thread.
 */
final class FileClock implements TimeProvider {
    private static final long RUNNING = Long.MIN_VALUE;
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(FileClock.class, "heldAtMillis", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final TimeProvider clock;
    private volatile long heldAtMillis = RUNNING; // without fences
    private volatile long leastMillis = Long.MIN_VALUE;

    FileClock(TimeProvider clock) {
        this.clock = clock;
    }

    /** Sets the begin of the newest file, in milliseconds as the clock counts them. */
    void newestFile(long beginMillis) {
        leastMillis = Math.max(leastMillis, beginMillis);
    }

    /** Holds the clock until {@link #release}; returns the time, which may step back. */
    long hold() {
        long now = clock.currentTimeMillis();
        HELD.setOpaque(this, Math.max(now, leastMillis));
        return now;
    }

    void release() {
        HELD.setOpaque(this, RUNNING);
    }

    @Override
    public long currentTimeMillis() {
        long held = (long) HELD.getOpaque(this);
        return held == RUNNING ? read() : held;
    }

    private long read() {
        return Math.max(clock.currentTimeMillis(), leastMillis);
    }
}
