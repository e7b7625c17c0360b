package dev.baton.lab.study.load;

import dev.baton.examples.gateway.HttpGateway;
import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.command.EngineOptions;
import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.command.load.StageOptions;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.request.MemoryBudget;
import dev.baton.lab.request.Observers.Stages;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.Console;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.LoopOptions;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton load}: how many requests per second a chain answers while a fixed number is always in flight. */
@Command(
        name = "load",
        sortOptions = false,
        defaultValueProvider = LoadCommand.Defaults.class,
        description = "Measures throughput with a fixed number of requests in flight (a closed loop).")
public final class LoadCommand extends MeasuringCommand {
    /** The transport of a server that runs already: whatever is behind it. */
    private static final String ELSEWHERE = "http";

    /** A closed loop settles sooner than the schedules of the other commands. */
    static final class Defaults extends ChangedDefaults {
        public Defaults() {
            super(Map.of("--warmup", "5s", "--duration", "10s"));
        }
    }

    @Mixin
    private TransportOptions transports;

    @Mixin
    private ClosedLoadOptions load;

    @Mixin
    private MemoryOptions memory;

    @Mixin
    private LoopOptions loops;

    @Mixin
    private EngineOptions engines;

    @Mixin
    private StageOptions stages;

    public LoadCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Plan plan(JvmChoice choice) {
        memory.check(choice);
        MemoryOptions.Range range = memory.range();
        List<ChosenTransport> chosen =
                engines.overTransports(chosen(), choice.jvm().feature());
        LoopPlan threads = loops.loops(choice.jvm().feature());
        if (range != null) {
            budget(range.leastBytes()); // the smallest is to be possible, too
        }
        MemoryBudget budget = range == null ? null : budget(range.mostBytes());
        List<String> names = engines.choose(chosen, threads);
        Checks.require(
                load.way() == LoadStudy.Way.CHAIN || names.equals(List.of(Subject.BATON)),
                "--http and --url run with engine baton alone; omit --engine");
        stages.requireTimed(names);
        stages.requireTimed(
                load.way() == LoadStudy.Way.CHAIN, "over HTTP nothing is timed; omit --http, --url or --stages");
        Shape shape = load.shape(1);
        load.requireRunnable(shape, names, chosen);
        Checks.require(
                load.way() == LoadStudy.Way.CHAIN || shape.work().isEmpty() && shape.sizes() == null,
                "--work and a distribution of --payload are for chains without HTTP; omit them, or --http and --url");
        List<PlannedTrial> trials = new PlannedTrials(
                        shape, load.load(), threads, load.phases(), observers(), choice, JvmOptions.enough(shape))
                .of(chosen, names).stream().map(trial -> within(budget, trial)).toList();
        return new Plan(
                trials,
                EngineOptions.inRunningOrder(trials, load.seed()),
                load.way() == LoadStudy.Way.URL ? List.of() : chosen,
                shape.payloadBytes(),
                diskBytes());
    }

    private MemoryBudget budget(long bytes) {
        int ofGateway = load.load().concurrency() + HttpGateway.SPARE_THREADS;
        int ofServices = loops.isCooperative() ? 0 : load.shape(1).services() + 2;
        return memory.budget(bytes, ofServices + (load.way() == LoadStudy.Way.GATEWAY ? ofGateway : 0));
    }

    /** The transports to run; for a server that runs already one trial is enough, and whatever it names is not opened. */
    private List<ChosenTransport> chosen() {
        List<ChosenTransport> all = transports.choose(bench().known());
        return load.way() == LoadStudy.Way.URL ? all.subList(0, 1) : all;
    }

    /** The trial that asks for this command's figures, in a JVM that may take so much. */
    private PlannedTrial within(MemoryBudget budget, PlannedTrial trial) {
        boolean isElsewhere = load.way() == LoadStudy.Way.URL;
        TrialPlan plan = trial.plan()
                .asking(new LoadStudy(load.way(), load.url(), budget, load.method(), load.isApart()), memory.limits());
        if (isElsewhere) {
            plan = plan.about(new Subject(Subject.BATON, ELSEWHERE, Map.of())).named(ELSEWHERE);
        }
        return new PlannedTrial(
                plan,
                trial.jvm(),
                budget == null ? trial.flags() : JvmFlags.within(budget, trial.flags()),
                isElsewhere ? null : trial.directoryOption(),
                isElsewhere ? 0 : trial.brokers());
    }

    /** Returns the bytes that one trial may write under {@code --dir}; its files are removed before the next. */
    private long diskBytes() {
        boolean isWriting = load.way() != LoadStudy.Way.URL && chosen().stream().anyMatch(ChosenTransport::writesHere);
        return isWriting ? load.diskBytes(1, null) : 0;
    }

    @Override
    public boolean isSearching() {
        MemoryOptions.Range range = memory.range();
        return range != null && range.isSearched();
    }

    @Override
    public int measure(Plan plan, Workspace workspace) {
        if (!isSearching()) {
            return super.measure(plan, workspace);
        }
        MemorySweep sweep =
                new MemorySweep(this, workspace, memory.range(), (trial, bytes) -> within(budget(bytes), trial));
        return sweep.run(plan.running());
    }

    @Override
    public Stages stages() {
        return stages.stages();
    }

    @Override
    public List<String> report(List<TrialResult> results, Path folder) {
        return LoadReport.lines(results, folder, console().terminal());
    }
}
