package dev.baton.lab.study.jitter;

import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.jitter.JitterFindings.Cause;
import dev.baton.lab.study.jitter.JitterFindings.Event;
import dev.baton.lab.study.jitter.JitterFindings.Stops;
import dev.baton.lab.study.jitter.JitterFindings.Tally;
import dev.baton.measuring.machine.Evidence.Probed;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the longest events of each run were due to: all kept ones in sum, the worst one by one. Stateless, thread-safe. */
final class JitterCauses {
    private static final String EVIDENCE = "     ";

    private JitterCauses() {}

    /** A table of causes, a column for each run, and what those that occur mean. */
    static void addSummary(TextReport report, List<TrialResult> runs) {
        Table table = new Table(runs.stream()
                .map(run -> Cell.of(JitterRuns.name(run), Tone.BOLD))
                .toList());
        cells(table, "longest events", runs, found -> Units.count(found.kept()));
        cells(
                table,
                "  down to",
                runs,
                found -> found.keptFromNanos() == null ? "-" : Units.time(found.keptFromNanos()));
        List<Cause> causes = Arrays.stream(Cause.values())
                .filter(cause -> runs.stream()
                        .anyMatch(run -> JitterRuns.findings(run).tally(cause).events() > 0))
                .toList();
        causes.forEach(cause -> cells(table, cause.words, runs, found -> text(found.tally(cause))));
        table.gap();
        TreeSet<String> operations = new TreeSet<>();
        runs.forEach(run -> JitterRuns.findings(run).stops().forEach(each -> operations.add(each.operation())));
        if (operations.isEmpty()) {
            cells(table, "safepoints", runs, found -> "none");
        }
        for (String operation : operations) {
            cells(table, "safepoint " + operation, runs, found -> stops(found, operation));
        }
        cells(table, "methods compiled or discarded", runs, found -> Units.count(found.compilations()));
        for (Probed core : JitterRuns.findings(runs.get(0)).cores()) {
            cells(table, "hiccups of core " + core.core(), runs, found -> hiccups(found, core.core()));
        }
        cells(table, "probes and counters, CPU of a core", runs, JitterCauses::cost);
        report.line(Tone.BOLD, "causes of the longest events: how many, how long in all")
                .table(table);
        if (!causes.isEmpty()) {
            report.text(causes.stream()
                    .map(cause -> cause.words + ": " + cause.meaning)
                    .collect(Collectors.joining("; ", "", ".")));
        }
    }

    private static void cells(
            Table table, String label, List<TrialResult> runs, Function<JitterFindings, String> cell) {
        table.row(
                label,
                runs.stream()
                        .map(run -> Cell.of(cell.apply(JitterRuns.findings(run))))
                        .toList());
    }

    private static String text(Tally tally) {
        return tally.events() == 0 ? "-" : Units.count(tally.events()) + ", " + Units.time(tally.nanos());
    }

    private static String stops(JitterFindings found, String operation) {
        Stops stops = found.stops(operation);
        return stops.count() == 0 ? "-" : Units.count(stops.count()) + ", worst " + Units.time(stops.worstNanos());
    }

    private static String hiccups(JitterFindings found, int core) {
        return found.cores().stream()
                .filter(each -> each.core() == core)
                .findFirst()
                .map(each -> "99 % " + Units.time(each.p99Nanos()) + ", max " + Units.time(each.maxNanos()))
                .orElse("-");
    }

    private static String cost(JitterFindings found) {
        return found.watchCpuCores() == null ? "-" : Units.percent(found.watchCpuCores());
    }

    /** The worst events of one run, each with what says so. */
    static void addWorst(TextReport report, TrialResult run) {
        List<Event> events = JitterRuns.findings(run).events();
        if (!events.isEmpty()) {
            Table table = new Table("at", "late", "sent late", "messages", "cause");
            for (int i = 0; i < events.size(); i++) {
                Event event = events.get(i);
                table.row(
                        Integer.toString(i + 1),
                        List.of(
                                Cell.of(String.format(Locale.ROOT, "%.3f s", event.atNanos() / 1e9)),
                                Cell.of(Units.time(event.nanos())),
                                Cell.of(Units.time(event.sendDelayNanos())),
                                Cell.of(Units.count(event.messages())),
                                Cell.of(event.cause().words)));
            }
            List<String> rows = table.lines(report.paint(), report.width());
            report.line(Tone.BOLD, "worst events of " + JitterRuns.name(run) + ", late from the moment they were due");
            report.line(rows.get(0));
            for (int i = 0; i < events.size(); i++) {
                report.line(rows.get(i + 1)).text(EVIDENCE, events.get(i).evidence());
            }
        }
        report.gap();
    }
}
