package dev.baton.lab.matrix;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
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
 * and which differences are more than what identical trials differ by. Stateless, thread-safe.
 */
public final class MatrixReport {
    private static final Cell NONE = Cell.of("-");
    private static final String BEST = " *";
    private static final String SAME = " ~";
    private static final String OTHER = "  ";

    private MatrixReport() {}

    /**
     * All lines.
     *
     * @param title what was asked
     * @param all a series per row, the A/A pair's second half last
     * @param folder that holds the files
     */
    public static List<String> lines(
            String title, List<Series> all, List<Figure> figures, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        List<Comparison> comparisons = comparisons(all, figures);
        List<String> lines = new ArrayList<>(Wrapped.lines("", title, width));
        lines.add("");
        lines.addAll(table(all, figures, comparisons).lines(paint, width));
        lines.add("");
        lines.addAll(legend(all, figures, comparisons, paint, width));
        for (Series each : all) {
            remarks(each)
                    .forEach(remark -> lines.addAll(Wrapped.lines(each.variant().name() + ": ", remark, width)));
        }
        all.stream().flatMap(each -> each.results().stream()).findFirst().ifPresent(any -> {
            lines.add("");
            lines.addAll(Remarks.onMachine(any.environment(), folder, width));
        });
        lines.add("files: " + folder);
        return lines;
    }

    /** What came of it, to be kept beside the results. */
    public static Headline headline(String title, List<Series> all, List<Figure> figures) {
        return new Headline(title, MatrixAnswer.sentences(all, figures, comparisons(all, figures)));
    }

    private static List<Comparison> comparisons(List<Series> all, List<Figure> figures) {
        return figures.stream()
                .map(figure -> Comparison.of(all, figure.value(), figure.isLessBetter()))
                .toList();
    }

    private static Table table(List<Series> all, List<Figure> figures, List<Comparison> comparisons) {
        List<Cell> headings = new ArrayList<>();
        figures.forEach(figure -> headings.add(Cell.of(figure.name() + OTHER, Tone.BOLD)));
        headings.add(Cell.of("verdicts", Tone.BOLD));
        Table table = new Table(headings);
        for (int row = 0; row < all.size(); row++) {
            List<Cell> cells = new ArrayList<>();
            for (int column = 0; column < figures.size(); column++) {
                cells.add(cell(all.get(row), row, figures.get(column), comparisons.get(column)));
            }
            cells.add(verdicts(all.get(row)));
            table.row(all.get(row).variant().name(), cells);
        }
        return table;
    }

    private static Cell cell(Series series, int row, Figure figure, Comparison comparison) {
        Spread spread = comparison.spreads().get(row);
        if (spread == null) {
            return NONE;
        }
        boolean hasFewSamples = series.results().stream()
                .anyMatch(result -> figure.value().apply(result) != null
                        && figure.hasFewSamples().apply(result));
        return Cell.of(spread.text(figure.text()) + mark(row, comparison), hasFewSamples ? Tone.GREY : Tone.PLAIN);
    }

    private static String mark(int row, Comparison comparison) {
        return comparison.isBest(row) ? BEST : comparison.isAsGoodAsBest(row) ? SAME : OTHER;
    }

    private static Cell verdicts(Series series) {
        if (series.variant().isSkipped()) {
            return Cell.of("skipped", Tone.WARNING);
        }
        Map<String, Integer> counts = new LinkedHashMap<>();
        series.results().stream()
                .sorted(Comparator.comparing(result -> result.outcome().verdict()))
                .forEach(result -> counts.merge(Verdicts.word(result), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        counts.forEach((word, count) -> words.add(count + " " + word.toLowerCase(Locale.ROOT)));
        if (!series.failures().isEmpty()) {
            words.add(series.failures().size() + " without result");
        }
        boolean isGood = series.failures().isEmpty()
                && series.results().stream().allMatch(result -> result.outcome().verdict() == Verdict.PASS);
        return Cell.of(String.join(", ", words), isGood ? Tone.GOOD : Tone.WARNING);
    }

    private static List<String> legend(
            List<Series> all, List<Figure> figures, List<Comparison> comparisons, Paint paint, int width) {
        List<String> sentences = new ArrayList<>(notes(all, figures, comparisons));
        sentences.add(
                0,
                "Median [whole range] of the trials; * the best median, ~ cannot be told from it: the ranges overlap, or the"
                        + " medians differ by no more than identical trials did.");
        if (!paint.isColoured()) {
            sentences.add("Figures in parentheses have fewer than 100 samples above them.");
        }
        List<String> lines = new ArrayList<>();
        sentences.forEach(sentence -> lines.addAll(Wrapped.lines("", sentence, width)));
        return lines;
    }

    /** How much is chance, and what may not be ranked. */
    public static List<String> notes(List<Series> all, List<Figure> figures, List<Comparison> comparisons) {
        List<String> noise = IntStream.range(0, figures.size())
                .filter(i -> figures.get(i).isLessBetter() != null)
                .mapToObj(i ->
                        figures.get(i).name() + " " + share(comparisons.get(i).noise()))
                .toList();
        boolean isUnknown = comparisons.stream().allMatch(each -> Double.isInfinite(each.noise()));
        List<String> notes = new ArrayList<>();
        notes.add(
                isUnknown
                        ? "Too few identical trials to tell any difference from chance: take --trials 2 or more."
                        : "Identical trials (the first row and its repetition) ranged over " + String.join(", ", noise)
                                + ".");
        boolean isMixed = all.stream()
                        .filter(each -> !each.results().isEmpty())
                        .map(Series::promises)
                        .distinct()
                        .count()
                > 1;
        if (isMixed) {
            notes.add("The transports promise different things: only rows that promise the same are ranked.");
        }
        return notes;
    }

    private static String share(double noise) {
        return Double.isInfinite(noise) ? "(too few trials to say)" : Units.percent(noise);
    }

    private static List<String> remarks(Series series) {
        if (series.variant().isSkipped()) {
            return List.of("skipped, " + series.variant().skipped());
        }
        List<String> remarks =
                new ArrayList<>(series.failures().stream().distinct().toList());
        series.results().stream()
                .filter(result -> result.outcome().verdict() != Verdict.PASS)
                .map(MatrixReport::reasons)
                .distinct()
                .forEach(remarks::add);
        return remarks;
    }

    private static String reasons(TrialResult result) {
        return result.outcome().verdict() + ", " + Verdicts.reasons(result);
    }
}
