package dev.baton.lab.study.jitter;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Latencies of all runs in the rows of a published table, next to that table. Stateless, thread-safe. */
public final class JitterTable {
    /** The published rows: whose, with which safepoints, and a text for each of {@link #figures}. */
    public static final String FILE = "jitter-jvm.csv";

    private static final String SOURCE =
            "\"Runtime Jitter - Zing vs Hotspot\", 2015-09-07: nanoTime through a Disruptor from a producer to an"
                    + " accumulator; tuned Linux";
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};
    /** The index of the first figure in the published rows: mean, min, the percentiles, max, count. */
    private static final int FIRST_FIGURE = 2;

    private static final int P50 = FIRST_FIGURE + 2;

    private JitterTable() {}

    /** The table, and whose the last columns are. */
    static List<String> lines(List<TrialResult> runs, Paint paint, int width) {
        List<String[]> published = PublishedFile.rows(FILE);
        List<Cell> headings = new ArrayList<>();
        runs.forEach(run -> headings.add(Cell.of(JitterRuns.name(run), Tone.BOLD)));
        for (int i = 0; i < published.size(); i++) {
            headings.add(Cell.of("elsewhere " + (i + 1)));
        }
        Table table = new Table(headings);
        rows(table, "service   ", runs, TrialResult::service, true);
        table.gap();
        rows(table, "response  ", runs, TrialResult::response, false);
        TextReport report = new TextReport(paint, width)
                .table(table)
                .gap()
                .text(
                        "service: from the producer's own nanoTime, as published elsewhere; a stall of the producer is not in"
                                + " it. response: from the moment the message was due; everything is in it.");
        if (!published.isEmpty()) {
            report.text(PublishedFile.TITLE + ": " + SOURCE + legend(published));
        }
        return report.lines();
    }

    /** {@return the published figures, as series of percentiles} */
    static List<PublishedSeries> published() {
        return PublishedFile.rows(FILE).stream()
                .map(row -> new PublishedSeries(
                        row[0] + ", safepoints " + row[1] + " elsewhere",
                        IntStream.range(0, PERCENTILES.length)
                                .mapToObj(i -> PublishedSeries.point(PERCENTILES[i], Double.parseDouble(row[P50 + i])))
                                .toList(),
                        SOURCE))
                .toList();
    }

    private static String legend(List<String[]> published) {
        return IntStream.range(0, published.size())
                .mapToObj(i -> i + 1 + ": " + published.get(i)[0] + " with forced safepoints: "
                        + published.get(i)[1])
                .collect(Collectors.joining(", ", "; ", ""));
    }

    /** A row for each published figure, in their order. @param isPublished whether to show those; otherwise dashes */
    private static void rows(
            Table table,
            String first,
            List<TrialResult> runs,
            Function<TrialResult, Latency> latency,
            boolean isPublished) {
        List<List<String>> published =
                PublishedFile.rows(FILE).stream().map(JitterTable::texts).toList();
        int column = 0;
        for (Map.Entry<String, Function<Latency, Cell>> figure : figures().entrySet()) {
            List<Cell> cells = new ArrayList<>();
            runs.forEach(run -> cells.add(figure.getValue().apply(latency.apply(run))));
            for (List<String> each : published) {
                cells.add(isPublished ? Cell.of(each.get(column)) : ResultTable.NONE);
            }
            table.row((column == 0 ? first : " ".repeat(first.length())) + figure.getKey(), cells);
            column++;
        }
    }

    /** A cell for each published figure, by its name. */
    public static Map<String, Function<Latency, Cell>> figures() {
        Map<String, Function<Latency, Cell>> figures = new LinkedHashMap<>();
        figures.put("mean", each -> time(each.meanNanos() == null ? null : Math.round(each.meanNanos())));
        figures.put("min", each -> time(each.minNanos()));
        for (double percentile : PERCENTILES) {
            figures.put(ResultTable.name(percentile), each -> ResultTable.percentile(each, percentile));
        }
        figures.put("max", each -> time(each.maxNanos()));
        figures.put("count", each -> Cell.of(Units.count(each.count())));
        return figures;
    }

    /** {@return these figures of a published row} */
    public static List<String> texts(String[] row) {
        return IntStream.range(FIRST_FIGURE, row.length)
                .mapToObj(i ->
                        i == row.length - 1 ? Units.count(Long.parseLong(row[i])) : Units.time(Long.parseLong(row[i])))
                .toList();
    }

    private static Cell time(Long nanos) {
        return nanos == null ? ResultTable.NONE : Cell.of(Units.time(nanos));
    }
}
