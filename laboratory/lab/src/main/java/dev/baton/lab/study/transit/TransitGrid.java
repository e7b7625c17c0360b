package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Frame;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The final output of {@code baton transit --sweep}: a row for each rate, a column for each size. Stateless, thread-safe. */
public final class TransitGrid {
    private static final double[] PERCENTILES = {50, 99.9};

    private static final String DID_NOT_PASS = "!"; // behind a figure of a trial that did not pass

    private TransitGrid() {}

    public static List<String> lines(List<TrialResult> trials, Path folder, Terminal terminal) {
        TextReport report = new TextReport(terminal).text(title(trials.get(0).plan()));
        bySubject(trials).forEach((name, own) -> {
            for (double percentile : PERCENTILES) {
                report.gap()
                        .line(Tone.BOLD, name + ", response " + ResultTable.name(percentile))
                        .table(grid(own, trial -> latency(trial, percentile)));
            }
            if (own.stream().anyMatch(trial -> TransitTable.multiple(trial, 50) != null)) {
                report.gap()
                        .line(Tone.BOLD, name + ", response p50 as a multiple of its trial's floor")
                        .table(grid(own, TransitGrid::multiple));
            }
        });
        report.gap();
        if (trials.stream().anyMatch(trial -> !isPass(trial))) {
            report.text(DID_NOT_PASS + " did not pass:");
            trials.stream()
                    .filter(trial -> !isPass(trial))
                    .forEach(trial -> report.text(
                            "  " + trial.plan().id() + " " + trial.outcome().verdict() + ": ",
                            Verdicts.reasons(trial)));
        }
        boolean isColoured = terminal.isColoured();
        if (trials.stream()
                .anyMatch(trial -> trial.response().percentiles().stream()
                        .anyMatch(each -> each.percentile() <= 99.9 && each.hasFewSamples()))) {
            report.text((isColoured ? "Grey figures" : "Figures in parentheses")
                    + " have fewer than 100 samples above them.");
        }
        if (trials.stream().anyMatch(trial -> !TransitRemarks.doubt(trial).isEmpty())) {
            report.text((isColoured ? "Grey multiples" : "Multiples in parentheses")
                    + " have a disturbed floor: repeat them on a quiet machine.");
        }
        List<TrialResult> subjects =
                bySubject(trials).values().stream().map(each -> each.get(0)).toList();
        TransitReport.conditions(report, subjects);
        return report.gap()
                .lines(Remarks.onRun(subjects, TrialNames.among(subjects)::of, folder, report.width()))
                .lines();
    }

    private static String title(TrialPlan plan) {
        return "one topic from one thread to another, each point a trial of "
                + Units.typed(Duration.ofNanos(plan.phases().measureNanos())) + " after "
                + Units.typed(Duration.ofNanos(plan.phases().warmupNanos())) + " (" + Sweep.STEPS
                + "); messages/s down, bytes"
                + " of a message across, " + Frame.HEADER_BYTES
                + " of them header; response times run from the intended send; provisional: where to look, not an answer";
    }

    private static Map<String, List<TrialResult>> bySubject(List<TrialResult> trials) {
        return trials.stream()
                .collect(Collectors.groupingBy(
                        trial -> trial.plan().subject().transport() + " "
                                + trial.plan().subject().engine(),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    private static Table grid(List<TrialResult> trials, Function<TrialResult, Cell> cell) {
        TreeSet<Double> rates = new TreeSet<>();
        TreeSet<Integer> sizes = new TreeSet<>();
        trials.forEach(trial -> {
            rates.add(trial.plan().load().ratePerSecond());
            sizes.add(size(trial));
        });
        Table table = new Table(sizes.stream()
                .map(size -> Cell.of(Units.count(size) + " B", Tone.BOLD))
                .toList());
        for (double rate : rates) {
            table.row(
                    Units.rate(rate) + "/s",
                    sizes.stream()
                            .map(size -> trials.stream()
                                    .filter(trial -> size(trial) == size
                                            && trial.plan().load().ratePerSecond() == rate)
                                    .findFirst()
                                    .map(cell)
                                    .orElse(Cell.of("-")))
                            .toList());
        }
        return table;
    }

    /** Grey where the floor is not to be trusted. */
    private static Cell multiple(TrialResult trial) {
        Double multiple = TransitTable.multiple(trial, 50);
        boolean isDoubtful = !TransitRemarks.doubt(trial).isEmpty();
        return multiple == null
                ? Cell.of("-")
                : Cell.of(TransitTable.times(multiple), isDoubtful ? Tone.GREY : Tone.PLAIN);
    }

    private static Cell latency(TrialResult trial, double percentile) {
        Cell figure = TransitTable.nanos(trial.response(), percentile);
        return isPass(trial) ? figure : Cell.of(figure.text() + DID_NOT_PASS, figure.tone());
    }

    private static boolean isPass(TrialResult trial) {
        return trial.outcome().verdict() == Verdict.PASS;
    }

    private static int size(TrialResult trial) {
        return trial.plan().shape().payloadBytes() + Frame.HEADER_BYTES;
    }
}
