package dev.baton.lab.results;

import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import java.util.Comparator;
import java.util.List;

/**
 * The causes of the slow messages of a trial. All moments count from the first measured slot.
 *
 * @param disturbances of the whole trial, in the order of their beginnings; the longest ones when there were many
 * @param omitted number of further disturbances
 * @param tail causes of the slowest messages; null when none were kept
 * @param stages times of the stages of the chain, in its order; empty when they were not measured
 */
public record Explanation(List<Disturbance> disturbances, long omitted, Tail tail, List<Stage> stages) {
    /** The explanation of a trial that was not watched. */
    public static final Explanation NONE = new Explanation(List.of(), 0, null, List.of());

    public Explanation {
        disturbances = disturbances == null ? List.of() : List.copyOf(disturbances);
        stages = stages == null ? List.of() : List.copyOf(stages);
    }

    /** Returns this number of disturbances, in the order of their beginnings. */
    public static List<Disturbance> longest(List<Disturbance> all, int most) {
        return all.stream()
                .sorted(Comparator.comparingLong(Disturbance::nanos).reversed())
                .limit(most)
                .sorted(Comparator.comparingLong(Disturbance::startNanos))
                .toList();
    }
}
