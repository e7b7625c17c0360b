package dev.baton.lab.study.load;

import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PageOfResults;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.search.SearchScheduler;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Searches the smallest memory of each trial, and shows every size that it tried. Confined to one thread. */
final class MemorySweep {
    private final MeasuringCommand command;
    private final Workspace workspace;
    private final MemoryOptions.Range range;
    private final BiFunction<PlannedTrial, Long, PlannedTrial> sizes;

    /**
     * Creates a sweep.
     *
     * @param sizes creates a trial of this many bytes
     */
    MemorySweep(
            MeasuringCommand command,
            Workspace workspace,
            MemoryOptions.Range range,
            BiFunction<PlannedTrial, Long, PlannedTrial> sizes) {
        this.command = command;
        this.workspace = workspace;
        this.range = range;
        this.sizes = sizes;
    }

    /** Runs all and prints as it goes. @return the exit code */
    int run(List<PlannedTrial> trials) {
        Console console = command.console();
        ExperimentFolder folder = command.beginFolder(List.of());
        List<MemorySearch> searches = trials.stream()
                .map(trial -> new MemorySearch(trial, range, sizes))
                .toList();
        console.print(MemoryLines.heading(trials.get(0).plan(), range.leastBytes(), range.mostBytes(), columns()));
        try (ProgressLine progress = new ProgressLine(console.err(), console.terminal())) {
            Trials runner = command.bench().trials(folder, workspace, progress);
            new SearchScheduler<MemorySearch>(
                            trial -> counting(runner.runOne(trial)),
                            search -> console.print(MemoryLines.step(
                                    TrialNames.of(search.trial.plan()), search.lastBytes(), search.last(), columns())),
                            command.bench().interruption()::isRequested,
                            System::nanoTime)
                    .run(searches, command.budget(), command.seed());
        }
        folder.end();
        int code = ExitCode.OK;
        List<TrialResult> smallest = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (MemorySearch each : searches) {
            if (each.refusal() != null) {
                console.complain("baton: " + each.refusal().getMessage());
                code = ExitCode.graver(code, ExitCode.of(each.refusal()));
            }
            answers.addAll(MemoryLines.answer(each, range.mostBytes(), columns()));
            if (!each.isConclusive()) {
                code = ExitCode.graver(code, ExitCode.INCONCLUSIVE);
            } else if (each.smallest() == null) {
                code = ExitCode.graver(code, ExitCode.FAILED);
            } else {
                smallest.add(each.smallest());
            }
        }
        console.print(List.of(""));
        if (!smallest.isEmpty()) {
            console.print(command.report(smallest, folder.path()));
            PageOfResults.write(folder.measured(), null, command.console());
            console.print(List.of(""));
        }
        console.print(answers);
        folder.discardIfEmpty();
        return command.conclude(List.of(), workspace, code);
    }

    private int columns() {
        return command.console().terminal().columns();
    }

    /** Returns the end of a trial that counts if its JVM did not run for lack of memory, although the environment refused it. */
    private static FinishedTrial counting(FinishedTrial end) {
        return end.counts() || !MemorySearch.isShort(end) || end.failure() == null
                ? end
                : new FinishedTrial(
                        end.plan(),
                        null,
                        new CommandException(
                                CommandException.Kind.FAILURE, end.failure().getMessage(), end.failure()));
    }
}
