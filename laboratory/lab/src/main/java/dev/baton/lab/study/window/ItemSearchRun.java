package dev.baton.lab.study.window;

import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PageOfResults;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.matrix.RoundOrder;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * Runs searches for the most items, a trial at a time, in a seeded random order, and shows what they found. No trial begins
 * that is expected to end beyond the budget. Confined to one thread.
 */
final class ItemSearchRun {
    private final MeasuringCommand command;
    private final List<ItemSearch> searches;
    private final WindowStudy study;

    /**
     * Creates the searches.
     *
     * @param planned a trial of each job with each number of keys
     */
    ItemSearchRun(MeasuringCommand command, List<PlannedTrial> planned, boolean isQuick) {
        this.command = command;
        searches = ItemSearch.of(planned, isQuick);
        study = (WindowStudy) planned.get(0).plan().study();
    }

    /**
     * Runs all searches.
     *
     * @return the exit code
     */
    int run(Workspace workspace) {
        Console console = command.console();
        ExperimentFolder folder = command.beginFolder(List.of());
        int samples = searches.get(0).isProvisional() ? 1 : Limit.ENOUGH_SAMPLES;
        console.print(new TextReport(console.terminal())
                .text(ItemSearchText.asked(study.shown()))
                .text(ItemSearchText.needed(study.shown(), samples, study.stepsPerSecond()))
                .lines());
        try (ProgressLine progress = new ProgressLine(console.err(), console.terminal(), TrialPlan::id)) {
            Trials trials = command.bench().trials(folder, workspace, progress);
            turns(trial -> trials.run(List.of(trial)).stream()
                    .findFirst()
                    .orElseGet(() -> new FinishedTrial(trial.plan(), null, null)));
        }
        folder.end();
        List<TrialResult> measured = folder.measured().trials();
        if (!measured.isEmpty()) {
            folder.write(FoundItems.FILE, FoundItems.of(study.shown(), searches));
            console.print(lines(measured, folder));
            Headline headline = new Headline(ItemSearchText.asked(study.shown()), answers());
            PageOfResults.write(folder.measured(), headline, console);
        }
        folder.discardIfEmpty();
        int code = ExitCode.OK;
        for (ItemSearch each : searches) {
            if (each.refusal != null) {
                console.complain("baton: " + each.refusal.getMessage());
            }
            code = ExitCode.graver(code, each.exitCode());
        }
        if (command.bench().interruption().isRequested()) {
            command.output().tellKept(workspace, console);
            console.complain("baton: interrupted; the results so far are above");
            return ExitCode.INTERRUPTED;
        }
        return command.conclude(List.of(), workspace, code);
    }

    private void turns(Function<PlannedTrial, FinishedTrial> runner) {
        Duration budget = command.budget();
        long deadline = budget == null ? Long.MAX_VALUE : budget.toNanos();
        long begun = System.nanoTime();
        Random order = new Random(command.seed());
        List<ItemSearch> left = new ArrayList<>(searches);
        while (!left.isEmpty()) {
            ItemSearch next = left.get(order.nextInt(left.size()));
            PlannedTrial trial = next.next();
            if (command.bench().interruption().isRequested()) {
                next.stop(ItemSearch.Stop.INTERRUPTED, null);
            } else if (System.nanoTime() - begun
                    > deadline - RoundOrder.estimate(trial).toNanos()) {
                next.stop(ItemSearch.Stop.BUDGET, null);
            } else {
                FoundItems.Tried point = next.enter(runner.apply(trial));
                if (point != null) { // there is something to tell
                    Terminal terminal = command.console().terminal();
                    command.console().print(Wrapped.lines("", ItemSearchText.judged(next, point), terminal.columns()));
                }
            }
            left.removeIf(ItemSearch::isOver);
        }
    }

    private List<String> lines(List<TrialResult> measured, ExperimentFolder folder) {
        Terminal terminal = command.console().terminal();
        TextReport report = new TextReport(terminal);
        searches.forEach(each -> report.gap().line(Tone.BOLD, each.name).table(ItemSearchText.table(each)));
        return report.gap()
                .texts(answers())
                .gap()
                .lines(WindowReport.ends(measured, folder.path(), terminal))
                .lines();
    }

    private List<String> answers() {
        return searches.stream()
                .map(each -> ItemSearchText.answer(each, study.shown()))
                .toList();
    }
}
