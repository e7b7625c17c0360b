package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.PromisesText;
import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.TailLines;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import dev.baton.spi.Frame;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What {@code baton transit} prints in the end. Stateless, thread-safe. */
public final class TransitReport {
    /** Above the figures of exploratory trials. */
    public static final String PROVISIONAL = "provisional (--quick): exploratory trials, not an answer";

    /** That all published figures are about. */
    private static final String PUBLISHED_TRANSPORT = "chronicle";

    private static final String FILE = "transit-jvm.csv";
    private static final String PUBLISHED_BY =
            "\"Which JVM Version is Fastest?\", P. Minborg, 2022-05-09: Chronicle Queue in"
                    + " shared memory, two pinned threads, messages of 256 bytes at 100,000/s for 100 s; Ryzen 9 5950X, isolated"
                    + " cores";

    private TransitReport() {}

    /** All lines, of trials in the order of the columns. @param isQuick whether they were too short to be quoted */
    public static List<String> lines(List<TrialResult> trials, boolean isQuick, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        List<String> lines =
                new ArrayList<>(Wrapped.lines("", title(trials.get(0).plan()), width));
        if (isQuick) {
            lines.add(paint.apply(Tone.WARNING, PROVISIONAL));
        }
        lines.add("");
        lines.addAll(TransitTable.of(trials).lines(paint, width));
        lines.add("");
        lines.addAll(Verdicts.lines(trials, width));
        lines.addAll(TailLines.lines(trials, width));
        TransitRemarks.onReference(trials).forEach(remark -> wrap(lines, paint.apply(Tone.BOLD, remark), width));
        Remarks.onSamples(trials, TransitTable.HIGHEST_SHOWN, paint).forEach(remark -> wrap(lines, remark, width));
        Remarks.onPromises(trials).forEach(remark -> wrap(lines, remark, width));
        Remarks.onPrimitiveTrials(trials).forEach(remark -> wrap(lines, remark, width));
        lines.add("");
        lines.addAll(TransitTable.above(trials).lines(paint, width));
        lines.add("");
        TransitRemarks.onDoubts(trials).forEach(remark -> wrap(lines, remark, width));
        conditions(lines, trials, width);
        lines.add("");
        lines.addAll(PromisesText.lines(trials, paint, width));
        lines.add("");
        if (trials.stream().anyMatch(trial -> isPublished(trial.plan()))) {
            lines.addAll(published(paint, width));
            lines.add("");
        }
        lines.addAll(Remarks.onRun(trials, TrialNames.among(trials)::of, folder, width));
        return lines;
    }

    /** How it was measured, and what stands against it. */
    static void conditions(List<String> lines, List<TrialResult> trials, int width) {
        TransitRemarks.onFloor(trials).forEach(remark -> wrap(lines, remark, width));
        wrap(lines, TransitRemarks.onClock(trials.get(0)), width);
        TransitRemarks.onPins(trials).forEach(remark -> wrap(lines, remark, width));
        TransitRemarks.onPlace(trials).forEach(remark -> wrap(lines, remark, width));
        Remarks.onOtherProcesses(trials).forEach(remark -> wrap(lines, remark, width));
        Remarks.onOversubscription(trials).forEach(remark -> wrap(lines, remark, width));
    }

    public static String title(TrialPlan plan) {
        return "one topic from one thread to another: messages of "
                + Units.count(plan.shape().payloadBytes() + Frame.HEADER_BYTES) + " bytes (" + Frame.HEADER_BYTES
                + " of them header) at " + Units.rate(plan.load().ratePerSecond()) + "/s"
                + plan.load().manner() + " for "
                + Units.typed(Duration.ofNanos(plan.phases().measureNanos()))
                + (plan.load().isReadFromSend()
                        ? "; service times, first below, run from the actual send and omit what a late sender delays"
                        : "; response times run from the intended send");
    }

    static void wrap(List<String> lines, String remark, int width) {
        lines.addAll(Wrapped.lines("", remark, width));
    }

    private static boolean isPublished(TrialPlan plan) {
        return plan.subject().transport().equals(PUBLISHED_TRANSPORT);
    }

    /** What others have published, to be shown beside and never ranked. */
    private static List<String> published(Paint paint, int width) {
        Table table = new Table(List.of(Cell.of("p50"), Cell.of("p99.99")));
        PublishedFile.rows(FILE)
                .forEach(row -> table.row(
                        PUBLISHED_TRANSPORT + ", " + row[0] + " " + row[1], List.of(nanos(row[2]), nanos(row[3]))));
        return PublishedFile.lines(table.lines(paint, width), PUBLISHED_BY, paint, width);
    }

    private static Cell nanos(String figure) {
        return Cell.of(Units.count(Long.parseLong(figure)) + " ns");
    }

    /** The same as series of percentiles. */
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
