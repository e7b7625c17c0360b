package dev.baton.lab.study.window;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Range;
import java.util.List;
import java.util.Objects;

/**
 * A sliding window: events are counted by key, and at each step every key is emitted with its count. The plan's instances
 * are the parts of the job: each has a source of its own, and its share of the keys. Immutable, thread-safe.
 *
 * @param state what the counts are kept in
 * @param keys of all parts together, {@value #MOST_KEYS} at most
 * @param windowNanos length of the window, a multiple of the step
 * @param stepNanos by which it slides
 * @param shown limits to be shown; those that can also be judged stand in the plan
 * @param isQuick whether the trial is too short for its figures to be quoted
 * @param keyOrder in which events have their keys
 */
public record WindowStudy(
        State state, int keys, long windowNanos, long stepNanos, List<Limit> shown, boolean isQuick, KeyOrder keyOrder)
        implements Study {
    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_KEYS = 10_000_000;

    /** A sink has to see a step end before the next one does. */
    public static final long LEAST_STEP_NANOS = 100_000;

    /** Counts travel as 32 bits. */
    public static final double MOST_EVENTS = 1e9;

    /** What the counts are kept in. */
    public enum State {
        /** Hash maps with boxed keys, one for each step and one for the window: what a usual service allocates. */
        BOXED,
        /** Arrays, made once. */
        PRIMITIVE
    }

    /** In which events have their keys. */
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

    public WindowStudy {
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
        return Part.KeyStream.distinct(new Part.KeyStream(1, 0, keys, KeyOrder.IN_ORDER), events);
    }

    /** Steps that a window covers. */
    public int frames() {
        return Math.toIntExact(windowNanos / stepNanos);
    }

    /** Steps of one second. */
    public double stepsPerSecond() {
        return 1e9 / stepNanos;
    }
}
