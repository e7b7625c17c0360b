package dev.baton.lab.page;

import dev.baton.lab.matrix.Comparison;
import dev.baton.lab.matrix.MatrixReport;
import dev.baton.lab.matrix.Series;
import dev.baton.lab.matrix.Spread;
import dev.baton.lab.matrix.Variant;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A matrix as a coloured grid. Immutable, thread-safe.
 *
 * @param headings of its columns
 * @param legend what the marks mean and how much is chance
 */
record Grid(List<String> headings, List<Row> rows, List<String> legend) {
    record Row(String name, List<Cell> cells, String verdicts) {}

    /**
     * One figure of a variant.
     *
     * @param range of all its trials; empty for a single trial
     * @param rank {@code best}, {@code same} as the best within the noise, {@code worse}, or empty
     * @param times the best one's value; 1 for the best; null when it is not ranked
     */
    record Cell(String median, String range, String rank, Double times, boolean hasFewSamples) {}

    /** A matrix put together again from the results of one or more trials; those that were interrupted are omitted. */
    static MatrixReport matrix(List<TrialResult> trials, Names names) {
        // By number, which has two digits or, from row 100 on, three.
        Map<String, List<TrialResult>> rows =
                new TreeMap<>(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
        trials.stream()
                .filter(trial -> trial.outcome().verdict() != Verdict.INTERRUPTED)
                .forEach(trial -> rows.computeIfAbsent(Names.row(trial), row -> new ArrayList<>())
                        .add(trial));
        List<Series> all = rows.values().stream()
                .map(row -> new Series(Variant.measured(names.series(row.get(0))), row, List.of()))
                .toList();
        return MatrixReport.of(all, StudyView.of(trials.get(0).plan().study()).figures());
    }

    /** Returns the grid of a matrix; null when there is nothing to rank. */
    static Grid of(MatrixReport matrix) {
        if (matrix.all().isEmpty()) {
            return null;
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < matrix.all().size(); i++) {
            int row = i;
            Series series = matrix.all().get(row);
            List<Cell> cells =
                    matrix.comparisons().stream().map(each -> cell(each, row)).toList();
            rows.add(new Row(series.variant().name(), cells, MatrixReport.verdicts(series)));
        }
        List<String> headings =
                matrix.comparisons().stream().map(each -> each.figure().name()).toList();
        return new Grid(headings, rows, matrix.notes());
    }

    private static Cell cell(Comparison comparison, int row) {
        Figure figure = comparison.figure();
        Spread spread = comparison.spreads().get(row);
        if (spread == null) {
            return new Cell("-", "", "", null, false);
        }
        boolean hasFewSamples = comparison.hasFewSamples().get(row);
        int best = comparison.best().get(row);
        boolean isRanked = best >= 0 && comparison.isRanking() && !hasFewSamples; // grey is never a verdict
        Double times = isRanked ? times(spread, comparison.spreads().get(best), figure.isLessBetter()) : null;
        String rank =
                !isRanked ? "" : comparison.isBest(row) ? "best" : comparison.isAsGoodAsBest(row) ? "same" : "worse";
        return new Cell(figure.text().apply(spread.median()), spread.range(figure.text()), rank, times, hasFewSamples);
    }

    /** Returns the ratio to the best; null where that is no number. */
    private static Double times(Spread spread, Spread best, boolean isLessBetter) {
        double times = isLessBetter ? spread.median() / best.median() : best.median() / spread.median();
        return Double.isFinite(times) ? Double.valueOf(Math.round(times * 1e3) / 1e3) : null;
    }
}
