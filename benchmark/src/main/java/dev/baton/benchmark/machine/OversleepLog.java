package dev.baton.benchmark.machine;

import java.util.ArrayList;
import java.util.List;

/** What the probe found: the worst oversleep of each interval, and those long enough to matter one by one. Thread-safe. */
final class OversleepLog {
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
    private long worstOfInterval;

    synchronized void slept(long endNanos, long oversleepNanos) {
        worstOfInterval = Math.max(worstOfInterval, oversleepNanos);
        if (oversleepNanos >= NOTABLE_NANOS && notable.size() < MOST_NOTABLE) {
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
}
