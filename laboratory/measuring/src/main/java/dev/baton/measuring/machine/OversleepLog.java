package dev.baton.measuring.machine;

import dev.baton.measuring.LongestHeap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What the probe found: the worst oversleep of each interval, and those long enough to matter one by one. Thread-safe. */
public final class OversleepLog {
    /** Shorter ones are the scheduler's daily life. */
    static final long NOTABLE_NANOS = 10_000_000;

    /** Shorter ones explain no message's life: the probe sleeps for longer than that. */
    static final long SHORT_NANOS = 1_000_000;

    /** The longest ones are kept. */
    private static final int MOST_NOTABLE = 4_096;

    /**
     * One oversleep.
     *
     * @param endNanos on the probe's clock
     */
    record Oversleep(long endNanos, long nanos) {}

    private final LongestHeap notable = new LongestHeap(MOST_NOTABLE);
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
        if (oversleepNanos >= notableNanos) {
            notable.offer(endNanos, oversleepNanos, 0, 0);
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
        List<Oversleep> found = new ArrayList<>();
        notable.forEach((end, nanos, none, nothing) -> {
            if (end - startNanos >= 0 && end - nanos - endNanos < 0) {
                found.add(new Oversleep(end, nanos));
            }
        });
        found.sort(Comparator.comparingLong(each -> each.endNanos() - startNanos));
        return found;
    }

    /** A copy of all since the beginning, short ones included. */
    public synchronized Histogram histogram() {
        return all.copy();
    }
}
