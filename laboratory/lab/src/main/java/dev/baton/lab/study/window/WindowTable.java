package dev.baton.lab.study.window;

import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The trials of a sliding window in rows: how late emissions began, and what that cost. Stateless, thread-safe. */
final class WindowTable {
    private static final Cell NONE = Cell.of("-");
    private static final double[] PERCENTILES = {50, 99, 99.9, 99.99};
    private static final double TAIL = 99.99;
    private static final double ALL = 100;
    private static final double MILLION = 1e6;
    private static final double NANOS = 1e9;

    private WindowTable() {}

    /** When emissions began, and what was made of that. */
    static Table latencies(List<TrialResult> trials) {
        List<String> headings = new ArrayList<>(List.of("items/s", "carried"));
        for (double percentile : PERCENTILES) {
            headings.add(ResultTable.name(percentile));
        }
        headings.add("max");
        List<Limit> limits = trials.stream()
                .flatMap(trial -> study(trial).shown().stream())
                .distinct()
                .toList();
        limits.forEach(limit -> headings.add(limit.toString()));
        headings.add("verdict");
        return table(headings, trials, trial -> latencyCells(trial, limits));
    }

    private static List<Cell> latencyCells(TrialResult trial, List<Limit> limits) {
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.of(millions(trial.rate().askedPerSecond())));
        cells.add(carried(trial));
        for (double percentile : PERCENTILES) {
            cells.add(ResultTable.percentile(trial.response(), percentile));
        }
        cells.add(ResultTable.max(trial.response()));
        limits.forEach(limit -> cells.add(kept(trial, limit)));
        cells.add(ResultTable.verdict(trial));
        return cells;
    }

    /** The share that was complete in time, where that is not all. */
    private static Cell carried(TrialResult trial) {
        double share = trial.rate().share();
        return Cell.of(Units.percent(share), share < 0.999 ? Tone.BAD : Tone.PLAIN);
    }

    private static Cell kept(TrialResult trial, Limit limit) {
        Long nanos = nanos(trial.response(), limit.percentile());
        if (nanos == null || trial.outcome().verdict() == Verdict.INTERRUPTED) {
            return NONE;
        }
        boolean isKept = nanos < limit.nanos();
        boolean isJudged = trial.plan().limits().contains(limit);
        Tone tone = !isJudged ? Tone.GREY : isKept ? Tone.GOOD : Tone.BAD;
        return Cell.of(isKept ? "kept" : "broken", tone);
    }

    private static Long nanos(Latency latency, double percentile) {
        if (percentile == ALL) {
            return latency.maxNanos();
        }
        return latency.find(percentile).map(Percentile::nanos).orElse(null);
    }

    /** When they were complete, and both tails without what the host did. */
    static Table completions(List<TrialResult> trials) {
        return table(
                List.of("done p99.99", "max", "start p99.99*", "aside", "done p99.99*", "aside"), trials, trial -> {
                    WindowFindings found = (WindowFindings) trial.findings();
                    return List.of(
                            ResultTable.percentile(found.completion(), TAIL),
                            ResultTable.max(found.completion()),
                            ResultTable.percentile(found.responseWithout(), TAIL),
                            Cell.of(Units.count(
                                    found.steps() - found.responseWithout().count())),
                            ResultTable.percentile(found.completionWithout(), TAIL),
                            Cell.of(Units.count(
                                    found.steps() - found.completionWithout().count())));
                });
    }

    /** What it cost. */
    static Table costs(List<TrialResult> trials) {
        return table(
                List.of("GC pauses", "worst", "in all", "allocated/s", "CPU", "send delay p99.9", "stall"),
                trials,
                trial -> List.of(
                        ResultTable.machine(trial, Machine::gcCount, Units::count),
                        ResultTable.machine(trial, Machine::gcWorstNanos, Units::time),
                        ResultTable.machine(trial, Machine::gcPauseNanos, Units::time),
                        allocated(trial),
                        ResultTable.machine(trial, Machine::jvmCpuCores, Units::percent),
                        ResultTable.percentile(trial.sendDelay(), 99.9),
                        ResultTable.machine(trial, WindowTable::worstStall, Units::time)));
    }

    /** Null when nobody watched. */
    private static Long worstStall(Machine machine) {
        return machine.host() == null ? null : machine.host().worstStallNanos();
    }

    private static Cell allocated(TrialResult trial) {
        List<Second> seconds = trial.timeline();
        Double perItem = trial.machine() == null ? null : trial.machine().allocatedBytesPerMessage();
        if (perItem == null || seconds.isEmpty()) {
            return NONE;
        }
        double items = seconds.stream().mapToLong(Second::received).sum();
        return Cell.of(Units.bytes(Math.rint(
                perItem * items * NANOS / seconds.get(seconds.size() - 1).endNanos())));
    }

    private static Table table(
            List<String> headings, List<TrialResult> trials, Function<TrialResult, List<Cell>> cells) {
        WindowNames names = WindowNames.among(trials);
        Table table = new Table(
                headings.stream().map(name -> Cell.of(name, Tone.BOLD)).toList());
        trials.forEach(trial -> table.row(names.of(trial), cells.apply(trial)));
        return table;
    }

    static WindowStudy study(TrialResult trial) {
        return (WindowStudy) trial.plan().study();
    }

    /** A rate of items: {@code 2.00 M}. */
    static String millions(double perSecond) {
        return perSecond < MILLION
                ? Units.count(Math.round(perSecond))
                : String.format(Locale.ROOT, perSecond < 10 * MILLION ? "%.2f M" : "%.1f M", perSecond / MILLION);
    }
}
