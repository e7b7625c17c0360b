package dev.baton.lab.study.jitter;

import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Load;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
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
        List<String> lines = new ArrayList<>();
        if (!runs.isEmpty()) {
            lines.addAll(Wrapped.lines("", title(runs), width));
            lines.add("");
            lines.addAll(JitterTable.lines(runs, paint, width));
            lines.add("");
            addCauses(lines, JitterRuns.complete(runs), paint, width);
            JitterAnswer.sentences(runs).forEach(each -> lines.addAll(Wrapped.lines("", each, width)));
            lines.add("");
            lines.addAll(Verdicts.lines(runs, width));
            remarks(runs, paint).forEach(each -> lines.addAll(Wrapped.lines("", each, width)));
            lines.addAll(Wrapped.lines("run: ", JitterRuns.engine(runs.get(0)), width));
            lines.addAll(Remarks.onMachine(runs.get(0).environment(), folder, width));
        }
        lines.add("files: " + folder);
        return lines;
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

    private static void addCauses(List<String> lines, List<TrialResult> runs, Paint paint, int width) {
        if (runs.isEmpty()) {
            return;
        }
        runs.forEach(run -> {
            lines.addAll(JitterCauses.worst(run, paint, width));
            lines.add("");
        });
        lines.add(paint.apply(Tone.BOLD, "causes of the longest events: how many, how long in all"));
        lines.addAll(JitterCauses.summary(runs, paint, width));
        lines.addAll(JitterCauses.legend(runs, width));
        lines.add("");
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
