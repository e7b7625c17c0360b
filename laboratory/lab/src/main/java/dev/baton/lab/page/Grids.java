package dev.baton.lab.page;

import dev.baton.lab.matrix.Comparison;
import dev.baton.lab.matrix.MatrixAnswer;
import dev.baton.lab.matrix.MatrixReport;
import dev.baton.lab.matrix.Series;
import dev.baton.lab.matrix.Spread;
import dev.baton.lab.matrix.Variant;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The variants of a matrix, put together again from its trials' results. Immutable, thread-safe. */
final class Grids {
    private final List<Series> all;
    private final List<Figure> figures;
    private final List<Comparison> comparisons;

    private Grids(List<Series> all, List<Figure> figures) {
        this.all = all;
        this.figures = figures;
        this.comparisons = figures.stream()
                .map(figure -> Comparison.of(all, figure.value(), figure.isLessBetter()))
                .toList();
    }

    /** Of one or more trials. Those that were interrupted are omitted. */
    static Grids of(List<TrialResult> trials, Names names) {
        Map<String, List<TrialResult>> rows = new TreeMap<>();
        trials.stream()
                .filter(trial -> trial.outcome().verdict() != Verdict.INTERRUPTED)
                .forEach(trial -> rows.computeIfAbsent(Names.row(trial), row -> new ArrayList<>())
                        .add(trial));
        List<Series> all = rows.values().stream()
                .map(row -> new Series(Variant.measured(names.series(row.get(0))), row, List.of()))
                .toList();
        return new Grids(all, StudyView.of(trials.get(0).plan().study()).figures());
    }

    /** Whether there is anything to rank. */
    boolean isEmpty() {
        return all.isEmpty();
    }

    /** What came of it, where nobody has written it down. */
    Headline headline(String asked) {
        return new Headline(asked, MatrixAnswer.sentences(all, figures, comparisons));
    }

    Grid grid() {
        List<Grid.Row> rows = new ArrayList<>();
        for (int row = 0; row < all.size(); row++) {
            List<Grid.Cell> cells = new ArrayList<>();
            for (int column = 0; column < figures.size(); column++) {
                cells.add(cell(row, figures.get(column), comparisons.get(column)));
            }
            rows.add(new Grid.Row(all.get(row).variant().name(), cells, verdicts(all.get(row))));
        }
        return new Grid(
                figures.stream().map(Figure::name).toList(), rows, MatrixReport.notes(all, figures, comparisons));
    }

    private Grid.Cell cell(int row, Figure figure, Comparison comparison) {
        Spread spread = comparison.spreads().get(row);
        if (spread == null) {
            return new Grid.Cell("-", "", "", null, false);
        }
        String range = spread.count() == 1
                ? ""
                : figure.text().apply(spread.least()) + " .. " + figure.text().apply(spread.most());
        boolean hasFewSamples = all.get(row).results().stream()
                .anyMatch(result -> figure.value().apply(result) != null
                        && figure.hasFewSamples().apply(result));
        int best = comparison.best().get(row);
        boolean isRanked = best >= 0 && figure.isLessBetter() != null && !hasFewSamples; // grey is never a verdict
        Double times = isRanked ? times(spread, comparison.spreads().get(best), figure.isLessBetter()) : null;
        String rank =
                !isRanked ? "" : comparison.isBest(row) ? "best" : comparison.isAsGoodAsBest(row) ? "same" : "worse";
        return new Grid.Cell(figure.text().apply(spread.median()), range, rank, times, hasFewSamples);
    }

    /** How many times worse than the best; null where that is no number. */
    private static Double times(Spread spread, Spread best, boolean isLessBetter) {
        double times = isLessBetter ? spread.median() / best.median() : best.median() / spread.median();
        return Double.isFinite(times) ? Double.valueOf(Math.round(times * 1e3) / 1e3) : null;
    }

    private static String verdicts(Series series) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        series.results().forEach(result -> counts.merge(Verdicts.word(result), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        counts.forEach((word, count) -> words.add(count + " " + word.toLowerCase(Locale.ROOT)));
        return String.join(", ", words);
    }

    /**
     * A matrix as a coloured grid. Immutable, thread-safe.
     *
     * @param headings of its columns
     * @param legend what the marks mean and how much is chance
     */
    record Grid(List<String> headings, List<Row> rows, List<String> legend) {
        /** One variant. */
        record Row(String name, List<Cell> cells, String verdicts) {}

        /**
         * One figure of a variant.
         *
         * @param range of all its trials; empty when it was measured once
         * @param rank {@code best}, {@code same} as the best as far as this data can tell, {@code worse}, or empty
         * @param times the best one's value; 1 for the best; null when it is not ranked
         */
        record Cell(String median, String range, String rank, Double times, boolean hasFewSamples) {}
    }
}
