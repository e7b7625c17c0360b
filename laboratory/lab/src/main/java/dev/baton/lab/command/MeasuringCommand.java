package dev.baton.lab.command;

import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.matrix.RoundOrder;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.GuaranteesText;
import dev.baton.lab.reporting.HottestFrames;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Observers.Agent;
import dev.baton.lab.request.Observers.Profiler;
import dev.baton.lab.request.Observers.Stages;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.terminal.Units;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command whose trials can be planned before the first one runs: it says what to run in a given JVM and how to show
 * what came of it; how they are run, kept, and what it exits with, is the same for all. Confined to one thread.
 */
public abstract class MeasuringCommand extends LaboratoryCommand {
    @Mixin
    private JvmOptions jvms;

    @Mixin
    private RepetitionOptions repetition;

    @Mixin
    private ObserverOptions observers;

    @Mixin
    private OutputOptions output;

    public MeasuringCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    /**
     * The plan of a run in one JVM.
     *
     * @param trials in the order in which they are shown
     * @param running these trials in the order in which they run
     * @param transports to be opened once before the measurements; empty for none
     * @param payload the largest, in bytes
     * @param diskBytes that may be written under {@code --dir}
     */
    public record Plan(
            List<PlannedTrial> trials,
            List<PlannedTrial> running,
            List<ChosenTransport> transports,
            int payload,
            long diskBytes) {}

    /** Checks what was typed, and plans. @throws dev.baton.operations.line.CommandException when it cannot be done */
    public abstract Plan plan(JvmChoice choice);

    /** {@return the observers of the trials of a plan, from the command line; null: the usual ones} */
    public final Observers observers() {
        return observers.observers(stages());
    }

    /** {@return whether services time themselves} */
    public Stages stages() {
        return Stages.AUTO;
    }

    /** {@return the seed of all random values, from {@link CourseOptions}} */
    public long seed() {
        return spec.findOption("--seed").getValue();
    }

    /** {@return the total time for all trials; null for no limit} */
    public final Duration budget() {
        return repetition.budget();
    }

    /** Returns the report on the trials of one JVM, for a person. @param results one or more, in the order planned */
    public abstract List<String> report(List<TrialResult> results, Path folder);

    /** {@return the figures by which trials of this command are compared, most important first, from its study's view} */
    public List<Figure> figures() {
        return StudyView.named(spec.name()).figures();
    }

    /** Returns the directory of data if {@code --dir} is not set. @param diskBytes required free space */
    public Path directory(long diskBytes) {
        return OutputOptions.temporary();
    }

    /** {@return the payload with the option that sets it} */
    public Rehearsal.Size size() {
        return Rehearsal.Size.PAYLOAD;
    }

    /** {@return the name of a failed trial} */
    public String nameOf(TrialPlan plan) {
        return TrialNames.of(plan);
    }

    /** {@return the name of a running trial} */
    public String progressNameOf(TrialPlan plan) {
        return ProgressLine.name(plan);
    }

    @Override
    public final Integer call() {
        if (jvms.isSeveral() || repetition.isSeveral()) {
            refuseSearch();
            return runMatrix();
        }
        Plan plan = plan(jvms.choice());
        try (Workspace workspace =
                output.openWorkspace(bench.interruption(), plan.diskBytes(), directory(plan.diskBytes()))) {
            Rehearsal.run(plan.transports(), plan.payload(), size(), workspace);
            return measure(plan, workspace);
        }
    }

    /** Refuses options of a search; called before a matrix is made of this command. */
    final void refuseSearch() {
        Checks.require(
                !isSearching(),
                spec.name()
                        + ": a search, also that of --curve, excludes --trials and several JVMs, collectors, heaps or"
                        + " flags: omit the search or these");
    }

