package dev.baton.lab.study.chain;

import dev.baton.lab.reporting.HostTable;
import dev.baton.lab.reporting.PromisesText;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.StageTable;
import dev.baton.lab.reporting.TailLines;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.util.List;

/** The output of {@code baton chain}: the table, its reliability, and the guarantees of each transport. */
public final class ChainReport {
    private ChainReport() {}

    /** All lines, of trials in the order of the columns. */
    public static List<String> lines(List<TrialResult> trials, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        TextReport report = new TextReport(terminal).text(title(trials.get(0)));
        Remarks.onProvisional(trials).forEach(remark -> report.line(Tone.WARNING, remark));
        return report.gap()
                .table(ResultTable.of(trials))
                .gap()
                .lines(StageTable.lines(trials, paint, width))
                .lines(HostTable.lines(trials, paint, width))
                .lines(Verdicts.lines(trials, width))
                .lines(TailLines.lines(trials, width))
                .texts(Remarks.onSamples(trials, paint))
                .texts(Remarks.onCounts(trials))
                .texts(Remarks.onGenerators(trials))
                .texts(Remarks.onMessages(trials))
                .texts(Remarks.onPromises(trials))
                .texts(Remarks.onPrimitiveTrials(trials))
                .texts(Remarks.onOtherProcesses(trials))
                .texts(Remarks.onOversubscription(trials))
                .gap()
                .lines(PromisesText.lines(trials, paint, width))
                .gap()
                .lines(Remarks.onRun(trials, TrialNames.among(trials)::of, folder, width))
                .lines();
    }

    public static String title(TrialResult trial) {
        Shape shape = trial.plan().shape();
        Load load = trial.plan().load();
        return chain(shape) + ", " + Units.counted(shape.instances(), "instance")
                + (load.isSaturated()
                        ? " saturated"
                        : " at " + Units.rate(load.ratePerSecond()) + " msg/s" + load.manner())
                + ", payload " + (shape.chain() == null ? "" : "up to ") + Units.bytes(shape.payloadBytes()) + "; "
                + reading(load, shape);
    }

    private static String reading(Load load, Shape shape) {
        if (load.isSaturated()) {
            return "closed by back-pressure, at most " + Units.count(load.inFlight(shape.instances()))
                    + " in flight in each; not response times at a rate";
        }
        return load.isReadFromSend()
                ? "latencies are judged from the actual send (service), which omits the delay of a late sender"
                : "response times run from the intended send";
    }

    /** The chain of the services: their number, and the jar that provides them. */
    public static String chain(Shape shape) {
        String services = shape.services() == 0 ? "no services" : Units.count(shape.services()) + " services";
        return shape.chain() == null ? services : "chain " + shape.chain() + ", " + services;
    }
}
