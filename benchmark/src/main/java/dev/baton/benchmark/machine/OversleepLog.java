package dev.baton.benchmark.machine;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What the probe found: the worst oversleep of each interval, and those long enough to matter one by one. Thread-safe. */
public final class OversleepLog {
    /** Shorter ones are the scheduler's daily life. */
    static final long NOTABLE_NANOS = 10_000_000;

    private static final int MOST_NOTABLE = 10_000;

    /**
     * One oversleep.
     *
     * @param endNanos on the probe's clock
     */
    record Oversleep(long endNanos, long nanos) {}

    private final List<Oversleep> notable = new ArrayList<>();
    private final long notableNanos;
    private final Histogram all = new Histogram(2);
    private long worstOfInterval;

    OversleepLog() {
        this(NOTABLE_NANOS);
    }

    /** @param notableNanos from which on one is kept by itself */
    OversleepLog(long notableNanos) {
        this.notableNanos = notableNanos;
    }

    synchronized void slept(long endNanos, long oversleepNanos) {
        worstOfInterval = Math.max(worstOfInterval, oversleepNanos);
        all.recordValue(Math.max(0, oversleepNanos));
        if (oversleepNanos >= notableNanos && notable.size() < MOST_NOTABLE) {
            notable.add(new Oversleep(endNanos, oversleepNanos));
        }
    }

    /** The worst since the last call, in nanoseconds. */
    synchronized long takeWorst() {
        long worst = worstOfInterval;
        worstOfInterval = 0;
        return worst;
    }

    /** The notable ones that ended within a window, in order. */
    synchronized List<Oversleep> between(long startNanos, long endNanos) {
        return notable.stream()
                .filter(each -> each.endNanos() - startNanos >= 0 && each.endNanos() - each.nanos() - endNanos < 0)
                .toList();
    }

    /** A copy of all since the beginning, short ones included. */
    public synchronized Histogram histogram() {
        return all.copy();
    }
}