    private int runMatrix() {
        MatrixRun.Variants variants = new MatrixRun.Variants(false);
        variants.add("", this);
        return new MatrixRun(console, bench)
                .run(
                        new MatrixRun.Question(
                                spec.name() + ", " + Units.counted(repetition.trials(), "trial") + " each",
                                spec.name(),
                                spec.root().commandLine().getParseResult().expandedArgs(),
                                figures()),
                        variants,
                        new MatrixRun.Course(repetition.trials(), seed(), repetition.budget(), repetition.resumed()),
                        output);
    }

    /** {@return whether trials depend on the results of earlier ones, so that no matrix can contain this command} */
    public boolean isSearching() {
        return false;
    }

    /** Creates a folder for this command's results, with the plan in it. */
    public final ExperimentFolder beginFolder(List<PlannedTrial> planned) {
        return output.begin(spec, seed(), planned);
    }

    /** Runs the planned trials and prints the report. @return the exit code */
    public int measure(Plan plan, Workspace workspace) {
        ExperimentFolder folder = beginFolder(plan.trials());
        if (plan.trials().size() > 1) {
            Duration estimate = plan.trials().stream().map(RoundOrder::estimate).reduce(Duration.ZERO, Duration::plus);
            console.complain(Units.count(plan.trials().size()) + " trials, about " + Units.span(estimate));
        }
        List<FinishedTrial> finished;
        try (ProgressLine progress = new ProgressLine(console.err(), console.terminal(), this::progressNameOf)) {
            finished = bench.trials(folder, workspace, progress).run(plan.running());
        }
        folder.end();
        List<String> columns =
                plan.trials().stream().map(trial -> trial.plan().id()).toList();
        List<TrialResult> results = finished.stream()
                .sorted(Comparator.comparingInt(
                        trial -> columns.indexOf(trial.plan().id())))
                .map(FinishedTrial::result)
                .filter(Objects::nonNull)
                .toList();
        if (!results.isEmpty()) {
            console.print(report(results, folder.path()));
            showGuarantees(results);
            console.print(HottestFrames.lines(folder.path(), results));
            PageOfResults.write(folder.measured(), null, console);
        }
        folder.discardIfEmpty();
        complainAboutMissing(plan, results);
        return conclude(finished, workspace, ExitCode.OK);
    }

    /** Names the trials that an interruption has left without a result, if others have one. */
    private void complainAboutMissing(Plan plan, List<TrialResult> results) {
        Set<String> measured = results.stream().map(each -> each.plan().id()).collect(Collectors.toSet());
        String missing = plan.trials().stream()
                .map(PlannedTrial::plan)
                .filter(each -> !measured.contains(each.id()))
                .map(this::nameOf)
                .collect(Collectors.joining(", "));
        if (bench.interruption().isRequested() && !measured.isEmpty() && !missing.isEmpty()) {
            console.complain("baton: without a result: " + missing);
        }
    }

    /** Prints all guarantees of these trials if {@code --guarantees} asks for them. */
    public final void showGuarantees(List<TrialResult> results) {
        if (observers.isShowingGuarantees) {
            console.print(GuaranteesText.whole(
                    results, console.terminal().paint(), console.terminal().columns()));
        }
    }

    /** Complains about all that went wrong, the most severe last, and gives it as exit code. */
    public final int conclude(List<FinishedTrial> finished, Workspace workspace, int least) {
        return conclude(finished, finished.stream().anyMatch(trial -> trial.result() != null), workspace, least);
    }

    /** Does the same for a command that may have printed figures of other trials. */
    public final int conclude(List<FinishedTrial> finished, boolean hasFigures, Workspace workspace, int least) {
        int code = least;
        for (FinishedTrial trial : finished) {
            if (trial.result() != null) {
                code = ExitCode.graver(code, judged(trial));
            }
            if (trial.failure() != null) {
                console.complain("baton: " + trial.failure().getMessage());
                code = ExitCode.graver(code, ExitCode.of(trial.failure()));
            }
        }
        output.tellKept(workspace, console);
        if (bench.interruption().isRequested()) {
            console.complain("baton: interrupted; "
                    + (hasFigures ? "the figures so far are kept and marked" : "no figures exist"));
            return ExitCode.INTERRUPTED;
        }
        return code;
    }

