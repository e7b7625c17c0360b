package dev.baton.lab.page;

import dev.baton.lab.page.TrialData.Text;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The figures of trials under headings: those that no trial has are omitted. Stateless, thread-safe. */
final class TrialTable {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final List<Column> COLUMNS = columns();

    private TrialTable() {}

    private record Column(String heading, Function<TrialResult, Text> text) {}

    /** Of the figures that at least one of these trials has. */
    static List<String> headings(List<TrialResult> trials) {
        return COLUMNS.stream()
                .filter(column -> trials.stream()
                        .anyMatch(trial -> !column.text().apply(trial).equals(Text.NONE)))
                .map(Column::heading)
                .toList();
    }

    /** A text under each heading. */
    static List<Text> row(TrialResult trial, List<String> headings) {
        return COLUMNS.stream()
                .filter(column -> headings.contains(column.heading()))
                .map(column -> column.text().apply(trial))
                .toList();
    }

    private static List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            columns.add(new Column(ResultTable.name(percentile), trial -> percentile(trial.response(), percentile)));
        }
        columns.add(new Column("max", trial -> told(max(trial.response()))));
        columns.add(new Column("send delay p99.9", trial -> percentile(trial.sendDelay(), 99.9)));
        columns.add(new Column("carried/s", trial -> Text.of(rate(trial))));
        columns.add(
                new Column("sent", trial -> Text.of(Units.count(trial.delivery().sent()))));
        columns.add(new Column(
                "delivered", trial -> Text.of(Units.count(trial.delivery().delivered()))));
        columns.add(new Column("CPU", machine(Machine::jvmCpuCores, Units::percent)));
        columns.add(new Column("broker CPU", machine(Machine::brokerCpuCores, Units::percent)));
        columns.add(new Column("RSS", machine(Machine::memory, memory -> Units.bytes(memory.residentBytes()))));
        columns.add(new Column("allocated/msg", machine(Machine::allocatedBytesPerMessage, Units::bytes)));
        columns.add(new Column(
                "steal",
                machine(Machine::host, host -> host.stealShare() == null ? null : Units.percent(host.stealShare()))));
        columns.add(new Column("worst stall", machine(Machine::host, host -> Units.time(host.worstStallNanos()))));
        return List.copyOf(columns);
    }

    private static String rate(TrialResult trial) {
        double rate = trial.rate().achievedPerSecond();
        return rate < 10 ? String.format(Locale.ROOT, "%.2f", rate) : Units.count(Math.round(rate));
    }

    private static Text percentile(Latency latency, double percentile) {
        return latency.percentiles().stream()
                .filter(entry -> Math.abs(entry.percentile() - percentile) < 1e-9 && entry.nanos() != null)
                .findFirst()
                .map(entry -> new Text(Units.time(entry.nanos()), entry.hasFewSamples()))
                .orElse(Text.NONE);
    }

    private static String max(Latency latency) {
        return latency.maxNanos() == null ? null : (latency.clamped() > 0 ? "> " : "") + Units.time(latency.maxNanos());
    }

    private static <T> Function<TrialResult, Text> machine(Function<Machine, T> figure, Function<T, String> text) {
        return trial -> {
            T value = trial.machine() == null ? null : figure.apply(trial.machine());
            return told(value == null ? null : text.apply(value));
        };
    }

    private static Text told(String text) {
        return text == null ? Text.NONE : Text.of(text);
    }
}
