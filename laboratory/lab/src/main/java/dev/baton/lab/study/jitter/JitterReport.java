package dev.baton.lab.study.jitter;

import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Load;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.jitter.JitterFindings.Cause;
import dev.baton.lab.study.jitter.JitterFindings.Event;
import dev.baton.lab.study.jitter.JitterFindings.Stops;
import dev.baton.lab.study.jitter.JitterFindings.Tally;
import dev.baton.measuring.machine.Evidence.Probed;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The final output of {@code baton jitter}: delays, their causes, and the effect of safepoints. Stateless. */
public final class JitterReport {
    private static final int SPINNING_THREADS = 2;
    private static final String EVIDENCE = "     ";

    private JitterReport() {}

    /** Returns all lines for runs in the order of the columns. */
    public static List<String> lines(List<TrialResult> runs, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        TextReport report = new TextReport(terminal);
        if (runs.stream().map(JitterRuns::study).anyMatch(JitterStudy::isQuick)) {
            report.line(Tone.WARNING, Remarks.PROVISIONAL);
        }
        report.text(title(runs))
                .gap()
                .lines(JitterTable.lines(runs, paint, width))
                .gap();
        List<TrialResult> complete = JitterRuns.complete(runs);
        if (!complete.isEmpty()) {
            complete.forEach(run -> addWorst(report, run));
            addSummary(report, complete);
            report.gap();
        }
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
        return "the time from a producer through a Disruptor to an accumulator, "
                + Units.rate(load.ratePerSecond()) + "/s" + load.manner() + " for "
                + Units.typed(Duration.ofNanos(any.plan().phases().measureNanos()))
                + ", by the interval of guaranteed safepoints";
    }

    private static List<String> remarks(List<TrialResult> runs, Paint paint) {
        List<String> remarks = new ArrayList<>(Remarks.onSamples(runs, paint));
        remarks.addAll(Remarks.onLateSends(runs));
        remarks.addAll(Remarks.onOtherProcesses(runs));
        LoopPlan loops = runs.get(0).plan().loops();
        int cores = runs.get(0).environment().processors();
        boolean isSpinning = !loops.idle().startsWith("park");
        if (isSpinning && cores <= SPINNING_THREADS) {
            remarks.add("oversubscribed: the two threads spin on " + cores
                    + (cores == 1 ? " core" : " cores")
                    + "; whatever else runs, the instruments included, takes a core from one of them");
        }
        JitterRuns.complete(runs)
                .forEach(run -> JitterRuns.findings(run)
                        .absent()
                        .forEach(each -> remarks.add(JitterRuns.name(run) + ", not measured: " + each)));
        return remarks;
    }

    /** Adds the causes of the longest events: a table of causes, a column for each run, and the meaning of those that occur. */
    private static void addSummary(TextReport report, List<TrialResult> runs) {
        List<JitterFindings> all = runs.stream().map(JitterRuns::findings).toList();
        Table table = new Table(runs.stream()
                .map(run -> Cell.of(JitterRuns.name(run), Tone.BOLD))
                .toList());
        BiConsumer<String, Function<JitterFindings, String>> row =
                (label, text) -> table.row(label, all.stream().map(text).toArray(String[]::new));
        row.accept("longest events", found -> Units.count(found.kept()));
        row.accept("  down to", found -> found.keptFromNanos() == null ? "-" : Units.time(found.keptFromNanos()));
        List<Cause> causes = Arrays.stream(Cause.values())
                .filter(cause ->
                        all.stream().anyMatch(found -> found.tally(cause).events() > 0))
                .toList();
        causes.forEach(cause -> row.accept(cause.words, found -> text(found.tally(cause))));
        table.gap();
        TreeSet<String> operations = new TreeSet<>();
        all.forEach(found -> found.stops().forEach(each -> operations.add(each.operation())));
        if (operations.isEmpty()) {
            row.accept("safepoints", found -> "none");
        }
        operations.forEach(each -> row.accept("safepoint " + each, found -> stops(found, each)));
        row.accept("methods compiled or discarded", found -> Units.count(found.compilations()));
        for (Probed core : all.get(0).cores()) {
            row.accept("hiccups of core " + core.core(), found -> hiccups(found, core.core()));
        }
        row.accept(
                "probes and counters, CPU of a core",
                found -> found.watchCpuCores() == null ? "-" : Units.percent(found.watchCpuCores()));
        report.line(Tone.BOLD, "causes of the longest events: how many, how long in all")
                .table(table);
        if (!causes.isEmpty()) {
            report.text(causes.stream()
                    .map(cause -> cause.words + ": " + cause.meaning)
                    .collect(Collectors.joining("; ", "", ".")));
        }
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
                .map(each -> "p99 " + Units.time(each.p99Nanos()) + ", max " + Units.time(each.maxNanos()))
                .orElse("-");
    }

    /** The worst events of one run, each with its evidence. */
    private static void addWorst(TextReport report, TrialResult run) {
        List<Event> events = JitterRuns.findings(run).events();
        if (!events.isEmpty()) {
            Table table = new Table("at", "late", "sent late", "messages", "cause");
            for (int i = 0; i < events.size(); i++) {
                Event event = events.get(i);
                table.row(
                        Integer.toString(i + 1),
                        String.format(Locale.ROOT, "%.3f s", event.atNanos() / 1e9),
                        Units.time(event.nanos()),
                        Units.time(event.sendDelayNanos()),
                        Units.count(event.messages()),
                        event.cause().words);
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
