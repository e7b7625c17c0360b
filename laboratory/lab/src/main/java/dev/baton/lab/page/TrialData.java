package dev.baton.lab.page;

import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import dev.baton.operations.terminal.Cell;
import java.util.List;

/**
 * One trial as a page shows it. Immutable, thread-safe.
 *
 * @param name within the page
 * @param experiment index of its experiment
 * @param series index of what it repeats
 * @param reasons why it did not simply pass
 * @param figures what stands under the page's headings
 * @param count responses recorded
 * @param curve values at the page's points; empty without a histogram
 * @param marks percentiles as its result has them
 * @param limits that were to be kept
 * @param time null when it is not drawn
 * @param heat null when it is not drawn, or nothing was kept for it
 * @param disturbances what held everybody up
 * @param omitted how many of those are not listed
 * @param tail null when nobody looked
 * @param cost what it took
 * @param capacity null when the trial does not say how many chains a machine carries
 */
record TrialData(
        String name,
        int experiment,
        int series,
        String verdict,
        List<String> reasons,
        List<Cell> figures,
        long count,
        List<Long> curve,
        List<Mark> marks,
        List<Bound> limits,
        TimeLine time,
        List<List<Long>> heat,
        List<Disturbance> disturbances,
        long omitted,
        Tail tail,
        List<Stage> stages,
        Cost cost,
        Capacity capacity) {

    /** A percentile. */
    record Mark(double percentile, Long nanos, boolean hasFewSamples) {}

    /** A limit. @param text as typed */
    record Bound(String text, double percentile, long nanos) {}

    /**
     * @param cores CPU time, the broker's included, over wall time; null: not known, like the rest
     * @param nanosPerHop CPU time of each topic crossed, the broker's included
     * @param residentBytes of the JVM and the broker
     * @param p999Nanos what came of it
     */
    record Cost(Double cores, Double nanosPerHop, Long residentBytes, Long p999Nanos, boolean hasFewSamples) {}

    /**
     * @param worstNanos p99.9 of the worst instance
     */
    record Capacity(int instances, Long worstNanos, Double cores) {}
}
