package dev.baton.lab.command;

import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.matrix.MatrixReport;
import dev.baton.lab.matrix.RoundOrder;
import dev.baton.lab.matrix.Series;
import dev.baton.lab.matrix.Variant;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs the trials of a matrix and shows what came of them. A variant that leaves no result is a line of the table and does
 * not end the matrix. What an earlier run of the same matrix has left in the folder is not run again. Confined to one
 * thread.
 */
public record MatrixRun(Console console, Workbench bench) {
    /**
     * The question of a matrix.
     *
     * @param name of the folder, such as window
     * @param typed the command line
     */
    public record Question(String title, String name, List<String> typed, List<Figure> figures) {}

    /**
     * The course of a matrix.
     *
     * @param budget the longest allowed estimate; null for any
     * @param resumed folder of an earlier run to continue; null for none
     */
    public record Course(int trials, long seed, Duration budget, Path resumed) {}

    /** The rows to be, and what all of them need. */
    public static final class Variants {
        private final List<Variant> all = new ArrayList<>();
        private final List<MeasuringCommand.Plan> plans = new ArrayList<>();
        private final boolean isProvisional;
        private MeasuringCommand command; // they are all of one kind

        /**
         * Creates variants.
         *
         * @param isProvisional whether all trials are exploratory, whatever the commands' own options are
         */
        public Variants(boolean isProvisional) {
            this.isProvisional = isProvisional;
        }

        /**
         * Adds a row for every trial that a command plans, in every way that its JVM options ask for.
         *
         * @param name what sets the command apart from the others, empty when nothing does
         */
        public void add(String name, MeasuringCommand command) {
            this.command = command;
            command.refuseSearch();
            for (JvmOptions.Way way : command.ways()) {
                if (way.skipped() != null) {
                    all.add(Variant.skipped(JvmOptions.joined(name, way.name()), way.skipped()));
                    continue;
                }
                MeasuringCommand.Plan plan = command.plan(way.choice());
                plans.add(plan);
                for (PlannedTrial trial : plan.trials()) {
                    all.add(Variant.of(
                            JvmOptions.joined(name, way.name(), trial.plan().id()),
                            isProvisional ? trial.with(trial.plan().provisional()) : trial));
                }
            }
        }

        private long diskBytes() {
            return plans.stream()
                    .mapToLong(MeasuringCommand.Plan::diskBytes)
                    .max()
                    .orElse(0);
        }
    }

    /** Prints the estimated time, runs the remaining trials, and reports. */
    public int run(Question question, Variants variants, Course course, OutputOptions output) {
        RoundOrder schedule = RoundOrder.of(variants.all, course.trials(), course.seed());
        ExperimentFolder earlier = course.resumed() == null ? null : ExperimentFolder.again(course.resumed());
        List<PlannedTrial> trials =
                schedule.turns().stream().map(RoundOrder.Turn::trial).toList();
        String size = size(schedule, course.budget());
        if (earlier != null) {
            earlier.requireSame(trials);
        }
        long disk = variants.diskBytes();
        try (Workspace workspace = output.openWorkspace(bench.interruption(), disk, variants.command.directory(disk))) {
            variants.plans.forEach(
                    plan -> Rehearsal.run(plan.transports(), plan.payload(), variants.command.size(), workspace));
            console.complain("matrix: " + size);
            ExperimentFolder folder = earlier == null ? ExperimentFolder.in(output.out(), question.name()) : earlier;
            folder.begin(question.typed(), course.seed(), trials);
            Map<String, FinishedTrial> finished = run(trials, folder, workspace);
            folder.end();
            List<Series> series = series(schedule, finished);
            if (!finished.isEmpty()) {
                MatrixReport report = MatrixReport.of(series, question.figures());
                console.print(report.lines(question.title(), folder.path(), console.terminal()));
                PageOfResults.write(folder.measured(), report.headline(question.title()), console);
            }
            folder.discardIfEmpty();
            CommandException refusal = refusal(finished);
            return refusal == null || bench.interruption().isRequested()
                    ? conclude(series, folder.path(), finished.size() < trials.size() || isAnyCutShort(finished))
                    : refused(refusal);
        }
    }

    /** Returns why a trial was refused because of what was typed, which ends a matrix; null when none was. */
    private static CommandException refusal(Map<String, FinishedTrial> finished) {
        return finished.values().stream()
                .map(FinishedTrial::failure)
                .filter(failure -> failure != null && failure.kind() == CommandException.Kind.USAGE)
                .findFirst()
                .orElse(null);
    }

