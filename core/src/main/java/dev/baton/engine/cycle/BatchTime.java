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
    private long ended; // calls of all batches
    private long batch; // number of calls before this batch
    private long nextReading; // number of calls after which it is due
    private int callsPerReading = 1;
    private long readNanos; // the last reading
    private long readAfter; // number of calls before it
    private long timedBatch = -1; // the batch whose start time is known
    private boolean wasOver;
    private boolean wasInterrupted;
    private boolean areCallsLong = true; // those between the last two readings of a batch; assumed before there are any
    private long begunNanos; // start time of that batch, as far as it is known

    BatchTime(Environment environment) {
        this.environment = environment;
    }

    /** Begins a batch. */
    void begin() {
        batch = ended;
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
        return (int) (ended - batch);
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
        return ended >= nextReading && readsOver();
    }

    private boolean readsOver() {
        long now = environment.nanoTime();
        long since = now - readNanos;
        readNanos = now;
        boolean wereShort = !areCallsLong;
        boolean isLong = since > MOST_NANOS / 2;
        if (isLong) {
            callsPerReading = 1;
        } else if (since <= MOST_NANOS / 4 && ended != readAfter) {
            callsPerReading = Math.min(MOST_CALLS, callsPerReading * 2);
        }
        // The loop may have rested between two batches, so a long interval that spans both does not show that calls are
        // long.
        if (ended != readAfter && (timedBatch == batch || !isLong)) {
            areCallsLong = isLong;
        }
        if (ended == batch) {
            begunNanos = now;
        } else if (timedBatch != batch) {
            begunNanos = since > MOST_NANOS ? now : now - since; // otherwise it may have been a pause
        }
        timedBatch = batch;
        wasOver = ended != batch && now - begunNanos >= MOST_NANOS;
        wasInterrupted = wasOver && wereShort && isLong;
        readAfter = ended;
        nextReading = wasOver ? ended : ended + callsPerReading;
        return wasOver;
    }
}
