package dev.baton.lab.trial.ends;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;

/**
 * The moments of a trial, on the clock of its measurement: the first slot, where the warm-up ends, behind the last slot,
 * and until when an arrival counts. Set by the trial's own thread, the first three once before the start, the end
 * brought forward when the trial is cut short; read by all.
 */
public final class Window {
    /** Share of a limit that the send delay of generators with threads of their own stays below. */
    public static final double MAX_SEND_DELAY = 0.5;

    /** A message this late after the end was delayed by a wake-up, not by too low a rate. */
    public static final long LEAST_GRACE_NANOS = 10_000_000;

    private final long graceNanos;
    private long startNanos;
    private long measureNanos;
    private volatile long endNanos;
    private volatile long deadlineNanos;
    private volatile boolean isStarted;

    public Window(long graceNanos) {
        this.graceNanos = graceNanos;
    }

    /**
     * Creates the window of a plan: a paced loop, or half of a limit, may delay the last messages longer than a wake-up. A loop begins
     * a sweep after half of its budget, and the last one of a window may be as late as any other.
     */
    public static Window of(TrialPlan plan) {
        long grace = Math.max(LEAST_GRACE_NANOS, plan.loops().latencyBudgetNanos());
        for (Limit limit : plan.limits()) {
            grace = Math.max(grace, (long) (limit.nanos() * MAX_SEND_DELAY));
        }
        return new Window(grace);
    }

    /** {@return the time after the end within which a message counts as sent at the requested rate} */
    public long graceNanos() {
        return graceNanos;
    }

    /** Releases the generators: from here on slots are due. */
    public void start(long firstSlotNanos, long warmupNanos, long measuredNanos, long drainNanos) {
        startNanos = firstSlotNanos;
        measureNanos = firstSlotNanos + warmupNanos;
        endNanos = measureNanos + measuredNanos;
        deadlineNanos = endNanos + drainNanos;
        isStarted = true;
    }

    /**
     * Ends the window early; what is due by now is still sent, what comes later never will be. Brings end and deadline
     * forward, never back.
     */
    public void cut(long nowNanos, long drainNanos) {
        if (nowNanos - endNanos < 0) {
            endNanos = nowNanos;
        }
        close(nowNanos + drainNanos);
    }

    /** Ends the drain: what has not arrived by then never counts as delivered. */
    public void close(long atNanos) {
        if (atNanos - deadlineNanos < 0) {
            deadlineNanos = atNanos;
        }
    }

    /** {@return whether the other times are set} */
    public boolean isStarted() {
        return isStarted;
    }

    public long startNanos() {
        return startNanos;
    }

    /** The first moment that a measured slot may have. */
    public long measureNanos() {
        return measureNanos;
    }

    /** The first moment that no slot has. */
    public long endNanos() {
        return endNanos;
    }

    /** The first moment at which an arrival is too late. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** Length of the measured part; 0 when it was never reached. */
    public long measuredNanos() {
        return Math.max(0, endNanos - measureNanos);
    }
}
