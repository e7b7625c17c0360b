package dev.baton.lab.study.chain;

import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PageOfResults;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.reporting.GuaranteesText;
import dev.baton.lab.reporting.Headlines;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Latency over load: measures the maximum of each chain, then its latency at shares of that maximum. A load that a chain does not carry is
 * a result and no failure; a maximum that cannot be measured is a failure. Confined to one thread.
 */
final class CurveSweep {
    static final int LOADS = 8;
    static final int MOST_PERCENT = 200;

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,3})%\\.\\.([0-9]{1,3})%");
    private static final double PERCENT = 0.01;

    /** The first and the last load, in percent of the maximum. */
    record Range(int first, int last) {
        /** Reads {@code 5%..100%}. @throws IllegalArgumentException for other texts */
        static Range of(String text) {
            Matcher matcher = RANGE.matcher(text);
            if (matcher.matches()) {
                Range range = new Range(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
                if (range.first >= 1 && range.first < range.last && range.last <= MOST_PERCENT) {
                    return range;
                }
            }
            throw new IllegalArgumentException(
                    "'" + text + "' is not known; A%..B% with percent of the maximum from 1 to " + MOST_PERCENT
                            + ", the lower first, such as 5%..100%");
        }

        /** {@return the loads in percent, equally far apart, the lowest first} */
        List<Integer> percents() {
            return IntStream.range(0, LOADS)
                    .mapToObj(i -> first + Math.round((last - first) * i / (LOADS - 1f)))
                    .distinct()
                    .toList();
        }
    }

    private final MeasuringCommand command;
    private final Workspace workspace;
    private final Range range;
    private final List<FinishedTrial> faults = new ArrayList<>();
    private final List<TrialResult> results = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();

    CurveSweep(MeasuringCommand command, Workspace workspace, Range range) {
        this.command = command;
        this.workspace = workspace;
        this.range = range;
    }

    /** Runs the sweep of each trial and prints a table for each. @return the exit code */
    int run(List<PlannedTrial> trials) {
        Console console = command.console();
        ExperimentFolder folder = command.beginFolder(List.of());
        TextReport report = new TextReport(console.terminal());
        try (ProgressLine progress = new ProgressLine(console.err(), console.terminal(), TrialPlan::id)) {
            Trials runner = command.bench().trials(folder, workspace, progress);
            for (PlannedTrial trial : trials) {
                TrialResult most = run(
                        runner,
                        trial.with(trial.plan()
                                .under(saturating(trial.plan().load()))
                                .asking(trial.plan().study(), List.of()) // limits are kept at loads, not at saturation
                                .named(trial.plan().id() + "-max")));
                if (most != null && isMaximum(most)) {
                    Map<Integer, TrialResult> measured = sweep(runner, trial, most);
                    table(report, most, measured);
                    answers.add(answer(most, measured));
                } else if (most != null) {
                    String unknown = TrialNames.of(most.plan())
                            + ": its maximum is not known, so that no share of it was measured; " + Verdicts.word(most)
                            + ", " + Verdicts.reasons(most);
                    report.gap().text(unknown);
                    answers.add(unknown + ".");
                }
            }
        }
        folder.end();
        if (!results.isEmpty()) {
            Remarks.onProvisional(results).forEach(remark -> report.gap().text(Tone.WARNING, remark));
            console.print(report.gap()
                    .texts(Remarks.onSamples(results, console.terminal().paint()))
                    .texts(Remarks.onCounts(results))
                    .texts(Remarks.onLateSends(results))
                    .texts(Remarks.onPromises(oneOfEach()))
                    .texts(Remarks.onOtherProcessesById(results))
                    .gap()
                    .lines(GuaranteesText.lines(oneOfEach(), console.terminal().columns()))
                    .gap()
                    .lines(Remarks.onRun(
                            oneOfEach(),
                            TrialNames.among(results)::of,
                            folder.path(),
                            console.terminal().columns()))
                    .lines());
            command.showGuarantees(oneOfEach());
            PageOfResults.write(folder.measured(), headline(), console);
        }
        folder.discardIfEmpty();
        return command.conclude(faults, !results.isEmpty(), workspace, ExitCode.OK);
    }

    private Headline headline() {
        Shape shape = results.get(0).plan().shape();
        List<String> all = new ArrayList<>(Headlines.provisional(results));
        all.addAll(answers);
        return new Headline(
                "Latency over load, " + range.first + " % to " + range.last + " % of the maximum; " + about(shape),
                all);
    }

    /** Returns the maximum of a chain, and the highest load that it carried. */
    private static String answer(TrialResult most, Map<Integer, TrialResult> measured) {
        String carried = measured.entrySet().stream()
                .filter(each -> each.getValue().isRateKept())
                .reduce((lower, higher) -> higher)
                .map(each -> "the highest load that was reached is " + each.getKey() + " %, "
                        + Units.count(perSecond(each.getValue())) + " msg/s, with p99 "
                        + Units.time(each.getValue().response().at(99).nanos()))
                .orElse("none of the loads was reached");
        return TrialNames.of(most.plan()) + ": maximum "
                + Units.count(Math.round(most.rate().achievedPerSecond())) + " msg/s; " + carried + ".";
    }

    private static long perSecond(TrialResult result) {
        return Math.round(
                result.plan().load().ratePerSecond() * result.plan().shape().instances());
    }

    private static String about(Shape shape) {
        return ChainReport.chain(shape) + ", " + Units.counted(shape.instances(), "instance") + ", payload "
                + Remarks.onPayload(shape);
    }

    private static boolean isMaximum(TrialResult most) {
        return most.outcome().verdict() == Verdict.PASS && most.rate().achievedPerSecond() > 0;
    }

    /** Returns the load with which the maximum is found: from the same thread as the loads that are shares of it. */
    private static Load saturating(Load load) {
        return load.at(Load.MOST_RATE).arriving(Load.Arrivals.SATURATED, 0);
    }

    /** Returns one result of each chain, at a load if there is one: all loads of a chain ran alike. */
    private List<TrialResult> oneOfEach() {
        Map<String, TrialResult> byName = new LinkedHashMap<>();
        results.forEach(result -> byName.put(TrialNames.of(result.plan()), result));
        return List.copyOf(byName.values());
    }

    /** Returns the results by percent of the maximum. */
    private Map<Integer, TrialResult> sweep(Trials runner, PlannedTrial trial, TrialResult most) {
        Map<Integer, TrialResult> measured = new TreeMap<>();
        for (int percent : range.percents()) {
            double rate = rate(most, percent);
            if (rate > Load.MOST_RATE) {
                break; // the following loads are greater
            }
            TrialPlan plan = trial.plan();
            TrialResult result =
                    run(runner, trial.with(plan.under(plan.load().at(rate)).named(plan.id() + "-" + percent + "pct")));
            if (result == null) {
                break;
            }
            measured.put(percent, result);
        }
        return measured;
    }

    /** Returns the messages per second of each instance at a share of the maximum. */
    private static double rate(TrialResult most, int percent) {
        double maximum = most.rate().achievedPerSecond() / most.plan().shape().instances();
        return Math.max(Load.LEAST_RATE, Math.rint(maximum * percent * PERCENT));
    }

    /** Returns the result; null if there is none, or the command was interrupted. */
    private TrialResult run(Trials runner, PlannedTrial trial) {
        if (command.bench().interruption().isRequested()) {
            return null;
        }
        List<FinishedTrial> finished = runner.run(List.of(trial));
        TrialResult result = finished.isEmpty() ? null : finished.get(0).result();
        boolean isToPass = trial.plan().load().isSaturated();
        if (result == null
                || isToPass && !isMaximum(result)
                || result.outcome().verdict() == Verdict.INTERRUPTED
                || !result.delivery().isFaultless()
                || result.outcome().stop().isPresent()) {
            faults.addAll(finished);
        }
        if (result != null) {
            results.add(result);
        }
        return command.bench().interruption().isRequested() ? null : result;
    }

    private void table(TextReport report, TrialResult most, Map<Integer, TrialResult> measured) {
        report.gap()
                .text(TrialNames.of(most.plan()) + ": " + about(most.plan().shape()) + "; maximum "
                        + Units.count(Math.round(most.rate().achievedPerSecond())) + " msg/s")
                .gap();
        Table table = new Table(Stream.of("msg/s", "of the rate", "p50", "p99", "p99.9", "max", "CPU", "verdict")
                .map(Cell::of)
                .toList());
        measured.forEach((percent, result) -> table.row(
                percent + " %",
                List.of(
                        Cell.of(Units.count(perSecond(result))),
                        result.rate().askedPerSecond() == 0
                                ? ResultTable.NONE
                                : Cell.of(Units.percent(result.rate().worstShare())),
                        ResultTable.percentile(result.response(), 50),
                        ResultTable.percentile(result.response(), 99),
                        ResultTable.percentile(result.response(), 99.9),
                        ResultTable.max(result.response()),
                        ResultTable.figure(result, "CPU"),
                        ResultTable.verdict(result))));
        report.table(table);
        String overloaded = measured.entrySet().stream()
                .filter(each -> !each.getValue().isRateKept())
                .map(each -> each.getKey() + " %")
                .collect(Collectors.joining(", "));
        String beyond = range.percents().stream()
                .filter(percent -> rate(most, percent) > Load.MOST_RATE)
                .map(percent -> percent + " %")
                .collect(Collectors.joining(", "));
        if (!beyond.isEmpty()) {
            report.text("not measured, as an instance is sent at most " + Units.count(Math.round(Load.MOST_RATE))
                    + " msg/s: " + beyond);
        }
        if (!overloaded.isEmpty()) {
            report.text("overloaded, as less than 99.9 % of the rate was reached: " + overloaded);
        }
    }
}
