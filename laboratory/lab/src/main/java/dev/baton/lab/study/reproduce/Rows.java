package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A study's table: our rows, a column for each figure, and below them the published rows. Confined to one thread. */
final class Rows {
    private final Map<String, Function<TrialResult, Cell>> columns = new LinkedHashMap<>();
    private final Map<String, List<Cell>> ours = new LinkedHashMap<>();
    private final Map<String, List<Cell>> theirs = new LinkedHashMap<>();

    private final List<Note> notes = new ArrayList<>();

    private record Note(String label, String text) {}

    Rows column(String heading, Function<TrialResult, Cell> cell) {
        columns.put(heading, cell);
        return this;
    }

    /** Adds a column with a percentile of the reading, formatted as in the other columns. */
    Rows percentile(String heading, Function<TrialResult, Latency> reading, double percentile) {
        return column(heading, trial -> ResultTable.percentile(reading.apply(trial), percentile));
    }

    /** Adds our rows: every trial of these steps. @param label of a trial, after its step */
    Rows ours(List<Reproduced> steps, BiFunction<StudyStep, TrialResult, String> label) {
        steps.forEach(each -> each.trials().forEach(trial -> add(label.apply(each.step(), trial), trial)));
        return this;
    }

    /** Adds a row of ours; the second of two equal labels gets a number. */
    void add(String label, TrialResult trial) {
        ours.put(
                free(label, ours),
                columns.values().stream().map(each -> each.apply(trial)).toList());
    }

    private static String free(String label, Map<String, List<Cell>> rows) {
        String free = label;
        for (int i = 2; rows.containsKey(free); i++) {
            free = label + " (" + i + ")";
        }
        return free;
    }

    /** A published row. @param cells of the first columns; an empty or missing one is a dash */
    void addPublished(String label, String... cells) {
        theirs.put(
                free(label, theirs),
                IntStream.range(0, columns.size())
                        .mapToObj(i -> i >= cells.length || cells[i].isEmpty() ? ResultTable.NONE : Cell.of(cells[i]))
                        .toList());
    }

    /** Adds a sentence below the table. @param label before it */
    Rows note(String label, String text) {
        notes.add(new Note(label, text));
        return this;
    }

    /** Returns all lines. @param source of the published rows */
    List<String> lines(String source, Paint paint, int width) {
        String[] headings = columns.keySet().toArray(String[]::new);
        TextReport report = new TextReport(paint, width).line(Tone.BOLD, "here");
        if (ours.isEmpty()) {
            report.line("nothing was measured");
        } else {
            Table table = Table.bold(headings);
            ours.forEach(table::row);
            report.table(table);
        }
        Table table = Table.bold(headings);
        theirs.forEach(table::row);
        report.gap().lines(PublishedFile.lines(table.lines(paint, width), source, paint, width));
        notes.forEach(each -> report.text(each.label(), each.text()));
        return report.lines();
    }
}
