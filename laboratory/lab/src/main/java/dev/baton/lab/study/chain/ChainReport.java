package dev.baton.lab.study.chain;

import dev.baton.lab.reporting.GuaranteesText;
import dev.baton.lab.reporting.HostTable;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.StageTable;
import dev.baton.lab.reporting.TailLines;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.systems.ForeignSystem;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** The output of {@code baton chain}: the table, its reliability, and the guarantees of each transport. */
public final class ChainReport {
    private ChainReport() {}

    /** Returns all lines for trials in the order of the columns. */
    public static List<String> lines(List<TrialResult> trials, Path folder, Terminal terminal) {
        if (trials.get(0).plan().load().isNone()) {
            return idle(trials, folder, terminal);
        }
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
                .texts(Remarks.onSystems(trials))
                .texts(Remarks.onPrimitiveTrials(trials))
                .texts(Remarks.onOtherProcesses(trials))
                .texts(Remarks.onOversubscription(trials))
                .gap()
                .lines(GuaranteesText.lines(trials, width))
                .gap()
                .lines(Remarks.onRun(trials, TrialNames.among(trials)::of, folder, width))
                .lines();
    }

    /** The report of chains without messages: a column for each subject, a row for each idle strategy. */
    private static List<String> idle(List<TrialResult> trials, Path folder, Terminal terminal) {
        int width = terminal.columns();
        TextReport report = new TextReport(terminal).text(title(trials.get(0)));
        Remarks.onProvisional(trials).forEach(remark -> report.line(Tone.WARNING, remark));
        List<String> columns = distinct(trials, ChainReport::subject);
        Table table =
                new Table(columns.stream().map(name -> Cell.of(name, Tone.BOLD)).toList());
        idleRows(table, trials, columns, "JVM       CPU of a core", "CPU");
        table.gap();
        idleRows(table, trials, columns, "threads   CPU, loops and clients", "program CPU");
        table.gap();
        if (trials.stream().anyMatch(trial -> !trial.place().brokerPids().isEmpty())) {
            idleRows(table, trials, columns, "broker    CPU of a core", "broker CPU");
            table.gap();
        }
        idleRows(table, trials, columns, "JVM       RSS", "RSS");
        return report.gap()
                .table(table)
                .gap()
                .lines(Verdicts.lines(trials, width))
                .texts(Remarks.onOtherProcesses(trials))
                .lines(Remarks.onRun(trials, TrialNames.among(trials)::of, folder, width))
                .lines();
    }

    private static void idleRows(
            Table table, List<TrialResult> trials, List<String> columns, String title, String figure) {
        table.row(title, columns.stream().map(column -> Cell.of("")).toList());
        for (String strategy : distinct(trials, trial -> trial.plan().loops().idle())) {
            table.row(
                    "          " + strategy,
                    columns.stream()
                            .map(column -> trials.stream()
                                    .filter(trial -> subject(trial).equals(column)
                                            && trial.plan().loops().idle().equals(strategy))
                                    .findFirst()
                                    .map(trial -> ResultTable.figure(trial, figure))
                                    .orElse(ResultTable.NONE))
                            .toList());
        }
    }

    private static List<String> distinct(List<TrialResult> trials, Function<TrialResult, String> property) {
        return trials.stream().map(property).distinct().toList();
    }

    private static String subject(TrialResult trial) {
        Subject subject = trial.plan().subject();
        return subject.engine().equals(Subject.BATON)
                ? subject.transport()
                : subject.transport() + " " + subject.engine();
    }

    public static String title(TrialResult trial) {
        Shape shape = trial.plan().shape();
        Load load = trial.plan().load();
        if (load.isNone()) {
            return chain(shape) + ", " + Units.counted(shape.instances(), "instance") + " without messages, threads "
                    + trial.plan().loops().threading();
        }
        String services =
                ForeignSystem.isMeant(trial.plan().subject().engine()) ? "" : chain(shape) + ", "; // a system has none
        return services + Units.counted(shape.instances(), "instance")
                + (load.isSaturated() ? " saturated" : " at " + Units.rate(rate(load)) + " msg/s" + load.manner())
                + ", payload " + Remarks.onPayload(shape)
                + (trial.place().spread() == null ? "" : Remarks.EACH_SERVICE) + "; " + reading(trial);
    }

    /** Returns the rate as it was typed, or the average of recorded traffic to a tenth of a message. */
    private static double rate(Load load) {
        return load.replay() == null ? load.ratePerSecond() : Math.rint(load.ratePerSecond() * 10) / 10;
    }

    private static String reading(TrialResult trial) {
        Load load = trial.plan().load();
        if (load.isSaturated()) {
            Place.Meeting meeting = trial.place().meeting();
            int instances = trial.plan().shape().instances() / (meeting == null ? 1 : meeting.processes());
            return "limited by back-pressure, at most " + Units.count(load.inFlight(instances))
                    + " in flight in each; not response times at a rate";
        }
        return load.isReadFromSend()
                ? "latencies are judged from the actual send (service), which omits the delay of a late sender"
                : "response times run from the intended send";
    }

    /** The chain of the services: their number, and the jar that provides them. */
    public static String chain(Shape shape) {
        String services =
                (shape.services() == 0 ? "no services" : Units.counted(shape.services(), "service")) + shape.workText();
        return shape.chain() == null ? services : "chain " + shape.chain() + ", " + services;
    }
}
