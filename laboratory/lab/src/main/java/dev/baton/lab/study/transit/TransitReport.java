package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.GuaranteesText;
import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.TailLines;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Frame;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The final output of {@code baton transit}. Stateless, thread-safe. */
public final class TransitReport {
    private static final String PUBLISHED_TRANSPORT = "chronicle"; // that all published figures are about
    private static final String FILE = "transit-jvm.csv";
    private static final String PUBLISHED_BY =
            "\"Which JVM Version is Fastest?\", P. Minborg, 2022-05-09: Chronicle Queue in"
                    + " shared memory, two pinned threads, messages of 256 bytes at 100,000/s for 100 s; Ryzen 9 5950X, isolated"
                    + " cores";

    private TransitReport() {}

    /** Returns all lines for trials in the order of the columns. */
    public static List<String> lines(List<TrialResult> trials, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        TextReport report = new TextReport(terminal).text(title(trials.get(0).plan()));
        Remarks.onProvisional(trials).forEach(remark -> report.line(Tone.WARNING, remark));
        report.gap()
                .table(TransitTable.of(trials))
                .gap()
                .lines(Verdicts.lines(trials, width))
                .lines(TailLines.lines(trials, width));
        TransitRemarks.onReference(trials).forEach(remark -> report.text(paint.apply(Tone.BOLD, remark)));
        report.texts(Remarks.onSamples(trials, TransitTable.HIGHEST_SHOWN, paint))
                .texts(Remarks.onCounts(trials))
                .texts(Remarks.onLateSends(trials))
                .texts(Remarks.onPromises(trials))
                .texts(Remarks.onPrimitiveTrials(trials))
                .gap()
                .table(TransitTable.above(trials))
                .gap()
                .texts(TransitRemarks.onDoubts(trials))
                .texts(TransitRemarks.onFloor(trials))
                .text(TransitRemarks.onClock(trials.get(0)))
                .texts(TransitRemarks.onPins(trials))
                .texts(TransitRemarks.onPlace(trials))
                .texts(Remarks.onOtherProcesses(trials))
                .texts(Remarks.onOversubscription(trials))
                .gap()
                .lines(GuaranteesText.lines(trials, width))
                .gap();
        if (trials.stream().anyMatch(trial -> isPublished(trial.plan()))) {
            report.lines(published(paint, width)).gap();
        }
        return report.lines(Remarks.onRun(trials, TrialNames.among(trials)::of, folder, width))
                .lines();
    }

    public static String title(TrialPlan plan) {
        return "one topic from one thread to another: messages of "
                + Units.count(plan.shape().payloadBytes() + Frame.HEADER_BYTES) + " bytes (" + Frame.HEADER_BYTES
                + " of them header) at " + Units.rate(plan.load().ratePerSecond()) + "/s"
                + plan.load().manner() + " for "
                + Units.typed(Duration.ofNanos(plan.phases().measureNanos()))
                + (plan.load().isReadFromSend()
                        ? "; service times, first below, run from the actual send and omit the delay of a late sender"
                        : "; response times run from the intended send");
    }

    private static boolean isPublished(TrialPlan plan) {
        return plan.subject().transport().equals(PUBLISHED_TRANSPORT);
    }

    /** Returns published figures, shown for comparison and never ranked. */
    private static List<String> published(Paint paint, int width) {
        Table table = new Table("p50", "p99.99");
        PublishedFile.rows(FILE)
                .forEach(row ->
                        table.row(PUBLISHED_TRANSPORT + ", " + row[0] + " " + row[1], nanos(row[2]), nanos(row[3])));
        return PublishedFile.lines(table.lines(paint, width), PUBLISHED_BY, paint, width);
    }

    private static String nanos(String figure) {
        return Units.time(Long.parseLong(figure));
    }

    /** {@return the published figures as series of percentiles} */
    static List<PublishedSeries> published(TrialPlan plan) {
        return !isPublished(plan)
                ? List.of()
                : PublishedFile.rows(FILE).stream()
                        .map(row -> new PublishedSeries(
                                row[0] + " " + row[1] + " elsewhere",
                                List.of(
                                        PublishedSeries.point(50, Double.parseDouble(row[2])),
                                        PublishedSeries.point(99.99, Double.parseDouble(row[3]))),
                                PUBLISHED_BY))
                        .toList();
    }
}
