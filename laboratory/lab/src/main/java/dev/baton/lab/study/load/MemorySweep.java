package dev.baton.lab.study.load;

import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PageOfResults;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.OutOfMemory;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.load.MemorySearch.Outcome;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Searches the smallest memory of each trial, and shows every size that it tried. A size at which the JVM does not run is
 * a result and no failure. Confined to one thread.
 */
final class MemorySweep {
    private final MeasuringCommand command;
    private final Workspace workspace;
    private final MemoryOptions.Range range;
    private final BiFunction<PlannedTrial, Long, PlannedTrial> sizes;
    private final Map<String, Integer> attempts = new HashMap<>();
    private int code = ExitCode.OK;

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
        List<TrialResult> smallest = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        console.print(MemoryLines.heading(trials.get(0).plan(), range.leastBytes(), range.mostBytes(), columns()));
        try (ProgressLine progress = new ProgressLine(console.err(), console.terminal())) {
            Trials runner = command.bench().trials(folder, workspace, progress);
            for (PlannedTrial trial : trials) {
                Map<Long, TrialResult> enough = new HashMap<>();
                MemorySearch search = new MemorySearch(size -> attempt(runner, trial, size, enough));
                long bytes = search.smallest(range.leastBytes(), range.mostBytes());
                if (search.isEnded()) {
                    answers.addAll(MemoryLines.inconclusive(TrialNames.of(trial.plan()), columns()));
                    code = ExitCode.graver(code, ExitCode.INCONCLUSIVE);
                    continue;
                }
                answers.addAll(MemoryLines.answer(
                        TrialNames.of(trial.plan()), trial.plan().limits(), bytes, range.mostBytes(), columns()));
                if (bytes > 0) {
                    smallest.add(enough.get(bytes));
                }
                code = ExitCode.graver(code, bytes == 0 ? ExitCode.FAILED : ExitCode.OK);
            }
        }
        folder.end();
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

    private Outcome attempt(Trials runner, PlannedTrial trial, long bytes, Map<Long, TrialResult> enough) {
        String id = trial.plan().id() + "-" + (bytes >> 20) + "m";
        int attempt = attempts.merge(id, 1, Integer::sum);
        PlannedTrial sized = sizes.apply(trial, bytes).named(attempt == 1 ? id : id + "-" + attempt);
        List<FinishedTrial> finished = runner.run(List.of(sized));
        if (finished.isEmpty() || command.bench().interruption().isRequested()) {
            return Outcome.ENDED;
        }
        FinishedTrial end = finished.get(0);
        Outcome outcome = outcome(end);
        if (end.result() != null && outcome == Outcome.ENOUGH) {
            enough.put(bytes, end.result());
        }
        if (outcome == Outcome.ENDED) {
            command.console()
                    .complain("baton: " + Objects.requireNonNull(end.failure()).getMessage());
            code = ExitCode.graver(code, ExitCode.of(end.failure()));
        } else {
            command.console()
                    .print(MemoryLines.step(
                            TrialNames.of(trial.plan()), bytes, outcome == Outcome.OUT_OF_MEMORY, end, columns()));
        }
        return outcome;
    }

    static Outcome outcome(FinishedTrial end) {
        if (end.result() == null) {
            return OutOfMemory.isIn(end.failure().getMessage()) ? Outcome.OUT_OF_MEMORY : Outcome.ENDED;
        }
        if (end.result().outcome().verdict() == Verdict.PASS) {
            return Outcome.ENOUGH;
        }
        boolean isShort = end.result().outcome().reasons().stream().anyMatch(OutOfMemory::isIn);
        return isShort ? Outcome.OUT_OF_MEMORY : Outcome.NOT_KEPT;
    }
}
