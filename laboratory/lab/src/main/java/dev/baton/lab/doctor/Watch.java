package dev.baton.lab.doctor;

import dev.baton.measuring.machine.CpuTicks;
import dev.baton.measuring.machine.HiccupProbe;
import dev.baton.measuring.machine.KernelTree;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * Some seconds in which this process does nothing but look at what the machine does. Immutable, thread-safe.
 *
 * @param steal since boot and in these seconds
 */
record Watch(Stalls stalls, Steal steal, Competitors competitors) {
    private static final String STAT = "proc/stat";
    private static final long LOOK_NANOS = 20_000_000;

    /** Blocks for so long, or until it is interrupted. */
    static Watch over(KernelTree tree, int cores, long forNanos, BooleanSupplier isInterrupted) {
        long own = ProcessHandle.current().pid();
        Competitors.Times before = Competitors.Times.read(tree);
        CpuTicks ticks = CpuTicks.parse(tree.lines(STAT));
        long start = System.nanoTime();
        try (HiccupProbe probe = HiccupProbe.anywhere()) {
            probe.start();
            for (long left = forNanos; left > 0 && !isInterrupted.getAsBoolean(); ) {
                LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
                left = forNanos - (System.nanoTime() - start);
            }
            long watched = System.nanoTime() - start;
            Steal steal = Steal.between(ticks, CpuTicks.parse(tree.lines(STAT)));
            List<Competitors.User> users = Competitors.Times.read(tree).since(before, watched, own);
            return new Watch(Stalls.of(probe.histogram(), watched), steal, new Competitors(cores, users));
        }
    }

    /**
     * The oversleeps of a thread that only sleeps. Immutable, thread-safe.
     *
     * @param longOnes of a millisecond and more
     */
    record Stalls(long watchedNanos, long sleeps, long worstNanos, long longOnes) implements Diagnosis.Reading {
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

        /** Returns findings about the longest stalls; a single stall is no estimate of their frequency. */
        @Override
        public List<Finding> findings() {
            if (sleeps == 0) {
                return List.of(Finding.hidden("stalls", "the probe did not run"));
            }
            return List.of(
                    Finding.of(
                            GradeLetter.below(worstNanos, 500_000, MILLI, 2 * MILLI, 10 * MILLI, 100 * MILLI),
                            "stalls",
                            "a sleep of " + Units.time(HiccupProbe.SLEEP_NANOS) + " came up to "
                                    + Units.time(worstNanos)
                                    + " late, " + longOnes + " of " + Units.count(sleeps)
                                    + " by a millisecond or more, in "
                                    + Units.time(watchedNanos),
                            "a message that is due during such a stall is late by its length, over any transport",
                            "stop competing processes (below or above); if there are none, ask your provider for dedicated cores"));
        }
    }
}
