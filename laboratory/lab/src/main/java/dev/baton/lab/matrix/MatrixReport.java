package dev.baton.lab.matrix;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A matrix for a person: a row per variant, a column per figure, in each the median and the whole range; which is best,
 * and which differences are more than what identical trials differ by. Immutable, thread-safe.
 *
 * @param all a series per row, the A/A pair's second half last
 * @param comparisons of each figure, in the order of the columns
 */
public record MatrixReport(List<Series> all, List<Comparison> comparisons) {
    private static final int ANSWERS = 2;
    private static final String BEST = " *";
    private static final String SAME = " ~";
    private static final String OTHER = "  ";

    /** Creates the report of these series, compared by those of these figures that a trial has. */
    public static MatrixReport of(List<Series> all, List<Figure> figures) {
        List<TrialResult> results =
                all.stream().flatMap(each -> each.results().stream()).toList();
        return new MatrixReport(
                all,
                figures.stream()
                        .filter(figure -> !all.isEmpty())
                        .filter(figure -> results.isEmpty()
                                || results.stream()
                                        .anyMatch(result -> figure.value().apply(result) != null))
                        .map(figure -> Comparison.of(all, figure))
                        .toList());
    }

    public List<String> lines(String title, Path folder, Terminal terminal) {
        TextReport report = new TextReport(terminal);
        report.text(title);
        remarksOnProvisional().forEach(remark -> report.line(Tone.WARNING, remark));
        report.gap().table(table()).gap();
        report.text(
                        "Median [whole range] of the trials; * the best median, ~ within the noise of it: the ranges overlap, or"
                                + " the medians differ by no more than identical trials did.")
                .texts(notes());
        if (!terminal.isColoured()) {
            report.text("Figures in parentheses have fewer than 100 samples above them.");
        }
        List<GuaranteeCost> costs = GuaranteeCost.of(all);
        if (!costs.isEmpty()) {
            report.gap()
                    .text(GuaranteeCost.HEADING)
                    .table(GuaranteeCost.table(costs))
                    .gap();
        }
        all.forEach(each -> report.texts(each.variant().name() + ": ", remarks(each)));
        report.texts(Remarks.onOtherProcessesById(
                all.stream().flatMap(each -> each.results().stream()).toList()));
        all.stream()
                .flatMap(each -> each.results().stream())
                .findFirst()
                .ifPresent(any -> report.gap().lines(Remarks.onMachine(any.environment(), folder, report.width())));
        return report.line("files: " + folder).lines();
    }

    private List<String> remarksOnProvisional() {
        return Remarks.onProvisional(
                all.stream().flatMap(each -> each.results().stream()).toList());
    }

    /**
     * Returns the result, stored with the trials: the best variant, in a sentence for each of the first figures that can be ranked and that
     * are based on enough samples.
     */
    public Headline headline(String title) {
        List<String> answers = comparisons.stream()
                .filter(each -> each.isRanking() && !each.hasFewSamples().contains(true))
                .filter(each -> each.best().stream().anyMatch(best -> best >= 0))
                .limit(ANSWERS)
                .map(each -> each.figure().name() + ", " + answer(each) + ".")
                .toList();
        return new Headline(
                title, answers.isEmpty() ? List.of("No figure has enough samples to name a best variant.") : answers);
    }

    private String answer(Comparison comparison) {
        List<String> parts = new ArrayList<>();
        for (int row = 0; row < all.size(); row++) {
            if (comparison.isBest(row)) {
                int best = row;
                List<String> same = IntStream.range(0, all.size())
                        .filter(other -> other != best
                                && comparison.best().get(other) == best
                                && comparison.isAsGoodAsBest(other))
                        .mapToObj(other -> all.get(other).variant().name())
                        .toList();
                String median = comparison
                        .figure()
                        .text()
                        .apply(comparison.spreads().get(row).median());
                parts.add(all.get(row).variant().name() + " (" + median + ")"
                        + (same.isEmpty() ? "" : ", within the noise of " + String.join(", ", same)));
            }
        }
        return (parts.size() > 1 ? "best of those with equal guarantees: " : "best: ") + String.join("; ", parts);
    }

