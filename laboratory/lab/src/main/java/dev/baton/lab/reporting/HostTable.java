package dev.baton.lab.reporting;

import dev.baton.lab.results.RemoteProcess;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What processes that ran services elsewhere said of themselves: a row for each, by host. Stateless, thread-safe. */
public final class HostTable {
    private static final String NOTE =
            "elsewhere: as these processes say themselves, each by its own clock. All latencies are"
                    + " measured here, where inlet and outlet have one clock; nothing is timed per hop, as the hosts' clocks differ";

    private HostTable() {}

    /** The lines, with an empty one behind; none when everything ran here. */
    public static List<String> lines(List<TrialResult> trials, Paint paint, int width) {
        List<String> lines = new ArrayList<>();
        TrialNames names = TrialNames.among(trials);
        for (TrialResult trial : trials) {
            if (trial.elsewhere().isEmpty()) {
                continue;
            }
            lines.addAll(Wrapped.lines(trials.size() > 1 ? names.of(trial) + ", " : "", NOTE, width));
            Table table = new Table(
                    Stream.of("services", "cores", "CPU", "host busy", "stolen", "handled", "longest sweep", "over")
                            .map(Cell::of)
                            .toList());
            trial.elsewhere().forEach(each -> table.row(name(each), cells(each)));
            lines.addAll(table.lines(paint, width));
            trial.elsewhere().stream()
                    .filter(each -> each.restarts() > 0 || each.backlog() > 0)
                    .forEach(each -> lines.addAll(Wrapped.lines("", each.address() + ": " + remark(each), width)));
            lines.add("");
        }
        return lines;
    }

    /** Of a process: its host and its address. */
    public static String name(RemoteProcess process) {
        return process.host() + " " + process.address();
    }

    /** The same figures in words. */
    public static String sentence(RemoteProcess process) {
        List<Cell> cells = cells(process);
        return "ran " + cells.get(0).text() + " on " + cells.get(1).text() + " cores: CPU "
                + cells.get(2).text() + ", all of its host " + cells.get(3).text() + ", stolen "
                + cells.get(4).text() + ", " + cells.get(5).text() + " messages handled, longest sweep "
                + cells.get(6).text() + ", over " + cells.get(7).text();
    }

    private static String remark(RemoteProcess process) {
        List<String> remarks = new ArrayList<>();
        if (process.restarts() > 0) {
            remarks.add(
                    "opened its transport again " + (process.restarts() == 1 ? "once" : process.restarts() + " times"));
        }
        if (process.backlog() > 0) {
            remarks.add(Units.count(process.backlog()) + (process.backlog() == 1 ? " message" : " messages")
                    + " waited for it at its last answer");
        }
        return String.join("; ", remarks);
    }

    private static List<Cell> cells(RemoteProcess process) {
        return List.of(
                Cell.of(String.join(",", process.services())),
                Cell.of(Integer.toString(process.processors())),
                share(process.cpuCores()),
                share(process.busyCores()),
                share(process.stolenCores()),
                Cell.of(Units.count(process.handled())),
                process.longestSweepNanos() == null
                        ? ResultTable.NONE
                        : Cell.of(Units.time(process.longestSweepNanos())),
                Cell.of(Units.span(Duration.ofNanos(process.spanNanos()))));
    }

    private static Cell share(Double cores) {
        return cores == null ? ResultTable.NONE : Cell.of(Units.percent(cores));
    }
}
