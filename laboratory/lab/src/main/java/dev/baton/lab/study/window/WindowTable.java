package dev.baton.lab.study.window;

import dev.baton.lab.launch.jvm.CollectorThreads;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.operations.line.Checks;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The trials of a sliding window in rows: how late emissions began, and what that cost. Stateless, thread-safe. */
final class WindowTable {
    private static final double[] PERCENTILES = {50, 99, 99.9, 99.99};
    private static final double TAIL = 99.99;
    private static final double MILLION = 1e6;
    private static final double NANOS = 1e9;

    private WindowTable() {}

    /** Returns the table of the times at which emissions began. */
    static Table latencies(List<TrialResult> trials) {
        Map<String, Function<TrialResult, Cell>> columns = new LinkedHashMap<>();
        columns.put("items/s", trial -> Cell.of(millions(trial.rate().askedPerSecond())));
        columns.put("of the rate", WindowTable::carried);
        addTail(columns, TrialResult::response);
        trials.stream()
                .flatMap(trial -> study(trial).shown().stream())
                .distinct()
                .forEach(limit -> columns.put(limit.toString(), trial -> kept(trial, limit)));
        columns.put("verdict", ResultTable::verdict);
        return table(columns, trials);
    }

    /** Percentiles and the maximum. */
    static <T> void addTail(Map<String, Function<T, Cell>> columns, Function<T, Latency> latency) {
        for (double percentile : PERCENTILES) {
            columns.put(ResultTable.name(percentile), row -> ResultTable.percentile(latency.apply(row), percentile));
        }
        columns.put("max", row -> ResultTable.max(latency.apply(row)));
    }

    /** The share that was complete in time, where that is not all. */
    private static Cell carried(TrialResult trial) {
        double share = trial.rate().share();
        return Cell.of(Units.percent(share), share < 0.999 ? Tone.BAD : Tone.PLAIN);
    }

    private static Cell kept(TrialResult trial, Limit limit) {
        Long nanos = trial.response().nanosAt(limit.percentile());
        if (nanos == null || trial.outcome().verdict() == Verdict.INTERRUPTED) {
            return ResultTable.NONE;
        }
        boolean isKept = nanos < limit.nanos();
        boolean isJudged = trial.plan().limits().contains(limit);
        Tone tone = !isJudged ? Tone.PLAIN : isKept ? Tone.GOOD : Tone.BAD;
        return Cell.of((isKept ? "kept" : "broken") + (isJudged ? "" : ", not judged"), tone);
    }

    /** Returns the table of the times at which they were complete, with both tails without the host's stalls. */
    static Table completions(List<TrialResult> trials) {
        Map<String, Function<TrialResult, Cell>> columns = new LinkedHashMap<>();
        columns.put("done p99.99", trial -> ResultTable.percentile(found(trial).completion(), TAIL));
        columns.put("max", trial -> ResultTable.max(found(trial).completion()));
        columns.put(
                "start p99.99 rest",
                trial -> ResultTable.percentile(found(trial).responseWithout(), TAIL));
        columns.put("start aside", trial -> aside(trial, found(trial).responseWithout()));
        columns.put(
                "done p99.99 rest", trial -> ResultTable.percentile(found(trial).completionWithout(), TAIL));
        columns.put("done aside", trial -> aside(trial, found(trial).completionWithout()));
        return table(columns, trials);
    }

    private static Cell aside(TrialResult trial, Latency without) {
        return Cell.of(Units.count(found(trial).steps() - without.count()));
    }

    static Table costs(List<TrialResult> trials) {
        Map<String, Function<TrialResult, Cell>> columns = new LinkedHashMap<>();
        columns.put("GC pauses", trial -> ResultTable.machine(trial, Machine::gcCount, Units::count));
        columns.put("worst", trial -> ResultTable.machine(trial, Machine::gcWorstNanos, Units::time));
        columns.put("in all", trial -> ResultTable.machine(trial, Machine::gcPauseNanos, Units::time));
        columns.put("allocated/s", WindowTable::allocated);
        columns.put("CPU", trial -> ResultTable.machine(trial, Machine::chainCpuCores, Units::percent));
        columns.put("send delay p99.9", trial -> ResultTable.percentile(trial.sendDelay(), 99.9));
        columns.put("stall", trial -> ResultTable.machine(trial, WindowTable::worstStall, Units::time));
        return table(columns, trials);
    }

    /** Returns the worst stall; null when the host was not watched. */
    private static Long worstStall(Machine machine) {
        return machine.host() == null ? null : machine.host().worstStallNanos();
    }

    private static Cell allocated(TrialResult trial) {
        List<Second> seconds = trial.timeline();
        Double perItem = trial.machine() == null ? null : trial.machine().allocatedBytesPerMessage();
        if (perItem == null || seconds.isEmpty()) {
            return ResultTable.NONE;
        }
        double items = seconds.stream().mapToLong(Second::received).sum();
        return Cell.of(Units.bytes(Math.rint(
                perItem * items * NANOS / seconds.get(seconds.size() - 1).endNanos())));
    }

    private static Table table(Map<String, Function<TrialResult, Cell>> columns, List<TrialResult> trials) {
        return table(columns, trials, Names.among(trials)::of);
    }

    static <T> Table table(Map<String, Function<T, Cell>> columns, List<T> rows, Function<T, String> names) {
        Table table = Table.bold(columns.keySet().toArray(String[]::new));
        rows.forEach(row -> table.row(
                names.apply(row),
                columns.values().stream().map(cell -> cell.apply(row)).toList()));
        return table;
    }

    static WindowStudy.WindowFindings found(TrialResult trial) {
        return (WindowStudy.WindowFindings) trial.findings();
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

    /** The names of the trials of a sliding window: the values in which they may differ. Immutable, thread-safe. */
    record Names(boolean isTransportNamed) {
        /** Names for trials that stand side by side. */
        static Names among(List<TrialResult> trials) {
            return new Names(trials.stream()
                            .map(trial -> trial.plan().subject().transport())
                            .distinct()
                            .count()
                    > 1);
        }

        String of(TrialResult trial) {
            return (isTransportNamed ? inFull(trial.plan()) : text(trial.plan()))
                    + collecting(trial.environment().jvm().flags());
        }

        /** The name of a trial by itself. */
        static String inFull(TrialPlan plan) {
            return plan.subject().transport() + " " + text(plan);
        }

        /** Returns the number of collector threads that run with the loops, if it was given. */
        static String collecting(List<String> flags) {
            Integer threads = CollectorThreads.typed(flags);
            return threads == null ? "" : ", " + threads + " collecting";
        }

        /** Returns the common part of trials that differ only in keys. */
        static String job(TrialPlan plan) {
            return plan.subject().transport() + " " + Checks.typed(((WindowStudy) plan.study()).state()) + ", "
                    + loops(plan);
        }

        private static String text(TrialPlan plan) {
            WindowStudy study = (WindowStudy) plan.study();
            return Checks.typed(study.state()) + ", " + Units.count(study.keys()) + " keys, " + loops(plan);
        }

        private static String loops(TrialPlan plan) {
            int loops = Integer.parseInt(plan.loops().threading().substring(LoopPlan.COOPERATIVE.length()));
            int sources = plan.shape().instances();
            return loops + (loops == 1 ? " loop" : " loops") + (sources == loops ? "" : ", " + sources + " sources");
        }
    }
}
