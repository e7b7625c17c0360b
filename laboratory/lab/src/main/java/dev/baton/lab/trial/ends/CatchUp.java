package dev.baton.lab.trial.ends;

import dev.baton.lab.request.Load;
import dev.baton.lab.results.Rate;
import dev.baton.measuring.InstanceHistogram;

/**
 * Observes how one instance works off its backlog: when the last message of it arrived, and when messages that became due later took no
 * longer again than 90 % of those of the warm-up, or than the time between two messages. Confined to the receiver's thread, and to
 * {@link #result} after that has ended.
 */
public final class CatchUp implements ArrivalListener {
    private static final double USUAL_PERCENTILE = 90;

    private final Load load;
    private final Window window;
    private final InstanceHistogram warmup;
    private long left; // messages of the backlog that have not arrived
    private long usualNanos; // 0: not computed yet
    private long handledNanos; // 0: not yet
    private long caughtUpNanos; // 0: not yet

    public CatchUp(Load load, Window window, long highestNanos) {
        this.load = load;
        this.window = window;
        warmup = new InstanceHistogram(highestNanos);
        left = load.backlog();
    }

    @Override
    public void onArrival(long slotNanos, long sendDelayNanos, long responseNanos) {
        if (caughtUpNanos != 0 && left <= 0) {
            return;
        }
        long due = slotNanos - window.measureNanos();
        if (due < 0) {
            warmup.record(responseNanos);
        } else if (due < load.backlog()) {
            left--;
            handledNanos = left == 0 ? due + responseNanos : 0;
        } else if (caughtUpNanos == 0) {
            if (usualNanos == 0) {
                usualNanos = Math.max((long) load.intervalNanos(), warmup.percentileNanos(USUAL_PERCENTILE));
            }
            caughtUpNanos = responseNanos <= usualNanos ? due + responseNanos : 0;
        }
    }

    /** {@return the times of this instance} */
    public Rate.Backlog result() {
        return new Rate.Backlog(load.backlog(), orNull(handledNanos), orNull(caughtUpNanos));
    }

    private static Long orNull(long nanos) {
        return nanos == 0 ? null : Long.valueOf(nanos);
    }
}
