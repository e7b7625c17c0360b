package dev.baton.engine.cycle;

import dev.baton.run.Environment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The time limit of a batch, and the count of the service's calls. A batch ends with the call that is in progress {@value
 * #MOST_NANOS} ns after its begin, so that finished outputs are handed over then, whatever the batch's number of inputs.
 *
 * <p>The clock is read before a call, and not before each one: after a reading that shows short calls the next one follows after
 * twice as many, {@value #MOST_CALLS} at most, so it costs a fast service less than 1 ns for a call. After a reading that shows
 * long calls, or a pause, each call has one. A fast service whose calls become slow in the middle of a batch hands over after
 * {@value #MOST_CALLS} calls once, and after each one from then on.
 *
 * <p>Confined to its loop, except for {@link #callsEnded}.
 */
public final class BatchTime {
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
    private long ended; // calls, of all batches
    private long batch; // the calls before this batch
    private long nextReading; // is due after so many calls
    private int callsPerReading = 1;
    private long readNanos; // the last reading
    private long readAfter; // the calls before it
    private long timedBatch = -1; // the batch whose begin is known
    private boolean wasOver;
    private long begunNanos; // of that batch, as far as it is known

    BatchTime(Environment environment) {
        this.environment = environment;
    }

    /** A batch begins. */
    void begin() {
        batch = ended;
        wasOver = false;
    }

    /** Returns whether the last batch ended because its time was over. */
    boolean wasOver() {
        return wasOver;
    }

    /** The number of calls in this batch. */
    int calls() {
        return (int) (ended - batch);
    }

    /** A call has ended. */
    void callEnded() {
        ENDED.setOpaque(this, ended + 1);
    }

    /** The number of calls that have ended since the start. Any thread. */
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
        if (since > MOST_NANOS / 2) {
            callsPerReading = 1;
        } else if (since <= MOST_NANOS / 4 && ended != readAfter) {
            callsPerReading = Math.min(MOST_CALLS, callsPerReading * 2);
        }
        if (ended == batch) {
            begunNanos = now;
        } else if (timedBatch != batch) {
            begunNanos = since > MOST_NANOS ? now : now - since; // else it may have been a pause
        }
        timedBatch = batch;
        wasOver = ended != batch && now - begunNanos >= MOST_NANOS;
        readAfter = ended;
        nextReading = wasOver ? ended : ended + callsPerReading;
        return wasOver;
    }
}
