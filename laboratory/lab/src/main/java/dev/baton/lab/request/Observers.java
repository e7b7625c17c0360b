package dev.baton.lab.request;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The observers of a trial. Immutable, thread-safe.
 *
 * @param isOn false: no probe, no log of the JVM's pauses, no time line, no stages; such a trial never passes
 * @param tailPercentile the causes of messages above it are determined
 * @param stages whether services time themselves
 * @param profiler profiler of the measurement
 * @param agent the library of {@link Profiler#ASYNC}; null for other profilers
 */
public record Observers(boolean isOn, double tailPercentile, Stages stages, Profiler profiler, Agent agent) {
    public static final double LEAST_TAIL = 50;
    public static final double MOST_TAIL = 99.9999;

    /** The observers of a plan without any. */
    public static final Observers USUAL = new Observers(true, 99.9, Stages.AUTO);

    /** The observers of a trial in which every nanosecond of a hop counts. */
    public static final Observers UNTIMED = new Observers(true, 99.9, Stages.OFF);

    /** The highest rate, in messages per second, at which every message is timed. */
    private static final double EVERY_MESSAGE_RATE = 10_000;

    private static final int SELDOM = 64;

    /** The timing of services. */
    public enum Stages {
        /** Services are timed if that has no visible cost: one chain, at a rate. */
        AUTO,
        ON,
        OFF
    }

    /** The profilers of a measurement. */
    public enum Profiler {
        NONE,
        /** Java Flight Recorder; the recording lies beside the result. */
        JFR,
        /** The async-profiler, which samples without a bias towards safepoints; its recording has the format of JFR. */
        ASYNC
    }

    /**
     * The native library of the async-profiler.
     *
     * @param library absolute path
     * @param event that it samples, such as {@code cpu}, {@code wall}, {@code alloc} or {@code cache-misses}
     */
    public record Agent(String library, String event) {
        private static final Pattern EVENT = Pattern.compile("[A-Za-z0-9:._-]+");

        public Agent {
            Objects.requireNonNull(library, "library");
            if (!EVENT.matcher(event).matches()) {
                throw new IllegalArgumentException("event '" + event
                        + "' is not known; an event of the async-profiler, such as cpu or cache-misses");
            }
        }
    }

    /** Creates observers without a profiler. */
    public Observers(boolean isOn, double tailPercentile, Stages stages) {
        this(isOn, tailPercentile, stages, Profiler.NONE, null);
    }

    public Observers {
        Objects.requireNonNull(stages, "stages");
        profiler = profiler == null ? Profiler.NONE : profiler; // in files of earlier versions
        if ((profiler == Profiler.ASYNC) != (agent != null)) {
            throw new IllegalArgumentException("profiler " + profiler + " with agent " + agent);
        }
        if (!(tailPercentile >= LEAST_TAIL && tailPercentile <= MOST_TAIL)) {
            throw new IllegalArgumentException(
                    "tail percentile " + tailPercentile + " is out of range; " + LEAST_TAIL + " to " + MOST_TAIL);
        }
    }

    /** Returns the number of messages of which one is timed in the services; a power of two, 0 for none at all. */
    public int timesOneOf(Shape shape, Load load) {
        boolean isCheap = shape.chains() == 1 && !load.isSaturated();
        if (!isOn || stages == Stages.OFF || (stages == Stages.AUTO && !isCheap)) {
            return 0;
        }
        return !load.isSaturated() && load.ratePerSecond() <= EVERY_MESSAGE_RATE ? 1 : SELDOM;
    }
}