    private int refused(CommandException refusal) {
        console.complain("baton: " + refusal.getMessage());
        return ExitCode.of(refusal);
    }

    /** {@return whether a trial was ended early, maybe by a signal to its JVM alone} A continued run measures it again. */
    private static boolean isAnyCutShort(Map<String, FinishedTrial> finished) {
        return finished.values().stream().anyMatch(each -> each.verdict() == Verdict.INTERRUPTED);
    }

    /** Describes the amount of work in words. @throws CommandException when that is nothing, or more than the budget */
    private static String size(RoundOrder schedule, Duration budget) {
        if (schedule.turns().isEmpty()) {
            Variant first = schedule.variants().get(0);
            throw CommandException.environment(
                    "nothing of this matrix can be run: " + first.name() + ": " + first.skipped());
        }
        String size = Units.count(schedule.variants().size()) + " rows, "
                + Units.count(schedule.turns().size()) + " trials, about " + Units.span(schedule.estimate());
        if (budget != null && schedule.estimate().compareTo(budget) > 0) {
            throw CommandException.usage("this matrix has " + size + ", more than --budget " + Units.typed(budget)
                    + "; take fewer values, fewer --trials or a shorter --duration, or raise --budget");
        }
        return size;
    }

    /** Runs the trials without a result of an earlier run; returns all results by name. */
    private Map<String, FinishedTrial> run(List<PlannedTrial> trials, ExperimentFolder folder, Workspace workspace) {
        Map<String, FinishedTrial> finished = new HashMap<>();
        List<PlannedTrial> left = new ArrayList<>();
        for (PlannedTrial trial : trials) {
            FinishedTrial earlier = folder.earlier(trial.plan());
            if (earlier == null) {
                left.add(trial);
            } else {
                finished.put(trial.plan().id(), earlier);
            }
        }
        if (!finished.isEmpty()) {
            console.complain(
                    "matrix: " + finished.size() + " trials of an earlier run are kept, " + left.size() + " to go");
        }
        try (ProgressLine progress = new ProgressLine(console.err(), console.terminal(), TrialPlan::id)) {
            bench.trials(folder, workspace, progress)
                    .run(left)
                    .forEach(each -> finished.put(each.plan().id(), each));
        }
        return finished;
    }

    private static List<Series> series(RoundOrder schedule, Map<String, FinishedTrial> finished) {
        List<Series> all = new ArrayList<>();
        for (int i = 0; i < schedule.variants().size(); i++) {
            int variant = i;
            List<FinishedTrial> ended = schedule.turns().stream()
                    .filter(turn -> turn.variant() == variant)
                    .map(turn -> finished.get(turn.trial().plan().id()))
                    .filter(Objects::nonNull)
                    .toList();
            List<TrialResult> results = ended.stream()
                    .map(FinishedTrial::result)
                    .filter(Objects::nonNull)
                    .filter(result -> result.outcome().verdict() != Verdict.INTERRUPTED)
                    .toList();
            List<String> failures = ended.stream()
                    .map(FinishedTrial::failure)
                    .filter(Objects::nonNull)
                    .map(CommandException::getMessage)
                    .toList();
            all.add(new Series(schedule.variants().get(i), results, failures));
        }
        return all;
    }

    /**
     * A variant that cannot live, or keep a limit that another one keeps, is a result; a message lost, a chain that stopped or a leak is
     * not, nor a limit that no conclusive trial kept.
     */
    private int conclude(List<Series> series, Path folder, boolean isUnfinished) {
        if (bench.interruption().isRequested() || isUnfinished) {
            console.complain("baton: interrupted; continue with the same command and --resume " + folder);
            return ExitCode.INTERRUPTED;
        }
        List<TrialResult> results =
                series.stream().flatMap(each -> each.results().stream()).toList();
        if (results.isEmpty() || results.stream().anyMatch(MatrixRun::isFaulty)) {
            return ExitCode.FAILED;
        }
        List<TrialResult> conclusive = results.stream()
                .filter(each -> each.outcome().verdict() != Verdict.INCONCLUSIVE)
                .toList();
        if (conclusive.isEmpty()) {
            return ExitCode.INCONCLUSIVE;
        }
        boolean isKept = conclusive.stream().anyMatch(each -> each.outcome().verdict() != Verdict.FAIL);
        return isKept ? ExitCode.OK : ExitCode.FAILED;
    }

    private static boolean isFaulty(TrialResult result) {
        Study study = result.plan().study();
        return result.outcome().verdict() == Verdict.FAIL
                && (!result.delivery().isFaultless()
                        || result.outcome().stop().isPresent()
                        || study.isEachFailureADefect());
    }
}
