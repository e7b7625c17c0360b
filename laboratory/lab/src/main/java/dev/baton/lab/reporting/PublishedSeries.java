package dev.baton.lab.reporting;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Figures that others have published, to be drawn beside ours and never ranked. Immutable, thread-safe.
 *
 * @param name of what was measured
 * @param points pairs of a place on the horizontal axis and nanoseconds
 * @param source where they are from, and how they were measured
 */
public record PublishedSeries(String name, List<List<Double>> points, String source) {
    /** What all of them are. */
    public static final String TITLE = PublishedFile.TITLE;

    private static final int ARTICLE_SERVICES = 5;
    private static final double ARTICLE_RATE = 1_000;
    private static final double MILLI = 1e6;

    /** Latency by 1 / (1 - percentile), where there is a counterpart to what was measured here. */
    public static List<PublishedSeries> percentiles(Collection<TrialResult> trials) {
        Set<PublishedSeries> all = new LinkedHashSet<>();
        for (TrialResult trial : trials) {
            all.addAll(StudyView.of(trial.plan().study()).published(trial.plan()));
        }
        return List.copyOf(all);
    }

    /** Worst p99.9 by number of chains, of these transports. */
    public static List<PublishedSeries> capacity(Collection<TrialResult> trials) {
        Set<String> transports = trials.stream()
                .map(TrialResult::plan)
                .filter(PublishedSeries::isLikeTheArticle)
                .map(plan -> plan.subject().transport())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, List<List<Double>>> points = new LinkedHashMap<>();
        for (String[] row : PublishedFile.rows(PublishedDensity.FILE)) {
            if (transports.contains(row[0])) {
                points.computeIfAbsent(row[0], name -> new ArrayList<>())
                        .add(List.of(Double.valueOf(row[1]), Double.parseDouble(row[4]) * MILLI));
            }
        }
        return points.entrySet().stream()
                .map(entry ->
                        new PublishedSeries(entry.getKey() + " elsewhere", entry.getValue(), PublishedDensity.SOURCE))
                .toList();
    }

    private static boolean isLikeTheArticle(TrialPlan plan) {
        return plan.study() == null
                && plan.shape().services() == ARTICLE_SERVICES
                && plan.load().ratePerSecond() == ARTICLE_RATE
                && !plan.load().isSaturated();
    }

    /** Of chains like these; none where nobody published any. */
    public static List<PublishedSeries> chains(TrialPlan plan) {
        if (!isLikeTheArticle(plan)) {
            return List.of();
        }
        return PublishedFile.rows(PublishedDensity.FILE).stream()
                .filter(row -> row[0].equals(plan.subject().transport())
                        && Integer.parseInt(row[1]) == plan.shape().instances())
                .map(row -> new PublishedSeries(
                        row[0] + (row[1].equals("1") ? "" : " \u00d7 " + row[1]) + " elsewhere",
                        List.of(millis(50, row[2]), millis(99, row[3]), millis(99.9, row[4])),
                        PublishedDensity.SOURCE))
                .toList();
    }

    /** A percentile in milliseconds, as it was published. */
    public static List<Double> millis(double percentile, String millis) {
        return point(percentile, Double.parseDouble(millis) * MILLI);
    }

    /** A percentile in nanoseconds. */
    public static List<Double> point(double percentile, double nanos) {
        return List.of(Math.round(1e4 / (1 - percentile / 100)) / 1e4, nanos);
    }
}
