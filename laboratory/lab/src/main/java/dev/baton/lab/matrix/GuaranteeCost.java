package dev.baton.lab.matrix;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The cost of Baton's guarantees: what Baton's trials take over those of hand-written cooperative loops on the same library,
 * with the same threads, batches and idle strategy.
 *
 * <p>Each ratio is that of the geometric means, with an interval of 95 % after Welch (1947) on the logarithms; the unit is the
 * trial, and the two engines take turns in a random order. Immutable, thread-safe.
 *
 * @param name the variant without its engine, such as {@code disruptor}
 * @param ratios of {@link #FIGURES}, in that order
 */
record GuaranteeCost(String name, List<Ratio> ratios) {
    static final String HEADING =
            "Baton / reference-cooperative, the cost of Baton's guarantees over hand-written loops:"
                    + " ratio [95 % interval]";

    static final List<Figure> FIGURES = List.of(perMessage(), Figure.response(50), Figure.response(99.9));

    private static final double QUANTILE = 0.975;
    private static final String REFERENCE = "-" + Subject.REFERENCE_COOPERATIVE;
    private static final int LEAST_TRIALS = 2;

    /**
     * A ratio of two geometric means.
     *
     * @param least lower end of the interval; 0 when unknown
     * @param most upper end of the interval; infinite when unknown
     * @param hasFewSamples whether the figure rests on too few samples to decide anything
     */
    record Ratio(double ratio, double least, double most, boolean hasFewSamples) {
        /** Compares two series of positive values; null when one of them is empty. */
        static Ratio of(List<Double> ours, List<Double> theirs, boolean hasFewSamples) {
            if (ours.isEmpty() || theirs.isEmpty()) {
                return null;
            }
            double[] one = logs(ours);
            double[] other = logs(theirs);
            double log = StatUtils.mean(one) - StatUtils.mean(other);
            double margin = margin(one, other);
            return new Ratio(Math.exp(log), Math.exp(log - margin), Math.exp(log + margin), hasFewSamples);
        }

        private static double[] logs(List<Double> values) {
            return values.stream().mapToDouble(Math::log).toArray();
        }

        private static double margin(double[] one, double[] other) {
            if (Math.min(one.length, other.length) < LEAST_TRIALS) {
                return Double.POSITIVE_INFINITY;
            }
            double first = StatUtils.variance(one) / one.length;
            double second = StatUtils.variance(other) / other.length;
            double both = first + second;
            if (both == 0) {
                return 0;
            }
            double freedom = both * both / (first * first / (one.length - 1) + second * second / (other.length - 1));
            return new TDistribution(null, freedom).inverseCumulativeProbability(QUANTILE) * Math.sqrt(both);
        }

        @Override
        public String toString() {
            String interval = Double.isInfinite(most)
                    ? "too few trials"
                    : String.format(Locale.ROOT, "%.2f .. %.2f", least, most);
            return String.format(Locale.ROOT, "%.2f [%s]", ratio, interval);
        }
    }

    /** CPU time of the process and its broker, without the generator's, for each message that was carried. */
    private static Figure perMessage() {
        return Figure.time("CPU per message", trial -> {
            Double cores = trial.cpuCores();
            return cores == null || trial.rate() == null || trial.rate().achievedPerSecond() <= 0
                    ? null
                    : cores * 1e9 / trial.rate().achievedPerSecond();
        });
    }

    /** Pairs each variant of Baton's with the cooperative reference of the same settings; empty when none has one. */
    static List<GuaranteeCost> of(List<Series> all) {
        List<GuaranteeCost> costs = new ArrayList<>();
        for (Series each : all) {
            String name = each.variant().name();
            if (!name.endsWith(Variant.AGAIN) && !name.contains(REFERENCE)) {
                List<TrialResult> ours = results(all, name);
                List<TrialResult> theirs = all.stream()
                        .filter(other -> other.variant().name().contains(REFERENCE))
                        .filter(other -> plain(other).replace(REFERENCE, "").equals(name))
                        .flatMap(other -> other.results().stream())
                        .toList();
                if (!ours.isEmpty() && !theirs.isEmpty()) {
                    costs.add(new GuaranteeCost(
                            name,
                            FIGURES.stream()
                                    .map(figure -> ratio(figure, ours, theirs))
                                    .toList()));
                }
            }
        }
        return costs;
    }

    /** Returns the results of a variant and of its repetition. */
    private static List<TrialResult> results(List<Series> all, String name) {
        return all.stream()
                .filter(each -> plain(each).equals(name))
                .flatMap(each -> each.results().stream())
                .toList();
    }

    private static String plain(Series series) {
        return series.variant().name().replace(Variant.AGAIN, "");
    }

    private static Ratio ratio(Figure figure, List<TrialResult> ours, List<TrialResult> theirs) {
        boolean hasFewSamples = Stream.concat(ours.stream(), theirs.stream()).anyMatch(figure.hasFewSamples()::apply);
        return Ratio.of(values(figure, ours), values(figure, theirs), hasFewSamples);
    }

    private static List<Double> values(Figure figure, List<TrialResult> results) {
        return results.stream()
                .map(figure.value())
                .filter(Objects::nonNull)
                .filter(value -> value > 0)
                .toList();
    }

    /** Returns a table with a row for each of these. */
    static Table table(List<GuaranteeCost> costs) {
        Table table = new Table(FIGURES.stream()
                .map(figure -> Cell.of(figure.name(), Tone.BOLD))
                .toList());
        costs.forEach(each -> table.row(
                each.name(), each.ratios().stream().map(GuaranteeCost::cell).toList()));
        return table;
    }

    private static Cell cell(Ratio ratio) {
        return ratio == null
                ? Cell.of("-", Tone.PLAIN)
                : Cell.of(ratio.toString(), ratio.hasFewSamples() ? Tone.GREY : Tone.PLAIN);
    }
}
