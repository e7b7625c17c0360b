package dev.baton.lab.page;

import dev.baton.lab.page.TrialData.Bound;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.reporting.StudyView.Throughput;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.statistics.Percentiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * Latency over throughput, as a page shows it: of trials that were asked to carry the same, one point, from their merged
 * histograms. Immutable, thread-safe.
 *
 * @param unit of the throughput
 * @param percentile of the first trial's study; trials of studies that show another one are not in the chart
 * @param series what points belong to
 * @param elsewhere pairs of a throughput and nanoseconds
 */
record ThroughputChart(
        String unit,
        double percentile,
        List<String> series,
        List<Point> points,
        Collection<Bound> limits,
        Collection<PublishedSeries> elsewhere) {
    private static final int DIGITS = 3;

    /**
     * One throughput of a series.
     *
     * @param series index of it
     * @param count responses that the percentile rests on
     * @param isFailed whether one of its trials failed
     * @param isDoubtful whether one of its trials was inconclusive, or did not carry its rate
     */
    record Point(
            int series,
            double itemsPerSecond,
            long nanos,
            boolean hasFewSamples,
            int trials,
            long count,
            boolean isFailed,
            boolean isDoubtful) {}

    /** The data that have to be merged for a point. */
    private static final class Pool {
        private final Histogram responses = new Histogram(DIGITS);
        private int trials;
        private boolean isFailed;
        private boolean isDoubtful;

        Pool() {
            responses.setAutoResize(true);
        }
    }

    private record Place(String series, double itemsPerSecond) {}

    /** Returns the chart; null unless trials differ in throughput. @param complaints takes what cannot be read */
    static ThroughputChart of(List<ReadExperiment> read, List<String> complaints) {
        Map<Place, Pool> pools = new LinkedHashMap<>();
        Set<Bound> limits = new LinkedHashSet<>();
        Set<PublishedSeries> elsewhere = new LinkedHashSet<>();
        Throughput first = null;
        for (ReadExperiment experiment : read) {
            for (TrialResult trial : experiment.trials()) {
                StudyView view = StudyView.of(trial.plan().study());
                Throughput place = view.throughput(trial);
                first = first == null ? place : first;
                if (place != null
                        && place.unit().equals(first.unit())
                        && trial.outcome().verdict() != Verdict.INTERRUPTED) {
                    Pool pool =
                            pools.computeIfAbsent(new Place(place.series(), place.itemsPerSecond()), any -> new Pool());
                    add(pool, new Recorded(experiment.folder(), trial), complaints);
                    place.limits().stream()
                            .filter(limit -> limit.percentile() == place.percentile())
                            .forEach(limit -> limits.add(Bound.of(limit)));
                    elsewhere.addAll(view.publishedThroughput());
                }
            }
        }
        pools.values().removeIf(pool -> pool.responses.getTotalCount() == 0);
        boolean isOne =
                pools.keySet().stream().map(Place::itemsPerSecond).distinct().count() < 2;
        return isOne ? null : of(first, pools, limits, elsewhere);
    }

    private static void add(Pool pool, Recorded recorded, List<String> complaints) {
        try {
            Histogram responses = recorded.responses();
            if (responses != null) {
                pool.responses.add(responses);
            }
            pool.trials++;
            TrialResult trial = recorded.trial();
            pool.isFailed |= trial.outcome().verdict() == Verdict.FAIL;
            pool.isDoubtful |= trial.outcome().verdict() == Verdict.INCONCLUSIVE || !trial.isRateKept();
        } catch (IOException unreadable) {
            if (!complaints.contains(unreadable.getMessage())) {
                complaints.add(unreadable.getMessage());
            }
        }
    }

    private static ThroughputChart of(
            Throughput first, Map<Place, Pool> pools, Set<Bound> limits, Set<PublishedSeries> elsewhere) {
        List<String> series =
                pools.keySet().stream().map(Place::series).distinct().toList();
        List<Point> points = new ArrayList<>();
        pools.forEach((place, pool) -> {
            long count = pool.responses.getTotalCount();
            points.add(new Point(
                    series.indexOf(place.series()),
                    place.itemsPerSecond(),
                    pool.responses.getValueAtPercentile(first.percentile()),
                    Percentiles.hasFewSamples(first.percentile(), count),
                    pool.trials,
                    count,
                    pool.isFailed,
                    pool.isDoubtful));
        });
        return new ThroughputChart(first.unit(), first.percentile(), series, points, limits, elsewhere);
    }
}
