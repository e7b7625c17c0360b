package dev.baton.lab.reporting;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.statistics.Percentiles;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The times of the stages of a chain: a row for each stage, three columns for each trial. Stateless, thread-safe. */
public final class StageTable {
    private static final double[] PERCENTILES = {50, 99, 99.9};
    private static final String NOT_TOLD = "n/a";

    private StageTable() {}

    /** The lines, with an empty one behind; none when no trial timed a single chain. */
    public static List<String> lines(List<TrialResult> trials, Paint paint, int width) {
        List<TrialResult> timed = trials.stream()
                .filter(trial -> trial.plan().shape().instances() == 1)
                .filter(trial -> trial.explanation() != null
                        && trial.explanation().stages().stream().anyMatch(stage -> stage.samples() > 0))
                .toList();
        if (timed.isEmpty()) {
            return trials.stream()
                    .filter(StageTable::isUntimed)
                    .findFirst()
                    .map(trial -> new TextReport(paint, width)
                            .text("stages: not timed, as services of chain "
                                    + trial.plan().shape().chain().name() + " filter or multiply messages")
                            .gap()
                            .lines())
                    .orElse(List.of());
        }
        TextReport report = new TextReport(paint, width)
                .text("stages: a topic from its commit to its reader's callback, a service from there to its commit"
                        + sampled(timed))
                .table(table(timed));
        TrialNames names = TrialNames.among(timed);
        for (TrialResult trial : timed) {
            String missing = missing(trial.explanation().stages());
            if (!missing.isEmpty()) {
                String whose = timed.size() > 1 ? names.of(trial) + ": " : "";
                report.text(whose + "missing here, as they waited too long to be timed: " + missing);
            }
        }
        if (timed.stream()
                .flatMap(trial -> trial.explanation().stages().stream())
                .anyMatch(StageTable::isUntold)) {
            report.text(NOT_TOLD
                    + ": not measured, as the clock is read once for a batch, so both time stamps are the same");
        }
        return report.gap().lines();
    }

    /** Returns whether a trial would have timed its services, had its chain sent one message for each input. */
    private static boolean isUntimed(TrialResult trial) {
        TrialPlan plan = trial.plan();
        return plan.shape().chain() != null
                && plan.watching().timesOneOf(plan.shape(), plan.load()) > 0
                && plan.subject().engine().equals(Subject.BATON)
                && trial.delivery().delivered() > 0;
    }

    private static boolean isUntold(Stage stage) {
        return Stream.of(stage.p50Nanos(), stage.p99Nanos(), stage.p999Nanos())
                .anyMatch(nanos -> nanos != null && nanos == 0);
    }

    /** Describes the messages that came too late, by topic; a message is missing in the service before it as well. */
    private static String missing(List<Stage> stages) {
        return stages.stream()
                .filter(stage -> stage.kind() == Stage.Kind.TOPIC && stage.untimed() > 0)
                .map(stage -> Units.counted(stage.untimed(), "message") + " up to " + stage.name())
                .collect(Collectors.joining(", "));
    }

    private static String sampled(List<TrialResult> trials) {
        int most = trials.stream()
                .mapToInt(trial -> trial.plan()
                        .watching()
                        .timesOneOf(trial.plan().shape(), trial.plan().load()))
                .max()
                .orElse(1);
        return most > 1 ? "; one message of " + most : "";
    }

    private static Table table(List<TrialResult> trials) {
        TrialNames names = TrialNames.among(trials);
        List<Cell> headings = new ArrayList<>();
        List<Cell> second = new ArrayList<>();
        for (TrialResult trial : trials) {
            for (double percentile : PERCENTILES) {
                headings.add(Cell.of(percentile == PERCENTILES[0] ? names.of(trial) : "", Tone.BOLD));
                second.add(Cell.of(ResultTable.name(percentile)));
            }
        }
        Table table = new Table(headings).together(PERCENTILES.length).row("", second);
        for (Stage stage : trials.get(0).explanation().stages()) {
            List<Cell> cells = new ArrayList<>();
            for (TrialResult trial : trials) {
                trial.explanation().stages().stream()
                        .filter(each -> each.name().equals(stage.name()))
                        .findFirst()
                        .ifPresentOrElse(
                                each -> cells.addAll(cells(each)),
                                () -> cells.addAll(Collections.nCopies(PERCENTILES.length, ResultTable.NONE)));
            }
            table.row(stage.name(), cells);
        }
        return table;
    }

    private static List<Cell> cells(Stage stage) {
        List<Function<Stage, Long>> figures = List.of(Stage::p50Nanos, Stage::p99Nanos, Stage::p999Nanos);
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < PERCENTILES.length; i++) {
            Long nanos = figures.get(i).apply(stage);
            boolean hasFewSamples = Percentiles.hasFewSamples(PERCENTILES[i], stage.samples());
            Tone tone = hasFewSamples ? Tone.GREY : Tone.PLAIN;
            cells.add(nanos == null ? ResultTable.NONE : Cell.of(nanos == 0 ? NOT_TOLD : Units.time(nanos), tone));
        }
        return cells;
    }
}
