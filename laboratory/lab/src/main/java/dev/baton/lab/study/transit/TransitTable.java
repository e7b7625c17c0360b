package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.StudyView.FurtherTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * Transits side by side, with what lies above each percentile and the floor under them, and their figures.
 * Stateless, thread-safe.
 */
final class TransitTable {
    static final double HIGHEST_SHOWN = 99.999;

    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, HIGHEST_SHOWN};
    private static final double[] OTHER_READING = {50, 99.9, 99.99};
    private static final double[] OF_FLOOR = {50, 99, 99.9};
    private static final double[] MULTIPLES = {50, 99};

    private TransitTable() {}

    /** Returns the table of messages, times and costs. */
    static Table of(List<TrialResult> trials) {
        Table table = ResultTable.columns(trials);
        ResultTable.deliveryRows(table, trials);
        table.gap();
        if (trials.stream().anyMatch(trial -> trial.plan().load().isReadFromSend())) {
            latencyRows(table, trials, "service   ", PERCENTILES, TrialResult::service);
            ResultTable.row(table, trials, "          max", trial -> ResultTable.max(trial.service()));
            latencyRows(table, trials, "response  ", OTHER_READING, TrialResult::response);
        } else {
            latencyRows(table, trials, "response  ", PERCENTILES, TrialResult::response);
            ResultTable.row(table, trials, "          max", trial -> ResultTable.max(trial.response()));
            latencyRows(table, trials, "service   ", OTHER_READING, TrialResult::service);
        }
        latencyRows(table, trials, "send delay ", new double[] {50, 99.9}, TrialResult::sendDelay);
        if (trials.stream().anyMatch(trial -> floor(trial) != null)) {
            table.gap();
            latencyRows(table, trials, "floor     ", OF_FLOOR, TransitTable::floor);
            rows(table, trials, "multiple of floor ", MULTIPLES, TransitTable::multipleOfFloor);
        }
        table.gap();
        ResultTable.machineRows(table, trials);
        table.gap();
        ResultTable.verdictRow(table, trials);
        return table;
    }

    /** Returns the table of floors on a page; none where none was measured. */
    static List<FurtherTable> floors(List<TrialResult> all, Function<TrialResult, String> name) {
        List<TrialResult> trials =
                all.stream().filter(trial -> floor(trial) != null).toList();
        List<List<Cell>> rows = new ArrayList<>();
        for (TrialResult trial : trials) {
            List<Cell> row = new ArrayList<>(List.of(Cell.of(name.apply(trial))));
            for (double percentile : OF_FLOOR) {
                row.add(ResultTable.percentile(floor(trial), percentile));
            }
            for (double percentile : MULTIPLES) {
                row.add(multipleOfFloor(trial, percentile));
            }
            rows.add(row);
        }
        List<String> headings = new ArrayList<>(List.of("trial"));
        DoubleStream.of(OF_FLOOR)
                .mapToObj(each -> "floor " + ResultTable.name(each))
                .forEach(headings::add);
        DoubleStream.of(MULTIPLES)
                .mapToObj(each -> ResultTable.name(each) + ", multiple of floor")
                .forEach(headings::add);
        return trials.isEmpty()
                ? List.of()
                : List.of(new FurtherTable(
                        "Floor: a number passed between two threads without a transport, and multiples of it",
                        headings,
                        rows,
                        List.of()));
    }

    /** Returns the table of the number of samples above each percentile, on which it is based. */
    static Table above(List<TrialResult> trials) {
        Table table = ResultTable.columns(trials);
        rows(table, trials, "above     ", PERCENTILES, (trial, percentile) -> above(trial.response(), percentile));
        return table;
    }

    private static void latencyRows(
            Table table,
            List<TrialResult> trials,
            String first,
            double[] percentiles,
            Function<TrialResult, Latency> latency) {
        rows(table, trials, first, percentiles, (trial, percentile) -> {
            Latency known = latency.apply(trial);
            return known == null ? ResultTable.NONE : ResultTable.percentile(known, percentile);
        });
    }

    private static void rows(
            Table table,
            List<TrialResult> trials,
            String first,
            double[] percentiles,
            BiFunction<TrialResult, Double, Cell> cell) {
        String label = first;
        for (double percentile : percentiles) {
            ResultTable.row(
                    table, trials, label + ResultTable.name(percentile), trial -> cell.apply(trial, percentile));
            label = " ".repeat(first.length());
        }
    }

    private static Percentile entry(Latency latency, double percentile) {
        return latency == null ? null : latency.find(percentile).orElse(null);
    }

    private static Cell multipleOfFloor(TrialResult trial, double percentile) {
        Double multiple = multiple(trial, percentile);
        return multiple == null ? ResultTable.NONE : Cell.of(times(multiple));
    }

    private static Cell above(Latency latency, double percentile) {
        Percentile entry = entry(latency, percentile);
        return entry == null ? ResultTable.NONE : Cell.of(Units.count(entry.samplesAbove()));
    }

    /** A percentile of the responses as a multiple of the floor's. */
    static Figure timesFloor(double percentile) {
        return new Figure(
                ResultTable.name(percentile) + "/floor",
                trial -> multiple(trial, percentile),
                TransitTable::times,
                true,
                trial -> false);
    }

    static Figure allocated() {
        return new Figure(
                "allocated/msg",
                trial -> trial.machine() == null ? null : trial.machine().allocatedBytesPerMessage(),
                Units::bytes,
                true,
                trial -> false);
    }

    /** Returns the multiple of the floor; null when the floor or the response was not measured. */
    static Double multiple(TrialResult trial, double percentile) {
        Long own = nanosAt(trial.response(), percentile);
        Long bare = nanosAt(floor(trial), percentile);
        return own == null || bare == null || bare == 0 ? null : (double) own / bare;
    }

    /** Returns the latency of the floor; null when it was not measured. */
    static Latency floor(TrialResult trial) {
        return trial.findings() instanceof TransitFindings findings ? findings.floor() : null;
    }

    /** Returns a percentile; null when there is none. */
    static Long nanosAt(Latency latency, double percentile) {
        Percentile entry = entry(latency, percentile);
        return entry == null ? null : entry.nanos();
    }

    /** A multiple as people read it: {@code 1.04 x}. */
    static String times(double multiple) {
        return String.format(Locale.ROOT, multiple < 100 ? "%.2f x" : "%.0f x", multiple);
    }
}
