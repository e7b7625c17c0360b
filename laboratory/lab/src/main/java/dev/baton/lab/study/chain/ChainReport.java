package dev.baton.lab.study.chain;

import dev.baton.lab.reporting.HostTable;
import dev.baton.lab.reporting.PromisesText;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.StageTable;
import dev.baton.lab.reporting.TailLines;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code baton chain} prints in the end: the table, how far to trust it, what each transport promised. */
public final class ChainReport {
    private ChainReport() {}

    /** All lines, of trials in the order of the columns. */
    public static List<String> lines(List<TrialResult> trials, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        List<String> lines = new ArrayList<>();
        if (trials.isEmpty()) {
            lines.add("files: " + folder);
        } else {
            lines.addAll(Wrapped.lines("", title(trials.get(0)), width));
            lines.add("");
            lines.addAll(ResultTable.of(trials).lines(paint, width));
            lines.add("");
            lines.addAll(StageTable.lines(trials, paint, width));
            lines.addAll(HostTable.lines(trials, paint, width));
            lines.addAll(Verdicts.lines(trials, width));
            lines.addAll(TailLines.lines(trials, width));
            wrap(lines, Remarks.onSamples(trials, paint), width);
            wrap(lines, Remarks.onMessages(trials), width);
            wrap(lines, Remarks.onPromises(trials), width);
            wrap(lines, Remarks.onPrimitiveTrials(trials), width);
            wrap(lines, Remarks.onOtherProcesses(trials), width);
            wrap(lines, Remarks.onOversubscription(trials), width);
            lines.add("");
            lines.addAll(PromisesText.lines(trials, paint, width));
            lines.add("");
            lines.addAll(Remarks.onRun(trials, TrialNames.among(trials)::of, folder, width));
        }
        return lines;
    }

    public static String title(TrialResult trial) {
        boolean isSaturated = trial.plan().load().isSaturated();
        return String.format(
                "%s, %s %s %s, payload %s; %s",
                chain(trial.plan().shape()),
                Units.count(trial.plan().shape().instances()),
                trial.plan().shape().instances() == 1 ? "instance" : "instances",
                isSaturated
                        ? "saturated"
                        : "at " + number(trial.plan().load().ratePerSecond()) + " msg/s"
                                + trial.plan().load().manner(),
                (trial.plan().shape().chain() == null ? "" : "up to ")
                        + Units.bytes(trial.plan().shape().payloadBytes()),
                isSaturated
                        ? "closed by back-pressure, at most "
                                + Units.count(trial.plan()
                                        .load()
                                        .inFlight(trial.plan().shape().instances()))
                                + " in flight in each; not response times at a rate"
                        : trial.plan().load().isReadFromSend()
                                ? "latencies are judged from the actual send (service), which omits what a late sender"
                                        + " delays"
                                : "response times run from the intended send");
    }

    /** The chain whose services run: how many they are, and where they are from. */
    public static String chain(Shape shape) {
        String services = Units.count(shape.services()) + " services";
        return shape.chain() == null ? services : "chain " + shape.chain() + ", " + services;
    }

    private static String number(double rate) {
        return rate == Math.rint(rate) ? Units.count((long) rate) : Double.toString(rate);
    }

    private static void wrap(List<String> lines, List<String> remarks, int width) {
        remarks.forEach(remark -> lines.addAll(Wrapped.lines("", remark, width)));
    }
}
