package dev.baton.lab.study.window;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Latency;
import dev.baton.operations.settings.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A sliding window: events are aggregated by key, and at each step every key is emitted with its total. The plan's instances are the parts
 * of the job: each has its own source, and its share of the keys. Immutable, thread-safe.
 *
 * @param state representation of the totals
 * @param keys of all parts together, {@value #MOST_KEYS} at most
 * @param windowNanos length of the window, a multiple of the step
 * @param stepNanos by which it slides
 * @param shown limits to be shown; those that can also be judged are in the plan
 * @param isQuick whether the trial is too short for its figures to be quoted
 * @param keyOrder in which events have their keys
 * @param aggregate meaning of a key's total
 */
public record WindowStudy(
        State state,
        int keys,
        long windowNanos,
        long stepNanos,
        List<Limit> shown,
        boolean isQuick,
        KeyOrder keyOrder,
        Aggregate aggregate)
        implements Study {
    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_KEYS = 10_000_000;

    /** The shortest step, as a sink has to see a step end before the next one. */
    public static final long LEAST_STEP_NANOS = 100_000;

    /** The greatest number of events of a window, as they are in one array. */
    public static final double MOST_EVENTS = 1e9;

    /** The representation of the totals. */
    public enum State {
        /** Hash maps with boxed keys, one for each step and one for the window: what a usual service allocates. */
        BOXED,
        /** Arrays, made once. */
        PRIMITIVE
    }

    /** The order of the events' keys. */
    public enum KeyOrder {
        /** Drawn uniformly from the seed, so that a step has some keys twice and others not at all. */
        UNIFORM,
        /** One after the other, as {@code n % keys}: a step has as many keys as events, or all of them. */
        IN_ORDER;

        /** Different keys that so many events have, on average. */
        double distinct(double keys, double events) {
            return this == IN_ORDER ? Math.min(keys, events) : keys * -Math.expm1(-events / keys);
        }
    }

    /** The aggregate of a key's events in the window, each of which has a value from 0 to 1,023. */
    public enum Aggregate {
        COUNT("count of its events"),
        SUM("sum of its values"),
        /** The integral of a value that is valid until the key's next event, in ns: an interval belongs to the step in which it ends. */
        TIME_INTEGRAL("time integral of its value");

        final String words; // for a sentence

        Aggregate(String words) {
            this.words = words;
        }
    }

    public WindowStudy {
        aggregate = aggregate == null ? Aggregate.COUNT : aggregate; // absent from older files
        keyOrder = keyOrder == null ? KeyOrder.UNIFORM : keyOrder; // absent from older files
        Objects.requireNonNull(state, "state");
        Range.check("keys", keys, 1, MOST_KEYS);
        Range.check("step, in ns,", stepNanos, LEAST_STEP_NANOS, Long.MAX_VALUE);
        if (windowNanos < stepNanos || windowNanos % stepNanos != 0) {
            throw new IllegalArgumentException(
                    "a window of " + windowNanos + " ns; it is a multiple of its step, " + stepNanos + " ns");
        }
        shown = shown == null ? List.of() : List.copyOf(shown);
    }

    /** Counts the different keys of the first events when keys come in order, as the source sends them. */
    public static int distinctInOrder(int keys, int events) {
        JobPart.KeyStream stream = new JobPart.KeyStream(1, 0, keys, KeyOrder.IN_ORDER);
        return (int) IntStream.range(0, events).map(stream::of).distinct().count();
    }

    /**
     * Returns the verdicts of the search for the most items on a limit after each of several trials; null while it needs more of them.
     *
     * @param trials the latencies of each one's steps, in ns
     */
    public static List<Verdict> searched(Limit limit, List<Histogram> trials) {
        WindowStudy any = new WindowStudy(
                State.PRIMITIVE, 1, LEAST_STEP_NANOS, LEAST_STEP_NANOS, List.of(limit), false, null, null);
        StepPool pool = new StepPool(any);
        List<Verdict> verdicts = new ArrayList<>();
        for (Histogram each : trials) {
            pool.add(each);
            verdicts.add(pool.judge(Limit.ENOUGH_SAMPLES));
        }
        return verdicts;
    }

    /** Events and results of all parts that a plan asks for. */
    static double itemsPerSecond(TrialPlan plan) {
        WindowStudy study = (WindowStudy) plan.study();
        return plan.load().ratePerSecond() * plan.shape().instances() + study.keys * study.stepsPerSecond();
    }

    /** Steps that a window covers. */
    public int frames() {
        return Math.toIntExact(windowNanos / stepNanos);
    }

    public double stepsPerSecond() {
        return 1e9 / stepNanos;
    }

    /**
     * The additional findings of a sliding window. Its response is the time from the window's end until its emission has begun: one value for
     * each measured step, in all figures here. Immutable, thread-safe.
     *
     * @param completion from the window's end until its last key was emitted
     * @param steps measured
     * @param foreignStalls over 10 ms each, with a cause outside of the trial
     * @param responseWithout the response without the steps that overlap one of them
     * @param completionWithout the completion without those steps
     * @param stateBytes expected size of the totals
     */
    public record WindowFindings(
            Latency completion,
            long steps,
            int foreignStalls,
            Latency responseWithout,
            Latency completionWithout,
            long stateBytes)
            implements Findings {}
}
