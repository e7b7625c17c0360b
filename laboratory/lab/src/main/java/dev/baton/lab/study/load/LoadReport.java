package dev.baton.lab.study.load;

import dev.baton.lab.reporting.GuaranteesText;
import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.TailLines;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.MemoryBudget;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.load.LoadFindings.Bar;
import dev.baton.lab.study.load.LoadStudy.Method;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The final output of {@code baton load}. Stateless, thread-safe. */
public final class LoadReport {
    /** The remark at every figure of a closed loop. */
    static final String KIND = "service time, closed loop";

    private static final int NARROWEST_BAR = 10;
    private static final String FILE = "small-memory.csv";
    private static final String PUBLISHED_BY =
            "\"Cloud Benchmarking JVMs\" and the posts below it, 2018: one REST service on"
                    + " Vert.x with Redis behind it, driven by hey with a closed loop for 10 s; i5-5300U laptop";

    private LoadReport() {}

    /** Returns all lines for trials in the order of the columns. */
    public static List<String> lines(List<TrialResult> trials, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        TextReport report = new TextReport(terminal);
        Remarks.onProvisional(trials).forEach(remark -> report.line(Tone.WARNING, remark));
        report.text(title(trials.get(0))).gap().table(table(trials));
        for (TrialResult trial : trials) {
            report.gap()
                    .line(TrialNames.among(trials).of(trial) + ", " + KIND
                            + ", requests (bounds grow by the same factor):")
                    .lines(bars(findings(trial).bars(), width));
        }
        report.gap()
                .lines(Verdicts.lines(trials, width))
                .lines(TailLines.lines(trials, width))
                .texts(remarks(trials, paint))
                .gap()
                .lines(GuaranteesText.lines(trials, width))
                .gap();
        if (trials.stream().map(TrialResult::plan).anyMatch(LoadReport::isLikePublished)) {
            report.lines(published(paint, width)).gap();
        }
        addSetting(report, trials);
        return report.lines(Remarks.onRun(trials, TrialNames.among(trials)::of, folder, width))
                .lines();
    }

    public static String title(TrialResult trial) {
        return Units.count(trial.plan().load().concurrency()) + " requests in flight " + path(trial) + "; " + KIND
                + ": each client sends its next request after its answer, so no client sends while the server stalls."
                + " These are not response times at a rate: a stall counts once per client";
    }

    private static String path(TrialResult trial) {
        LoadStudy study = (LoadStudy) trial.plan().study();
        Shape shape = trial.plan().shape();
        String services = Units.counted(shape.services(), "service") + shape.workText();
        String payload = Remarks.onPayload(shape);
        String method = study.method() == Method.GET ? "over HTTP (GET)" : "over HTTP";
        return switch (study.way()) {
            case CHAIN -> "through " + services + " and back, payload " + payload;
            case GATEWAY ->
                method + " through " + services + " and back, body " + payload + " or a number of 16 digits";
            case URL -> method + " to " + study.url();
        };
    }

    private static Table table(List<TrialResult> trials) {
        Table table = ResultTable.columns(trials);
        BiConsumer<String, Function<TrialResult, Cell>> row =
                (label, cell) -> ResultTable.row(table, trials, label, cell);
        row.accept(
                "requests  per second",
                trial -> Cell.of(Units.count(Math.round(trial.rate().achievedPerSecond())), Tone.BOLD));
        row.accept(
                "          answered",
                trial -> Cell.of(Units.count(trial.response().count())));
        table.gap();
        ResultTable.deliveryRows(table, trials);
        table.gap();
        Set<Double> shares = new LinkedHashSet<>();
        trials.forEach(trial -> findings(trial).distribution().forEach(each -> shares.add(each.percentile())));
        String label = "service   ";
        for (double share : shares) {
            row.accept(label + ResultTable.name(share), trial -> share(trial, share));
            label = "          ";
        }
        row.accept("          p99.9", trial -> ResultTable.percentile(trial.response(), 99.9));
        row.accept("          p99.99", trial -> ResultTable.percentile(trial.response(), 99.99));
        row.accept("          max", trial -> ResultTable.max(trial.response()));
        table.gap();
        row.accept("JVM start to 1st answer", trial -> time(findings(trial).firstAnswerNanos(), "none"));
        row.accept("          to steady rate", trial -> time(findings(trial).steadyNanos(), "not reached"));
        table.gap();
        ResultTable.machineRows(table, trials);
        row.accept(
                "memory    peak RSS", trial -> cell(findings(trial).peakResidentBytes(), bytes -> Units.bytes(bytes)));
        row.accept("          GC of the CPU", trial -> cell(findings(trial).gcCpuShare(), Units::percent));
        row.accept("          major faults", trial -> cell(findings(trial).majorFaults(), Units::count));
        table.gap();
        ResultTable.verdictRow(table, trials);
        return table;
    }

    private static LoadFindings findings(TrialResult trial) {
        return (LoadFindings) trial.findings();
    }

