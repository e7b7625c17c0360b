package dev.baton.lab.reporting;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.jitter.JitterStudy;
import dev.baton.lab.study.load.LoadStudy;
import dev.baton.lab.study.load.PublishedMemory;
import dev.baton.lab.study.transit.PublishedTransit;
import dev.baton.lab.study.transit.TransitStudy;
import dev.baton.lab.study.window.PublishedWindows;
import dev.baton.lab.study.window.WindowStudy;
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

    private static final String JITTER_SOURCE = "\"Runtime Jitter - Zing vs Hotspot\", 2015-09-07: nanoTime through a"
            + " Disruptor from a producer to an accumulator; tuned Linux";
    private static final double[] JITTER_PERCENTILES = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};
    private static final int JITTER_P50 = 4;
    private static final int ARTICLE_SERVICES = 5;
    private static final double ARTICLE_RATE = 1_000;
    private static final double MILLI = 1e6;

    /** Latency by 1 / (1 - percentile), where there is a counterpart to what was measured here. */
    public static List<PublishedSeries> percentiles(Collection<TrialResult> trials) {
        Set<PublishedSeries> all = new LinkedHashSet<>();
        for (TrialResult trial : trials) {
            TrialPlan plan = trial.plan();
            if (plan.study() instanceof JitterStudy) {
                all.addAll(jitter());
            } else if (plan.study() instanceof TransitStudy) {
                all.addAll(plan.subject().transport().equals(PublishedTransit.TRANSPORT) ? transit() : List.of());
            } else if (plan.study() instanceof WindowStudy) {
                all.addAll(windows());
            } else if (plan.study() instanceof LoadStudy) {
                all.addAll(memory());
            } else if (isLikeTheArticle(plan)) {
                all.addAll(chains(plan));
            }
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

    private static List<PublishedSeries> chains(TrialPlan plan) {
        return PublishedFile.rows(PublishedDensity.FILE).stream()
                .filter(row -> row[0].equals(plan.subject().transport())
                        && Integer.parseInt(row[1]) == plan.shape().instances())
                .map(row -> new PublishedSeries(
                        row[0] + (row[1].equals("1") ? "" : " \u00d7 " + row[1]) + " elsewhere",
                        List.of(millis(50, row[2]), millis(99, row[3]), millis(99.9, row[4])),
                        PublishedDensity.SOURCE))
                .toList();
    }

    private static List<PublishedSeries> transit() {
        return PublishedFile.rows(PublishedTransit.FILE).stream()
                .map(row -> new PublishedSeries(
                        row[0] + " " + row[1] + " elsewhere",
                        List.of(point(50, Double.parseDouble(row[2])), point(99.99, Double.parseDouble(row[3]))),
                        PublishedTransit.SOURCE))
                .toList();
    }

    private static List<PublishedSeries> windows() {
        return PublishedFile.rows(PublishedWindows.FILE).stream()
                .map(row -> new PublishedSeries(
                        row[3] + ", " + row[1] + ", " + row[5] + " elsewhere",
                        List.of(millis(99.99, row[7])),
                        PublishedWindows.SOURCE))
                .toList();
    }

    private static List<PublishedSeries> memory() {
        return PublishedFile.rows(PublishedMemory.FILE).stream()
                .map(row -> new PublishedSeries(
                        row[0] + ", " + (row[1].equals("unlimited") ? "unlimited" : row[1] + " MB") + " elsewhere",
                        List.of(millis(50, row[5]), millis(95, row[8]), millis(99, row[9])),
                        PublishedMemory.SOURCE))
                .toList();
    }

    private static List<PublishedSeries> jitter() {
        return PublishedFile.rows("jitter-jvm.csv").stream()
                .map(row -> {
                    List<List<Double>> points = new ArrayList<>();
                    for (int i = 0; i < JITTER_PERCENTILES.length; i++) {
                        points.add(point(JITTER_PERCENTILES[i], Double.parseDouble(row[JITTER_P50 + i])));
                    }
                    return new PublishedSeries(row[0] + ", safepoints " + row[1] + " elsewhere", points, JITTER_SOURCE);
                })
                .toList();
    }

    private static List<Double> millis(double percentile, String millis) {
        return point(percentile, Double.parseDouble(millis) * MILLI);
    }

    private static List<Double> point(double percentile, double nanos) {
        return List.of(Math.round(1e4 / (1 - percentile / 100)) / 1e4, nanos);
    }
}
