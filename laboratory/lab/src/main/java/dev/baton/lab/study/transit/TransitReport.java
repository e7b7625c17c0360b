package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.PromisesText;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.TailLines;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Paint;
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

    private TransitReport() {}

    /**
     * All lines.
     *
     * @param trials one or more, in the order of the columns
     * @param isQuick whether they were too short to be quoted
     * @param folder that holds the files
     */
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
        lines.add("");
        lines.addAll(TransitTable.above(trials).lines(paint, width));
        lines.add("");
        TransitRemarks.onDoubts(trials).forEach(remark -> wrap(lines, remark, width));
        conditions(lines, trials, width);
        lines.add("");
        lines.addAll(PromisesText.lines(trials, paint, width));
        lines.add("");
        if (trials.stream().anyMatch(trial -> trial.plan().subject().transport().equals(PublishedTransit.TRANSPORT))) {
            lines.addAll(PublishedTransit.lines(paint, width));
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
                + " of them header) at " + Units.rate(plan.load().ratePerSecond()) + "/s for "
                + Units.typed(Duration.ofNanos(plan.phases().measureNanos()))
                + "; response times run from the intended send";
    }

    static void wrap(List<String> lines, String remark, int width) {
        lines.addAll(Wrapped.lines("", remark, width));
    }
}
