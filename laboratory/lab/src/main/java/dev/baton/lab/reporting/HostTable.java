package dev.baton.lab.reporting;

import dev.baton.lab.results.RemoteProcess;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures that processes elsewhere reported: a row for each, by host. Stateless, thread-safe. */
public final class HostTable {
    private static final String NOTE = "elsewhere: as these processes report, each by its own clock. All latencies are"
            + " measured here, where inlet and sink have one clock; nothing is timed per hop, as the hosts' clocks differ";

    private HostTable() {}

    /** The lines, with an empty one behind; none when everything ran here. */
    public static List<String> lines(List<TrialResult> trials, Paint paint, int width) {
        TextReport report = new TextReport(paint, width);
        TrialNames names = TrialNames.among(trials);
        for (TrialResult trial : trials) {
            if (trial.elsewhere().isEmpty()) {
                continue;
            }
            Table table =
                    new Table("services", "cores", "CPU", "host busy", "stolen", "handled", "longest sweep", "over");
            trial.elsewhere().forEach(each -> table.row(name(each), cells(each)));
            report.text(trials.size() > 1 ? names.of(trial) + ", " : "", NOTE).table(table);
            trial.elsewhere().stream()
                    .filter(each -> each.restarts() > 0 || each.backlog() > 0)
                    .forEach(each -> report.text(each.address() + ": " + remark(each)));
            report.gap();
        }
        return report.lines();
    }

    /** {@return the name of a process: its host and its address} */
    public static String name(RemoteProcess process) {
        return process.host() + " " + process.address();
    }

    /** {@return these figures in words} */
    public static String sentence(RemoteProcess process) {
        return String.format(
                Locale.ROOT,
                "ran %s on %s cores: CPU %s, all of its host %s, stolen %s, %s messages handled, longest sweep %s, over %s",
                (Object[]) cells(process));
    }

    private static String remark(RemoteProcess process) {
        List<String> remarks = new ArrayList<>();
        if (process.restarts() > 0) {
            remarks.add(
                    "opened its transport again " + (process.restarts() == 1 ? "once" : process.restarts() + " times"));
        }
        if (process.backlog() > 0) {
            remarks.add(Units.counted(process.backlog(), "message") + " waited for it at its last answer");
        }
        return String.join("; ", remarks);
    }

    private static String[] cells(RemoteProcess process) {
        return new String[] {
            String.join(",", process.services()),
            Integer.toString(process.processors()),
            share(process.cpuCores()),
            share(process.busyCores()),
            share(process.stolenCores()),
            Units.count(process.handled()),
            process.longestSweepNanos() == null ? ResultTable.NONE.text() : Units.time(process.longestSweepNanos()),
            Units.span(Duration.ofNanos(process.spanNanos()))
        };
    }

    private static String share(Double cores) {
        return cores == null ? ResultTable.NONE.text() : Units.percent(cores);
    }
}
