package dev.baton.lab.study.jitter;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Latencies of all runs in the rows of a published table, and that table beside them. Stateless, thread-safe. */
final class JitterTable {
    private static final String FILE = "jitter-jvm.csv";
    private static final String SOURCE =
            "\"Runtime Jitter - Zing vs Hotspot\", 2015-09-07: nanoTime through a Disruptor from a producer to an"
                    + " accumulator; tuned Linux";
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};
    private static final Cell NONE = Cell.of("-");

    /** Where the figures begin in the published rows: mean, min, the percentiles, max, count. */
    private static final int FIRST_FIGURE = 2;

    private static final int P50 = FIRST_FIGURE + 2;
    private static final int COUNT = FIRST_FIGURE + PERCENTILES.length + 3;

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
        rows(table, "service   ", runs, TrialResult::service, published);
        table.gap();
        rows(table, "response  ", runs, TrialResult::response, List.of());
        List<String> lines = new ArrayList<>(table.lines(paint, width));
        lines.add("");
        lines.addAll(Wrapped.lines(
                "",
                "service: from the producer's own nanoTime, as published elsewhere; a stall of the producer is not in"
                        + " it. response: from the moment the message was due; everything is in it.",
                width));
        if (!published.isEmpty()) {
            lines.addAll(Wrapped.lines("", PublishedFile.TITLE + ": " + SOURCE + legend(published), width));
        }
        return lines;
    }

    /** What is published, as series of percentiles. */
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
        StringBuilder legend = new StringBuilder();
        for (int i = 0; i < published.size(); i++) {
            legend.append(i == 0 ? "; " : ", ")
                    .append(i + 1)
                    .append(": ")
                    .append(published.get(i)[0]);
            legend.append(" with forced safepoints: ").append(published.get(i)[1]);
        }
        return legend.toString();
    }

    /** A row for each published figure, in their order. @param published to be shown beside; empty for dashes */
    private static void rows(
            Table table,
            String first,
            List<TrialResult> runs,
            Function<TrialResult, Latency> latency,
            List<String[]> published) {
        Map<String, Function<Latency, Cell>> figures = new LinkedHashMap<>();
        figures.put("mean", JitterTable::mean);
        figures.put("min", each -> time(each.minNanos()));
        for (double percentile : PERCENTILES) {
            figures.put(number(percentile) + " %", each -> ResultTable.percentile(each, percentile));
        }
        figures.put("max", each -> time(each.maxNanos()));
        figures.put("count", each -> Cell.of(Units.count(each.count())));
        int column = FIRST_FIGURE;
        int others = PublishedFile.rows(FILE).size();
        String label = first;
        for (Map.Entry<String, Function<Latency, Cell>> figure : figures.entrySet()) {
            List<Cell> cells = new ArrayList<>();
            runs.forEach(run -> cells.add(figure.getValue().apply(latency.apply(run))));
            for (int i = 0; i < others; i++) {
                cells.add(
                        published.isEmpty()
                                ? NONE
                                : published(Long.parseLong(published.get(i)[column]), column));
            }
            table.row(label + figure.getKey(), cells);
            label = " ".repeat(first.length());
            column++;
        }
    }

    private static Cell published(long value, int column) {
        return Cell.of(column == COUNT ? Units.count(value) : Units.time(value));
    }

    private static Cell mean(Latency latency) {
        return latency.meanNanos() == null ? NONE : Cell.of(Units.time(Math.round(latency.meanNanos())));
    }

    private static Cell time(Long nanos) {
        return nanos == null ? NONE : Cell.of(Units.time(nanos));
    }

    private static String number(double percentile) {
        return ResultTable.name(percentile).substring(1);
    }
}
