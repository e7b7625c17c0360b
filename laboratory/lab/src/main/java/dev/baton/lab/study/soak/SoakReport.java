package dev.baton.lab.study.soak;

import dev.baton.lab.reporting.HostTable;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.StudyView.FurtherTable;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.chain.ChainReport;
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
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The final output of {@code baton soak}: every quantity by tenths of the time, with its growth. Stateless. */
public final class SoakReport {
    private static final List<String> SLOPE = List.of("per hour", "grown", "allowed", "by chance", "verdict");
    private static final double SMALLEST_CHANCE = 0.0001;

    private SoakReport() {}

    /** Returns all lines. */
    public static List<String> lines(List<TrialResult> trials, Path folder, Terminal terminal) {
        int width = terminal.columns();
        TextReport report = new TextReport(terminal).text(title(trials.get(0)));
        Remarks.onProvisional(trials).forEach(remark -> report.line(Tone.WARNING, remark));
        trials.forEach(trial -> add(report.gap(), trial));
        return report.gap()
                .lines(HostTable.lines(trials, terminal.paint(), width))
                .lines(Verdicts.lines(trials, width))
                .texts(Remarks.onPromises(trials))
                .texts(Remarks.onOtherProcesses(trials))
                .lines(Remarks.onRun(trials, TrialNames.among(trials)::of, folder, width))
                .lines();
    }

    static String title(TrialResult trial) {
        TrialPlan plan = trial.plan();
        return "soak of " + Units.typed(Duration.ofNanos(plan.phases().measureNanos())) + " after "
                + Units.typed(Duration.ofNanos(plan.phases().warmupNanos())) + " of warm-up: "
                + ChainReport.title(trial);
    }

    private static void add(TextReport report, TrialResult trial) {
        SoakFindings found = (SoakFindings) trial.findings();
        Paint paint = report.paint();
        report.line(paint.apply(Tone.BOLD, trial.plan().subject().transport()) + ": " + verdict(trial, found, paint)
                + ", "
                + Units.count(trial.delivery().delivered() + trial.delivery().filtered()) + " of "
                + Units.count(trial.delivery().sent())
                + " messages delivered" + (trial.delivery().filtered() == 0 ? "" : " or filtered") + ", "
                + found.points() + " points");
        List<Trend> measured = found.trends().stream()
                .filter(trend -> !trend.tenths().isEmpty())
                .toList();
        if (measured.isEmpty()) {
            report.line("nothing was measured");
            return;
        }
        report.gap().table(tenths(measured)).gap().table(slopes(measured));
        measured.stream()
                .filter(trend -> !trend.remark().isEmpty())
                .forEach(trend -> report.text(trend.quantity() + ": ", trend.remark()));
        found.elsewhere()
                .forEach(process -> report.gap()
                        .line("elsewhere, " + process.address() + ": " + process.points() + " points")
                        .table(slopes(process.trends())));
        report.text("rule: ", found.rule());
    }

    private static String verdict(TrialResult trial, SoakFindings found, Paint paint) {
        int growing = found.growing().size();
        String verdict = trial.outcome().verdict().toString();
        return paint.apply(ResultTable.verdict(trial).tone(), verdict) + ", "
                + (growing == 0 ? "no trend" : Units.counted(growing, "trend"));
    }

    private static Table tenths(List<Trend> trends) {
        int columns =
                trends.stream().mapToInt(trend -> trend.tenths().size()).max().orElse(0);
        Table table = new Table(IntStream.rangeClosed(1, columns)
                .mapToObj(i -> Cell.of(i * 100 / columns + " %"))
                .toList());
        for (Trend trend : trends) {
            table.row(
                    trend.quantity(),
                    IntStream.range(0, columns)
                            .mapToObj(i -> i < trend.tenths().size()
                                    ? Cell.of(value(trend.unit(), trend.tenths().get(i)))
                                    : Cell.of("-"))
                            .toList());
        }
        return table;
    }

    private static Table slopes(List<Trend> trends) {
        Table table = new Table(SLOPE.toArray(String[]::new));
        trends.forEach(trend -> table.row(trend.quantity(), slope(trend)));
        return table;
    }

    private static List<Cell> slope(Trend trend) {
        boolean isJudged = trend.judgement() != Trend.Judgement.NOT_JUDGED;
        return List.of(
                Cell.of(value(trend.unit(), trend.perHour())),
                Cell.of(value(trend.unit(), trend.grown())),
                Cell.of(isJudged ? value(trend.unit(), trend.allowed()) : "-"),
                Cell.of(chance(trend.chance())),
                judgement(trend.judgement()));
    }

    /** Returns the tables of a trial on a page: the trends of its process, and of each process elsewhere. */
    static List<FurtherTable> tables(TrialResult trial, String name) {
        if (!(trial.findings() instanceof SoakFindings found)) {
            return List.of();
        }
        List<FurtherTable> tables = new ArrayList<>();
        tables.add(page("Trends of " + name + ", from " + found.points() + " points", found.trends(), found.rule()));
        found.elsewhere()
                .forEach(process -> tables.add(page(
                        "Trends elsewhere, " + process.address() + ", from " + process.points() + " points",
                        process.trends(),
                        "")));
        return tables;
    }

    private static FurtherTable page(String caption, List<Trend> trends, String rule) {
        List<Trend> measured =
                trends.stream().filter(trend -> !trend.tenths().isEmpty()).toList();
        List<String> notes = new ArrayList<>();
        measured.stream()
                .filter(trend -> !trend.remark().isEmpty())
                .forEach(trend -> notes.add(trend.quantity() + ": " + trend.remark()));
        if (!rule.isEmpty()) {
            notes.add("Rule: " + rule);
        }
        return new FurtherTable(
                caption,
                Stream.concat(Stream.of("quantity"), SLOPE.stream()).toList(),
                measured.stream()
                        .map(trend -> Stream.concat(Stream.of(Cell.of(trend.quantity())), slope(trend).stream())
                                .toList())
                        .toList(),
                notes);
    }

    /** Returns the trends of a trial in a sentence. */
    static String answer(TrialResult trial) {
        List<String> growing = trial.findings() instanceof SoakFindings found
                ? found.growing().stream().map(Trend::quantity).toList()
                : List.of();
        return trial.plan().subject().transport() + ": " + Verdicts.word(trial) + ", "
                + (growing.isEmpty() ? "no trend" : "growing: " + String.join(", ", growing)) + ".";
    }

    private static String chance(double chance) {
        return chance < SMALLEST_CHANCE ? "< 0.0001" : String.format(Locale.ROOT, "%.4f", chance);
    }

    private static Cell judgement(Trend.Judgement judgement) {
        return switch (judgement) {
            case STEADY -> Cell.of("steady", Tone.GOOD);
            case GROWS -> Cell.of("GROWS", Tone.BAD);
            case DOUBTFUL -> Cell.of("doubtful", Tone.WARNING);
            case NOT_JUDGED -> Cell.of("not judged");
        };
    }

    private static String value(Trend.Unit unit, double value) {
        return switch (unit) {
            case BYTES -> Units.bytes(value);
            case COUNT ->
                value == Math.rint(value) ? Units.count((long) value) : String.format(Locale.ROOT, "%.1f", value);
            case NANOS -> Units.time((long) value);
            case CORES -> Units.percent(value);
        };
    }
}