    /** Complains about a verdict that is not a pass. @return what it means to a shell */
    private int judged(FinishedTrial trial) {
        Verdict verdict = trial.result().outcome().verdict();
        boolean isByUs = verdict == Verdict.INTERRUPTED && bench.interruption().isRequested(); // said below
        if (verdict == Verdict.PASS || isByUs) {
            return ExitCode.OK;
        }
        boolean isFailed = verdict == Verdict.FAIL;
        console.complain("baton: " + nameOf(trial.plan()) + (isFailed ? " failed: " : " is inconclusive: ")
                + Verdicts.firstReason(trial.result()));
        return isFailed ? ExitCode.FAILED : ExitCode.INCONCLUSIVE;
    }

    final List<JvmOptions.Way> ways() {
        return jvms.ways();
    }

    public final Console console() {
        return console;
    }

    public final Workbench bench() {
        return bench;
    }

    public final OutputOptions output() {
        return output;
    }

    /** The observers of a trial: options of every command whose trials are planned beforehand. */
    private static final class ObserverOptions {
        private static final String ON = "on";
        private static final String OFF = "off";
        private static final String JFR = "jfr";
        private static final String ASYNC = "async=";

        @Option(
                names = "--tail",
                paramLabel = "P",
                defaultValue = "99.9",
                description =
                        "percentile above which the causes of latencies are determined, 50 to 99.9999 (default: 99.9)")
        private BigDecimal tail;

        @Option(
                names = "--observers",
                paramLabel = "on|off",
                defaultValue = ON,
                description =
                        "off: no probes, no log of JVM pauses and no time line, to measure their cost; such a trial never passes (default: on)")
        private String observers;

        @OptionGroup(Heading.OUTPUT)
        @Option(
                names = "--profile",
                paramLabel = "HOW",
                description = {
                    "jfr, or async=FILE: record and print the hottest methods",
                    "the recording is kept with the result",
                    "async=FILE[,EVENT]: the same by async-profiler's libasyncProfiler.so; EVENT such as cpu (default), wall, alloc, cache-misses"
                })
        private String profile;

        @OptionGroup(Heading.OUTPUT)
        @Option(
                names = "--guarantees",
                description = {
                    "print all guarantees of the transports",
                    "below the report, with configurations and versions"
                })
        private boolean isShowingGuarantees;

        /** Returns the observers of the command line; null: the usual ones. @param stages whether services time themselves */
        Observers observers(Stages stages) {
            Checks.require(
                    tail.doubleValue() >= Observers.LEAST_TAIL && tail.doubleValue() <= Observers.MOST_TAIL,
                    "--tail " + tail.toPlainString() + " is out of range; 50 to 99.9999");
            Checks.require(
                    observers.equals(ON) || observers.equals(OFF),
                    "--observers '" + observers + "' is not known; on or off");
            Agent agent = agent();
            Profiler profiler = agent != null ? Profiler.ASYNC : profile == null ? Profiler.NONE : Profiler.JFR;
            Observers typed = new Observers(observers.equals(ON), tail.doubleValue(), stages, profiler, agent);
            return typed.equals(Observers.USUAL) ? null : typed;
        }

        /** Returns the library that was typed; null for none. */
        private Agent agent() {
            if (profile == null || profile.equals(JFR)) {
                return null;
            }
            Checks.require(
                    profile.startsWith(ASYNC),
                    "--profile '" + profile
                            + "' is not known; jfr, or async=FILE with the file of libasyncProfiler.so");
            String[] parts = profile.substring(ASYNC.length()).split(",", 2);
            Path library = Path.of(parts[0]).toAbsolutePath();
            Checks.require(
                    Files.isRegularFile(library),
                    "--profile " + profile + ": there is no file " + library + "; name the libasyncProfiler.so of"
                            + " async-profiler 2.0 or later");
            return Checks.allowed(
                    "--profile: ", () -> new Agent(library.toString(), parts.length == 1 ? "cpu" : parts[1]));
        }
    }
}
