package dev.baton.lab.trial;

import dev.baton.lab.results.Explanation;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.SlowMessage;
import dev.baton.measuring.attribution.TailJoin;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Explains a trial's slow messages when nothing of it runs any more.
 *
 * @param fromNanos the first measured slot
 */
record Explainer(long fromNanos, Histogram responses, RecorderPool recorders) {
    static final int MOST_LISTED = 1_000;

    /** @param disturbances in the order of their beginnings */
    Explanation explain(double percentile, List<Disturbance> disturbances, List<Stage> stages) {
        return new Explanation(
                Explanation.longest(disturbances, MOST_LISTED),
                Math.max(0, disturbances.size() - MOST_LISTED),
                tail(percentile, disturbances),
                stages);
    }

    private Tail tail(double percentile, List<Disturbance> disturbances) {
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
