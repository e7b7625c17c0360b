package dev.baton.benchmark.command;

import dev.baton.benchmark.launch.ExperimentFolder;
import dev.baton.benchmark.launch.FinishedTrial;
import dev.baton.benchmark.launch.Jvm;
import dev.baton.benchmark.launch.PlannedTrial;
import dev.baton.benchmark.launch.Trials;
import dev.baton.benchmark.launch.Workspace;
import dev.baton.benchmark.plan.LoopPlan;
import dev.baton.benchmark.plan.Shape;
import dev.baton.benchmark.result.TrialResult;
import dev.baton.benchmark.result.Verdict;
import dev.baton.benchmark.view.ChainReport;
import dev.baton.benchmark.view.ProgressLine;
import dev.baton.benchmark.view.TrialNames;
import dev.baton.benchmark.view.Verdicts;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code baton chain}: the same chain over each transport, each in a fresh JVM, side by side in one table. */
@Command(
        name = "chain",
        sortOptions = false,
        description = "Measures a chain of services over each transport, each in a fresh JVM, and prints one table.")
public final class ChainCommand implements Callable<Integer> {
    @Mixin
    private TransportOptions transports;

    @Mixin
    private LoadOptions load;

    @Mixin
    private LoopOptions loops;

    @Mixin
    private EngineOptions engines;

    @Mixin
    private JvmOptions jvms;

    @Mixin
    private OutputOptions output;

    @Spec
    private CommandSpec spec;

    private final Console console;
    private final Workbench bench;

    public ChainCommand(Console console, Workbench bench) {
        this.console = console;
        this.bench = bench;
    }

    @Override
    public Integer call() {
        List<TransportOptions.Chosen> chosen = transports.choose(bench.known());
        Jvm jvm = jvms.jvm();
        LoopPlan threads = loops.loops(jvm);
        List<String> names = engines.choose(chosen, threads);
        Shape shape = load.shape();
        PlannedTrials plans =
                new PlannedTrials(shape, load.load(), threads, load.phases(), output.out(), jvm, jvms.heap(shape));
        try (Workspace workspace = output.openWorkspace(diskBytes(chosen, names.size()))) {
            Rehearsal.run(chosen, shape.payloadBytes(), workspace);
            return measure(plans.of(chosen, names), workspace);
        }
    }

    /** What the transports of this run may write under {@code --dir}. */
    private long diskBytes(List<TransportOptions.Chosen> chosen, int engineCount) {
        long writers =
                chosen.stream().filter(TransportOptions.Chosen::writesHere).count() * engineCount;
        return load.diskBytes() * (output.isKept() ? writers : Math.min(1, writers));
    }

    private int measure(List<PlannedTrial> trials, Workspace workspace) {
        ExperimentFolder folder = ExperimentFolder.in(output.out(), "chain");
        folder.begin(
                TypedLine.redacted(spec.root().commandLine().getParseResult().originalArgs()),
                Version.ofBaton(),
                load.seed(),
                trials);
        List<FinishedTrial> finished;
        try (ProgressLine progress = new ProgressLine(console.err(), console.terminal())) {
            finished = new Trials(folder, workspace, bench.brokers(), bench.interruption(), progress, bench.childMain())
                    .run(EngineOptions.inRunningOrder(trials, load.seed()));
        }
        folder.end();
        List<TrialResult> results = finished.stream()
                .sorted(Comparator.comparingInt(trial -> column(trials, trial)))
                .map(FinishedTrial::result)
                .filter(Objects::nonNull)
                .toList();
        if (!results.isEmpty()) {
            console.print(ChainReport.lines(results, folder.path(), console.terminal()));
        }
        folder.discardIfEmpty();
        return conclude(finished, workspace);
    }

    private static int column(List<PlannedTrial> trials, FinishedTrial finished) {
        return trials.stream()
                .map(trial -> trial.plan().id())
                .toList()
                .indexOf(finished.plan().id());
    }

    /** Complains about all that went wrong, the gravest last, and gives it as exit code. */
    private int conclude(List<FinishedTrial> finished, Workspace workspace) {
        int code = ExitCode.OK;
        for (FinishedTrial trial : finished) {
            if (trial.result() != null && trial.result().outcome().verdict() == Verdict.FAIL) {
                console.complain(
                        "baton: " + TrialNames.of(trial.plan()) + " failed: " + Verdicts.reasons(trial.result()));
                code = Math.max(code, ExitCode.FAILED);
            }
            if (trial.refusal() != null) {
                console.complain("baton: " + trial.refusal().getMessage());
                code = Math.max(code, ExitCode.of(trial.refusal()));
            }
        }
        if (output.isKept()) {
            console.complain("baton: data kept in " + workspace.path());
        }
        if (bench.interruption().isRequested()) {
            boolean isEmpty = finished.stream().allMatch(trial -> trial.result() == null);
            console.complain("baton: interrupted; "
                    + (isEmpty ? "nothing had been measured" : "what was measured until then is kept and marked"));
            return ExitCode.INTERRUPTED;
        }
        return code;
    }
}
