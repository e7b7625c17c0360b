package dev.baton.engine.cycle;

import dev.baton.run.Environment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The time limit of a batch, and the count of the service's calls. A batch ends with the call that is in progress {@value
 * #MOST_NANOS} ns after its begin, so that finished outputs are flushed at that time, regardless of the number of inputs in
 * the batch.
 *
 * <p>The clock is not read before every call. After a reading that shows short calls, the number of calls until the next
 * reading doubles, up to {@value #MOST_CALLS}, so a reading costs a fast service less than 1 ns per call. After a reading
 * that shows long calls or a pause, the clock is read before each call. If the calls of a fast service become slow in the
 * middle of a batch, the batch ends once after {@value #MOST_CALLS} calls, and from then on after each call.
 *
 * <p>A pause of the JVM or the host in the middle of a batch looks the same at first. If {@link #wasInterrupted}, only one
 * interval was long, and the caller takes the remaining inputs in the same turn. Otherwise they would wait for the next sweep,
 * for tens of milliseconds on a loop with a latency budget and many chains.
 *
 * <p>Confined to its loop, except for {@link #callsEnded}.
 */
final class BatchTime {
    static final long MOST_NANOS = 1_000_000;

    private static final int MOST_CALLS = 32;

    private static final VarHandle ENDED;

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(BatchTime.class, "ended", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Environment environment;
    private long ended; // calls that have ended since the start

    // The current batch, or the last one
    private long endedBefore; // calls that had ended at its begin
    private boolean isBeginKnown; // false until the first reading of the clock in it
    private long begunNanos; // time of its begin, if that is known
    private boolean wasOver;
    private boolean wasInterrupted;

    // The readings of the clock, which do not begin anew with a batch
    private long readNanos; // time of the last one
    private long endedAtReading; // calls that had ended at the last one
    private long nextReading; // number of ended calls at which the next one is due
    private int callsPerReading = 1;
    private boolean areCallsLong = true; // those between the last two readings of a batch; assumed before there are any

    BatchTime(Environment environment) {
        this.environment = environment;
    }

    /** Begins a batch. */
    void begin() {
        endedBefore = ended;
        isBeginKnown = false;
        wasOver = false;
        wasInterrupted = false;
    }

    /** Returns whether the last batch ended because its time limit had passed. */
    boolean wasOver() {
        return wasOver;
    }

    /**
     * Returns whether the last batch ended because of a long interval after short calls: a pause, or the first calls that are
     * long.
     */
    boolean wasInterrupted() {
        return wasInterrupted;
    }

    /** Returns the number of calls in this batch. */
    int calls() {
        return (int) (ended - endedBefore);
    }

    /** Counts a call that has ended. */
    void callEnded() {
        ENDED.setOpaque(this, ended + 1);
    }

    /** Returns the number of calls that have ended since the start. Any thread. */
    long callsEnded() {
        return (long) ENDED.getOpaque(this);
    }

    /** Returns whether the batch takes no further input. Called before each call. */
    boolean isOver() {
        return ended >= nextReading && readClock();
    }

    /** Reads the clock. Returns whether the batch takes no further input. */
    private boolean readClock() {
        long now = environment.nanoTime();
        long interval = now - readNanos;
        boolean hasCalls = ended != endedAtReading;
        boolean isLong = interval > MOST_NANOS / 2;
        boolean wereCallsShort = !areCallsLong;
        if (isLong) {
            callsPerReading = 1;
        } else if (hasCalls && interval <= MOST_NANOS / 4) {
            callsPerReading = Math.min(MOST_CALLS, callsPerReading * 2);
        }
        // The loop may have rested between two batches, so a long interval that spans both does not show that calls are
        // long.
        if (hasCalls && (isBeginKnown || !isLong)) {
            areCallsLong = isLong;
        }
        if (calls() == 0) {
            begunNanos = now;
        } else if (!isBeginKnown) {
            begunNanos = interval > MOST_NANOS ? now : now - interval; // the longer interval may have been a pause
        }
        isBeginKnown = true;
        wasOver = calls() > 0 && now - begunNanos >= MOST_NANOS;
        wasInterrupted = wasOver && wereCallsShort && isLong;
        readNanos = now;
        endedAtReading = ended;
        nextReading = wasOver ? ended : ended + callsPerReading;
        return wasOver;
    }
}
