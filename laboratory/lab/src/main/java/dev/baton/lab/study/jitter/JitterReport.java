package dev.baton.lab.study.jitter;

import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Load;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What {@code baton jitter} prints in the end: delays, their causes, and whether safepoints are among them. Stateless. */
public final class JitterReport {
    private static final int SPINNING_THREADS = 2;

    private JitterReport() {}

    /** All lines, of runs in the order of the columns. */
    public static List<String> lines(List<TrialResult> runs, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        TextReport report = new TextReport(terminal)
                .text(title(runs))
                .gap()
                .lines(JitterTable.lines(runs, paint, width))
                .gap();
        addCauses(report, JitterRuns.complete(runs));
        return report.texts(JitterAnswer.sentences(runs))
                .gap()
                .lines(Verdicts.lines(runs, width))
                .texts(remarks(runs, paint))
                .text("run: ", JitterRuns.engine(runs.get(0)))
                .lines(Remarks.onMachine(runs.get(0).environment(), folder, width))
                .line("files: " + folder)
                .lines();
    }

    public static String title(List<TrialResult> runs) {
        TrialResult any = runs.get(0);
        Load load = any.plan().load();
        return (JitterAnswer.isProvisional(runs) ? "provisional, exploratory trials: " : "")
                + "the time from a producer through a Disruptor to an accumulator, "
                + Units.rate(load.ratePerSecond()) + "/s" + load.manner() + " for "
                + Units.typed(Duration.ofNanos(any.plan().phases().measureNanos()))
                + ", by the interval of guaranteed safepoints";
    }

    private static void addCauses(TextReport report, List<TrialResult> runs) {
        if (!runs.isEmpty()) {
            runs.forEach(run -> JitterCauses.addWorst(report, run));
            JitterCauses.addSummary(report, runs);
            report.gap();
        }
    }

    private static List<String> remarks(List<TrialResult> runs, Paint paint) {
        List<String> remarks = new ArrayList<>();
        remarks.addAll(Remarks.onSamples(runs, paint));
        remarks.addAll(Remarks.onOtherProcesses(runs));
        LoopPlan loops = runs.get(0).plan().loops();
        int cores = runs.get(0).environment().processors();
        boolean isSpinning = !loops.idle().startsWith("park");
        if (isSpinning && cores <= SPINNING_THREADS) {
            remarks.add("oversubscribed: the two threads spin on " + cores
                    + (cores == 1 ? " core" : " cores")
                    + "; whatever else runs, the instruments included, takes a core from one of them");
        }
        runs.forEach(run -> {
            JitterFindings found = JitterRuns.findings(run);
            if (found != null) {
                found.absent().forEach(each -> remarks.add(JitterRuns.name(run) + ", not measured: " + each));
            }
        });
        return remarks;
    }
}
