package dev.baton.lab.trial;

import dev.baton.lab.results.Explanation;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.SlowMessage;
import dev.baton.measuring.attribution.TailJoin;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Explains a trial's slow messages when nothing of it runs any more. Stateless, thread-safe. */
final class Explainer {
    static final int MOST_LISTED = 1_000;

    private Explainer() {}

    /** @param disturbances in the order of their beginnings */
    static Explanation of(
            double percentile,
            long fromNanos,
            LatencyHistograms total,
            RecorderPool recorders,
            List<Disturbance> disturbances,
            List<Stage> stages) {
        return new Explanation(
                longest(disturbances),
                Math.max(0, disturbances.size() - MOST_LISTED),
                tail(percentile, fromNanos, total.response(), recorders, disturbances),
                stages);
    }

    private static List<Disturbance> longest(List<Disturbance> all) {
        return all.stream()
                .sorted(Comparator.comparingLong(Disturbance::nanos).reversed())
                .limit(MOST_LISTED)
                .sorted(Comparator.comparingLong(Disturbance::startNanos))
                .toList();
    }

    private static Tail tail(
            double percentile,
            long fromNanos,
            Histogram responses,
            RecorderPool recorders,
            List<Disturbance> disturbances) {
        if (responses.getTotalCount() == 0) {
            return null;
        }
        long threshold = responses.getValueAtPercentile(percentile);
        long next = responses.nextNonEquivalentValue(threshold);
        long messages =
                next > responses.getMaxValue() ? 0 : responses.getCountBetweenValues(next, responses.getMaxValue());
        List<SlowMessage> kept = recorders.slowerThan(threshold);
        return TailJoin.of(percentile, threshold, messages, kept, fromNanos, disturbances);
    }
}
