package dev.baton.lab.trial.ends;

import dev.baton.lab.request.Load;
import dev.baton.measuring.BacklogSchedule;
import dev.baton.measuring.BurstSchedule;
import dev.baton.measuring.EvenSchedule;
import dev.baton.measuring.Mix;
import dev.baton.measuring.PoissonSchedule;
import dev.baton.measuring.ReplaySchedule;
import dev.baton.measuring.Schedule;

/**
 * Makes the instances' schedules, the same again for the same seed.
 *
 * <p>Instances are staggered: instance i begins a part of the interval later than the trial, {@code frac(u + i * phi)} of
 * it with {@code u} drawn from the seed and {@code phi} the golden ratio. That spreads any number of them evenly, so that
 * a thousand do not fire in the same microsecond, which no thousand real sources would do.
 */
public final class Schedules {
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    private static final long NEVER_NANOS = 1L << 60; // 36 years

    private Schedules() {}

    /** A schedule for one thread's use, of a load that is not replayed and has no backlog. */
    public static Schedule of(Load load, int instance, long startNanos) {
        return steady(load, null, instance, startNanos);
    }

    /** A schedule for one thread's use. @param times of a record, from {@link ReplaySchedule#times}; null where none is replayed */
    static Schedule of(Load load, long[] times, int instance, Window window) {
        return load.backlog() == 0
                ? steady(load, times, instance, window.startNanos())
                : new BacklogSchedule(even(load, instance, window.startNanos()), window.measureNanos(), load.backlog());
    }

    private static EvenSchedule even(Load load, int instance, long startNanos) {
        return new EvenSchedule(startNanos + phaseNanos(load, instance), load.intervalNanos());
    }

    private static Schedule steady(Load load, long[] times, int instance, long startNanos) {
        double interval = load.intervalNanos();
        return switch (load.arrivals()) {
            case EVEN -> even(load, instance, startNanos);
            case SATURATED -> throw new IllegalArgumentException("saturation has no schedule");
            case BURSTS ->
                new BurstSchedule(
                        startNanos + load.burst() * phaseNanos(load, instance), load.burst() * interval, load.burst());
            case REPLAYED -> new ReplaySchedule(startNanos, times, firstRow(load, instance, times.length));
            case NONE -> new EvenSchedule(startNanos + NEVER_NANOS, interval);
            case POISSON -> new PoissonSchedule(startNanos, interval, Mix.of(load.seed(), instance));
        };
    }

    /**
     * Returns the place in a record at which an instance begins. The instances of all processes begin at different places, the first one at
     * the begin of the record.
     */
    static int firstRow(Load load, int instance, int rows) {
        double turn = (load.firstInstance() + instance) * GOLDEN_RATIO;
        return (int) ((turn - Math.floor(turn)) * rows);
    }

    public static long phaseNanos(Load load, int instance) {
        double first = (Mix.of(load.seed(), -1) >>> 11) * 0x1p-53;
        double turn = first + instance * GOLDEN_RATIO;
        return (long) ((turn - Math.floor(turn)) * load.intervalNanos());
    }
}
