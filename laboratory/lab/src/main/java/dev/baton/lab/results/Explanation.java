package dev.baton.lab.results;

import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import java.util.Comparator;
import java.util.List;

/**
 * Why the slow messages of a trial were slow. All moments count from the first measured slot.
 *
 * @param disturbances what held everybody up, in the order of their beginnings; the longest ones when there were many
 * @param omitted disturbances that were too many to be listed
 * @param tail what the slowest messages lived through; null when nothing was kept of them
 * @param stages where in the chain the time went, in its order; empty when nobody looked
 */
public record Explanation(List<Disturbance> disturbances, long omitted, Tail tail, List<Stage> stages) {
    /** Of a trial that was not watched. */
    public static final Explanation NONE = new Explanation(List.of(), 0, null, List.of());

    public Explanation {
        disturbances = disturbances == null ? List.of() : List.copyOf(disturbances);
        stages = stages == null ? List.of() : List.copyOf(stages);
    }

    /** So many of them, in the order of their beginnings. */
    public static List<Disturbance> longest(List<Disturbance> all, int most) {
        return all.stream()
                .sorted(Comparator.comparingLong(Disturbance::nanos).reversed())
                .limit(most)
                .sorted(Comparator.comparingLong(Disturbance::startNanos))
                .toList();
    }
}