    private Table table() {
        List<Cell> headings = new ArrayList<>();
        comparisons.forEach(each -> headings.add(Cell.of(each.figure().name() + OTHER, Tone.BOLD)));
        headings.add(Cell.of("verdicts", Tone.BOLD));
        Table table = new Table(headings);
        for (int i = 0; i < all.size(); i++) {
            int row = i;
            List<Cell> cells = new ArrayList<>();
            comparisons.forEach(each -> cells.add(cell(each, row)));
            cells.add(verdictCell(all.get(row)));
            table.row(all.get(row).variant().name(), cells);
        }
        return table;
    }

    private static Cell cell(Comparison comparison, int row) {
        Spread spread = comparison.spreads().get(row);
        return spread == null
                ? ResultTable.NONE
                : Cell.of(
                        spread.text(comparison.figure().text()) + mark(row, comparison),
                        comparison.hasFewSamples().get(row) ? Tone.GREY : Tone.PLAIN);
    }

    private static String mark(int row, Comparison comparison) {
        return comparison.isBest(row) ? BEST : comparison.isAsGoodAsBest(row) ? SAME : OTHER;
    }

    private static Cell verdictCell(Series series) {
        if (series.variant().isSkipped()) {
            return Cell.of("skipped", Tone.WARNING);
        }
        boolean isGood = series.failures().isEmpty()
                && series.results().stream().allMatch(result -> result.outcome().verdict() == Verdict.PASS);
        return Cell.of(verdicts(series), isGood ? Tone.GOOD : Tone.WARNING);
    }

    /** Returns the numbers of a variant's trials by verdict. */
    public static String verdicts(Series series) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        series.results().stream()
                .sorted(Comparator.comparing(result -> result.outcome().verdict()))
                .forEach(result -> counts.merge(Verdicts.word(result), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        counts.forEach((word, count) -> words.add(count + " " + word.toLowerCase(Locale.ROOT)));
        if (!series.failures().isEmpty()) {
            words.add(series.failures().size() + " without result");
        }
        return String.join(", ", words);
    }

    /** Returns remarks on the noise, and on figures that may not be ranked. */
    public List<String> notes() {
        List<String> noise = comparisons.stream()
                .filter(Comparison::isRanking)
                .map(each -> each.figure().name() + " " + share(each.noise()))
                .toList();
        boolean isUnknown = comparisons.stream().allMatch(each -> Double.isInfinite(each.noise()));
        List<String> notes = new ArrayList<>();
        notes.add(
                isUnknown
                        ? "Too few identical trials to distinguish a difference from chance: use --trials 2 or more."
                        : "Identical trials (the first row and its repetition) ranged over " + String.join(", ", noise)
                                + ".");
        boolean isMixed = all.stream()
                        .filter(each -> !each.results().isEmpty())
                        .map(Series::promises)
                        .distinct()
                        .count()
                > 1;
        if (isMixed) {
            notes.add("The transports have different guarantees: only rows with equal ones are ranked.");
        }
        return notes;
    }

    private static String share(double noise) {
        return Double.isInfinite(noise) ? "(too few trials)" : Units.percent(noise);
    }

    private static List<String> remarks(Series series) {
        if (series.variant().isSkipped()) {
            return List.of("skipped, " + series.variant().skipped());
        }
        List<String> remarks =
                new ArrayList<>(series.failures().stream().distinct().toList());
        series.results().stream()
                .filter(result -> result.outcome().verdict() != Verdict.PASS)
                .map(result -> result.outcome().verdict() + ", " + Verdicts.reasons(result))
                .distinct()
                .forEach(remarks::add);
        return remarks;
    }
}
