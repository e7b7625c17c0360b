package dev.baton.lab.reporting;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
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
 * Figures that others have published, drawn for comparison with ours and never ranked. Immutable, thread-safe.
 *
 * @param points pairs of a place on the horizontal axis and nanoseconds
 * @param source where they are from, and how they were measured
 */
public record PublishedSeries(String name, List<List<Double>> points, String source) {
    private static final String FILE = "chain-density.csv";
    private static final String SOURCE = "\"How to Reduce Cloud Cost by 99% for EDA Kafka Applications\", P. Minborg,"
            + " 2022-03-29: five services, 1,000 msg/s per instance, limit p99.9 < 100 ms; Ryzen 9 5950X, 7 isolated cores,"
            + " 64 GB, OpenJDK 11; Kafka acks=1 with its broker on the same cores; latency from the actual send; CPU"
            + " read by eye";

    private static final int ARTICLE_SERVICES = 5;
    private static final double ARTICLE_RATE = 1_000;
    private static final double MILLI = 1e6;

    /** The cores of the machine of {@link #capacities}: its isolated ones. */
    public static final int CAPACITY_CORES = 7;

    /** The largest number of chains within the limit, by transport, of these. */
    public static Map<String, Integer> capacities(Collection<String> transports) {
        Map<String, Integer> most = new LinkedHashMap<>();
        for (String[] row : PublishedFile.rows(FILE)) {
            if (transports.contains(row[0]) && Boolean.parseBoolean(row[6])) {
                most.merge(row[0], Integer.valueOf(row[1]), Math::max);
            }
        }
        return most;
    }

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
        for (String[] row : PublishedFile.rows(FILE)) {
            if (transports.contains(row[0])) {
                points.computeIfAbsent(row[0], name -> new ArrayList<>())
                        .add(List.of(Double.valueOf(row[1]), Double.parseDouble(row[4]) * MILLI));
            }
        }
        return points.entrySet().stream()
                .map(entry -> new PublishedSeries(entry.getKey() + " elsewhere", entry.getValue(), SOURCE))
                .toList();
    }

    private static boolean isLikeTheArticle(TrialPlan plan) {
        return plan.study().equals(Study.CHAINS)
                && plan.shape().chain() == null
                && plan.shape().work().isEmpty()
                && plan.shape().services() == ARTICLE_SERVICES
                && plan.load().ratePerSecond() == ARTICLE_RATE
                && plan.load().arrivals() == Load.Arrivals.EVEN;
    }

    /** {@return published figures of similar chains; empty for none} */
    public static List<PublishedSeries> chains(TrialPlan plan) {
        if (!isLikeTheArticle(plan)) {
            return List.of();
        }
        return PublishedFile.rows(FILE).stream()
                .filter(row -> row[0].equals(plan.subject().transport())
                        && Integer.parseInt(row[1]) == plan.shape().instances())
                .map(row -> new PublishedSeries(
                        row[0] + (row[1].equals("1") ? "" : " \u00d7 " + row[1]) + " elsewhere",
                        List.of(millis(50, row[2]), millis(99, row[3]), millis(99.9, row[4])),
                        SOURCE))
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

    /** The density of the same chain, as a table of these transports; nothing when none of them is in it. */
    public static List<String> lines(List<String> transports, Paint paint, int width) {
        Table table = new Table("N", "p50", "p99", "p99.9", "CPU", "verdict");
        boolean isEmpty = true;
        for (String[] row : PublishedFile.rows(FILE)) {
            if (transports.contains(row[0])) {
                isEmpty = false;
                table.row(
                        row[0],
                        row[1],
                        row[2] + " ms",
                        row[3] + " ms",
                        row[4] + " ms",
                        row[5] + " %",
                        Boolean.parseBoolean(row[6]) ? "within" : "beyond");
            }
        }
        if (isEmpty) {
            return List.of();
        }
        return PublishedFile.lines(table.lines(paint, width), SOURCE, paint, width);
    }
}
