package dev.baton.lab.study.window;

import dev.baton.lab.reporting.GuaranteesText;
import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.TailLines;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.statistics.Percentiles;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The final output of {@code baton window}: tables, their reliability, and published figures. Stateless. */
public final class WindowReport {
    static final String FILE = "window-gc.csv";
    static final String PUBLISHED_BY = "\"The Low-Latency Rematch\" (2020-06-23) and \"Sub-10 ms Latency in Java:"
            + " Concurrent GC with Green Threads\" (2020-08-05), M. Topolnik: step of 10 ms, 1 M events/s in"
            + " unless the row says otherwise, limit p99.99 < 10 ms; c5.4xlarge: 16 vCPU, 32 GB; c5.metal: 96 vCPU;"
            + " items are input and output";

    private static final String YOUNG = "-XX:MaxNewSize=";

    private WindowReport() {}

    /** Returns all lines for trials in the order of the rows. */
    public static List<String> lines(List<TrialResult> trials, Path folder, Terminal terminal) {
        int width = terminal.columns();
        return new TextReport(terminal)
                .text(title(trials.get(0)))
                .gap()
                .table(WindowTable.latencies(trials))
                .gap()
                .table(WindowTable.completions(trials))
                .gap()
                .table(WindowTable.costs(trials))
                .gap()
                .lines(Verdicts.lines(
                        trials,
                        WindowTable.Names.among(trials)::of,
                        incident -> Verdicts.text(incident, "source", "step"),
                        width))
                .lines(TailLines.lines(trials, WindowTable.Names.among(trials)::of, width))
                .texts(remarks(trials, terminal.paint()))
                .gap()
                .lines(ends(trials, folder, terminal))
                .lines();
    }

    /** Returns the lines below all figures: guarantees, published figures, the run. */
    static List<String> ends(List<TrialResult> trials, Path folder, Terminal terminal) {
        int width = terminal.columns();
        return new TextReport(terminal)
                .lines(GuaranteesText.lines(onePerTransport(trials), width))
                .gap()
                .lines(published(terminal.paint(), width))
                .gap()
                .lines(Remarks.onRun(trials, WindowTable.Names.among(trials)::of, folder, width))
                .lines();
    }

    public static String title(TrialResult trial) {
        WindowStudy study = WindowTable.study(trial);
        double perSecond =
                trial.plan().load().ratePerSecond() * trial.plan().shape().instances();
        return "sliding window of " + Units.typed(Duration.ofNanos(study.windowNanos())) + " by "
                + Units.typed(Duration.ofNanos(study.stepNanos())) + ", " + WindowTable.millions(perSecond)
                + " events/s in" + trial.plan().load().manner() + ", keys "
                + (study.keyOrder() == WindowStudy.KeyOrder.IN_ORDER ? "in order" : "drawn uniformly")
                + ", every key out at each step with the " + study.aggregate().words
                + "; items are events in and results out; start: the time from a window's end until the"
                + " sink has the first key of the last source; done: until it has the last key";
    }

    /** The collector that a trial ran with, with the given settings of its young generation and its threads. */
    public static String jvm(TrialResult trial) {
        List<String> flags = trial.environment().jvm().flags();
        String young = flags.stream()
                .filter(flag -> flag.startsWith(YOUNG))
                .map(flag -> " young " + flag.substring(YOUNG.length()))
                .findFirst()
                .orElse("");
        return Remarks.collector(trial.environment().jvm()) + young + WindowTable.Names.collecting(flags);
    }

    private static List<String> remarks(List<TrialResult> trials, Paint paint) {
        List<String> remarks = new ArrayList<>();
        WindowStudy study = WindowTable.study(trials.get(0));
        if (study.isQuick()) {
            remarks.add(Remarks.PROVISIONAL);
        }
        remarks.addAll(Remarks.onSamples(trials, paint));
        study.shown().stream()
                .filter(limit -> !trials.get(0).plan().limits().contains(limit))
                .forEach(limit -> remarks.add(limit + " is not judged: of "
                        + Units.counted(trials.get(0).response().count(), "step") + ", "
                        + Percentiles.samplesAbove(
                                limit.percentile(), trials.get(0).response().count())
                        + " lie above the percentile, and a verdict needs " + limit.leastSamples() + "."));
        boolean isStalled =
                trials.stream().anyMatch(trial -> WindowTable.found(trial).foreignStalls() > 0);
        remarks.add(
                isStalled
                        ? "rest: without the steps that overlap a stall over 10 ms caused outside the trial (host"
                                + " or other processes); aside: the number of those steps. Steps that are late after"
                                + " such a stall belong to the rest."
                        : "rest: all steps, as no stall over 10 ms was caused outside the trial.");
        remarks.addAll(Remarks.onLateSends(trials));
        remarks.addAll(Remarks.onOtherProcesses(trials, WindowTable.Names.among(trials)::of));
        return remarks;
    }

    private static List<TrialResult> onePerTransport(List<TrialResult> trials) {
        Set<String> seen = new LinkedHashSet<>();
        return trials.stream()
                .filter(trial -> seen.add(trial.plan().subject().transport()))
                .toList();
    }

    /** Returns published figures, shown for comparison and never ranked. */
    private static List<String> published(Paint paint, int width) {
        List<String> lines = new ArrayList<>();
        for (String[] row : PublishedFile.rows(FILE)) {
            String figures = (row[7].isEmpty() ? "" : WindowTable.millions(Double.parseDouble(row[7])) + " items/s, ")
                    + (row[8].isEmpty() ? "no p99.99 given: " : "p99.99 " + row[8] + " ms: ");
            lines.addAll(Wrapped.lines(
                    "  ",
                    figures + row[6] + " ("
                            + String.join(", ", row[1], "window " + row[2] + " s", "JDK " + row[3], row[4]) + ", "
                            + row[5] + " threads)",
                    width));
        }
        return PublishedFile.lines(lines, PUBLISHED_BY, paint, width);
    }
}
