package dev.baton.lab.doctor;

import dev.baton.measuring.machine.HiccupProbe;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * How much longer than it wanted a thread slept that did nothing else. Immutable, thread-safe.
 *
 * @param watchedNanos how long
 * @param sleeps that it took meanwhile
 * @param worstNanos the longest oversleep
 * @param longOnes of a millisecond and more
 */
record Stalls(long watchedNanos, long sleeps, long worstNanos, long longOnes) implements Reading {
    private static final long MILLI = 1_000_000;

    static Stalls of(Histogram oversleeps, long watchedNanos) {
        return new Stalls(
                watchedNanos,
                oversleeps.getTotalCount(),
                oversleeps.getMaxValue(),
                oversleeps.getMaxValue() < MILLI
                        ? 0
                        : oversleeps.getCountBetweenValues(MILLI, oversleeps.getMaxValue()));
    }

    /** By the longest: a stall that was seen once is no estimate. */
    @Override
    public List<Finding> findings() {
        if (sleeps == 0) {
            return List.of(Finding.hidden("stalls", "the probe did not run"));
        }
        return List.of(Finding.of(
                GradeLetter.below(worstNanos, 500_000, MILLI, 2 * MILLI, 10 * MILLI, 100 * MILLI),
                "stalls",
                "a sleep of " + Figures.time(HiccupProbe.SLEEP_NANOS) + " came up to " + Figures.time(worstNanos)
                        + " late, " + longOnes + " of " + Figures.count(sleeps) + " by a millisecond or more, in "
                        + Figures.time(watchedNanos),
                "so late is any message then, whoever sends it",
                "stop what competes (below or above); if nothing does, ask your provider for cores of your own"));
    }
}