    /** A share of the service times, as load generators print them; a dash where none is known. */
    public static Cell share(TrialResult trial, double share) {
        return trial.findings() instanceof LoadFindings load
                ? load.distribution().stream()
                        .filter(each -> each.percentile() == share && each.nanos() != null)
                        .findFirst()
                        .map(each -> Cell.of(Units.time(each.nanos()), each.hasFewSamples() ? Tone.GREY : Tone.PLAIN))
                        .orElse(ResultTable.NONE)
                : ResultTable.NONE;
    }

    private static Cell time(Long nanos, String without) {
        return Cell.of(nanos == null ? without : Units.time(nanos));
    }

    private static <T> Cell cell(T value, Function<T, String> text) {
        return value == null ? ResultTable.NONE : Cell.of(text.apply(value));
    }

    private static List<String> remarks(List<TrialResult> trials, Paint paint) {
        List<String> remarks = new ArrayList<>(Remarks.onSamples(trials, paint));
        remarks.add(
                "answered: in the measurement; sent and delivered: with the warm-up and the requests in flight at the end");
        remarks.add("steady rate: " + findings(trials.get(0)).steadyRule());
        remarks.add(
                "both times run from the start of the JVM and include the start of the laboratory: its classes, its probes,"
                        + " and 100 ms until the clients start");
        remarks.add("GC: CPU of the collector's threads and of the VM thread, concurrent work included");
        for (TrialResult trial : trials) {
            MemoryBudget budget = ((LoadStudy) trial.plan().study()).memory();
            remarks.addAll(MemoryLines.onExcess(
                    TrialNames.among(trials).of(trial), budget, findings(trial).peakResidentBytes()));
        }
        remarks.addAll(Remarks.onPromises(trials));
        remarks.addAll(Remarks.onSystems(trials));
        remarks.addAll(Remarks.onOtherProcesses(trials));
        remarks.addAll(Remarks.onOversubscription(trials));
        return remarks;
    }

    private static void addSetting(TextReport report, List<TrialResult> trials) {
        TrialNames names = TrialNames.among(trials);
        Set<String> memories = new LinkedHashSet<>();
        Map<String, String> clients = new LinkedHashMap<>();
        for (TrialResult trial : trials) {
            MemoryBudget budget = ((LoadStudy) trial.plan().study()).memory();
            if (budget != null) {
                memories.add(MemoryLines.division(budget));
            }
            clients.merge(findings(trial).clients(), names.of(trial), (one, other) -> one + ", " + other);
        }
        report.texts("memory: ", memories);
        clients.forEach((each, of) -> report.text((clients.size() > 1 ? "clients of " + of : "clients") + ": ", each));
    }

    /** Returns whether a trial asks what was published: a service over HTTP, or in limited memory. */
    static boolean isLikePublished(TrialPlan plan) {
        LoadStudy study = (LoadStudy) plan.study();
        return study.way() != LoadStudy.Way.CHAIN || study.memory() != null;
    }

    /** Returns published figures of a service in small memory, next to ours and not ranked. */
    private static List<String> published(Paint paint, int width) {
        Table table = new Table("requests/s", "p50", "p95", "p99", "slowest");
        for (String[] row : PublishedFile.rows(FILE)) {
            table.row(
                    row[0] + ", " + memory(row),
                    Units.count(Math.round(Double.parseDouble(row[2]))),
                    row[5] + " ms",
                    row[8] + " ms",
                    row[9] + " ms",
                    row[10] + " ms");
        }
        return PublishedFile.lines(table.lines(paint, width), PUBLISHED_BY, paint, width);
    }

    /** {@return the memory of a published row} */
    public static String memory(String[] row) {
        return row[1].equals("unlimited") ? row[1] : row[1] + " MB";
    }

    /** {@return the published figures as series of percentiles} */
    static List<PublishedSeries> published() {
        return PublishedFile.rows(FILE).stream()
                .map(row -> new PublishedSeries(
                        row[0] + ", " + memory(row) + " elsewhere",
                        List.of(
                                PublishedSeries.millis(50, row[5]),
                                PublishedSeries.millis(95, row[8]),
                                PublishedSeries.millis(99, row[9])),
                        PUBLISHED_BY))
                .toList();
    }

    /** A histogram drawn with characters: a line for each range of service times, none wider than the width. */
    static List<String> bars(List<Bar> bars, int width) {
        long most = bars.stream().mapToLong(Bar::count).max().orElse(0);
        int digits = bars.stream()
                .mapToInt(bar -> Units.count(bar.count()).length())
                .max()
                .orElse(1);
        List<String> lines = new ArrayList<>();
        for (Bar bar : bars) {
            String label = String.format(
                    Locale.ROOT,
                    "  up to %8s  %" + digits + "s  ",
                    Units.time(bar.toNanos()),
                    Units.count(bar.count()));
            int room = Math.max(NARROWEST_BAR, width - label.length());
            lines.add((label + "#".repeat(length(bar.count(), most, room))).stripTrailing());
        }
        return lines;
    }

    /** Returns the length of a bar; at least one character for any count above 0. */
    static int length(long count, long most, int room) {
        return count == 0 ? 0 : (int) Math.max(1, Math.round(count / (double) most * room));
    }
}
