package dev.baton.lab.study.chain;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.command.ElsewhereOptions;
import dev.baton.lab.command.EngineOptions;
import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.command.ManyTopics;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.Rehearsal;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.TrialOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.command.load.LoadOptions;
import dev.baton.lab.command.load.ReadingOptions;
import dev.baton.lab.command.load.StageOptions;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.PlannedTrial.Elsewhere;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Observers.Stages;
import dev.baton.lab.request.Place.Meeting;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.LoopOptions;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code baton chain}: the same chain over each transport, each in a fresh JVM, side by side in one table. */
@Command(
        name = "chain",
        commandListHeading = "Measurements",
        sortOptions = false,
        defaultValueProvider = ChainCommand.Defaults.class,
        description = "Measures a chain of services over each transport, each in a fresh JVM, and prints one table.")
public final class ChainCommand extends MeasuringCommand {
    /** Four transports take less than two minutes. */
    static final class Defaults extends ChangedDefaults {
        public Defaults() {
            super(Map.of("--warmup", "5s", "--duration", "15s"));
        }
    }

    private static final String PER_SERVICE = "per-service";
    private static final String PER_CHAIN = "per-chain";
    private static final int MOST_PROCESSES = 64;

    /** Strategies whose cost a chain without messages shows. */
    private static final List<String> IDLE_STRATEGIES = List.of("backoff", "park:50us", "yielding", "spin");

    @Mixin
    private TransportOptions transports;

    @Mixin
    private LoadOptions load;

    @Mixin
    private LoopOptions loops;

    @Mixin
    private EngineOptions engines;

    @Mixin
    private ReadingOptions reading;

    @Mixin
    private StageOptions stages;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "--processes",
            paramLabel = "HOW",
            description = {
                "per-service or per-chain (default: one JVM)",
                "per-service: each service in a separate JVM, inlet and sink in another",
                "per-chain: each instance in a separate JVM; CPU and memory of all JVMs are added"
            })
    private String processes;

    @Mixin
    private ElsewhereOptions elsewhere;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--curve",
            paramLabel = "A%..B%",
            description = {
                "latency over load, such as 5%%..100%% of the maximum",
                "measures the maximum, then " + CurveSweep.LOADS
                        + " loads from A to B percent of it (default: one load, --rate)"
            })
    private String curve;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--backlog",
            paramLabel = "N",
            description = {
                "messages that are due at the beginning (default: none)",
                "all at once when the measurement begins, in addition to --rate; the report has the time until all of them had arrived, and the time until messages"
                        + " were again no slower than the 90th percentile of the warm-up"
            })
    private BigDecimal backlog;

    public ChainCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    private Load load() {
        Load steady = load.load();
        if (backlog == null) {
            return steady;
        }
        int messages = Checks.integer("--backlog", backlog, 1, Load.MOST_BACKLOG);
        Checks.require(
                steady.arrivals() == Load.Arrivals.EVEN
                        && curve == null
                        && load.shape().chain() == null,
                "--backlog comes before messages at even intervals, such as --rate 1000; omit --rate max, --rate 0,"
                        + " --arrivals, --replay, --curve and --chain");
        return steady.after(messages);
    }

    @Override
    public Plan plan(JvmChoice choice) {
        List<ChosenTransport> named =
                engines.over(transports.choose(bench().known()), choice.jvm().feature());
        LoopPlan threads = loops.loops(choice.jvm().feature());
        List<String> names = engines.choose(named, threads);
        stages.requireTimed(names);
        stages.requireTimed(processes == null, "with --processes " + processes + " nothing is timed; omit one of them");
        Shape shape = load.shape();
        Elsewhere running = elsewhere.elsewhere(named, names, shape, processes);
        stages.requireTimed(running == null, "with --services-elsewhere nothing is timed; omit one of them");
        load.requireRunnable(shape, names, named);
        for (String option : List.of("--rate", "--replay", "--limit")) {
            Checks.require(
                    curve == null || !load.isTyped(option), option + ": --curve chooses the loads; omit one of them");
        }
        range();
        Checks.require(
                shape.work().isEmpty() || running == null && (processes == null || processes.equals(PER_CHAIN)),
                "--work is done by services in the process of the inlet; omit it, or --processes per-service and"
                        + " --services-elsewhere");
        stages.requireOneEach(load, shape);
        stages.requireTimed(shape.partitions() == 1, "with --partitions nothing is timed; omit one of them");
        Checks.require(
                shape.partitions() == 1 || processes == null && backlog == null,
                "--partitions run in one JVM, each with a part of the messages; omit it, or --processes and --backlog");
        List<ChosenTransport> chosen = ManyTopics.advised(named, shape.chains(), shape.payloadBytes(), load.load());
        List<PlannedTrial> together = idled(
                        names,
                        new PlannedTrials(
                                shape,
                                reading.of(load(), names),
                                threads,
                                load.judgedPhases(),
                                observers(),
                                choice,
                                JvmOptions.enough(shape)))
                .flatMap(trials -> trials.of(chosen, names).stream())
                .map(trial -> load.isIdle() ? trial.named(idleName(trial.plan())) : trial)
                .map(trial -> trial.with(trial.plan().asking(Study.CHAINS, load.limits())))
                .toList();
        boolean isPerChain = PER_CHAIN.equals(processes);
        Checks.require(
                !isPerChain || shape.instances() <= Meeting.MOST_PROCESSES,
                "--processes per-chain: " + shape.instances() + " instances; 1 to " + Meeting.MOST_PROCESSES
                        + " get a process each");
        if (isPerChain && shape.instances() > 1) {
            TransportOptions.requireSeveralProcesses("--processes " + PER_CHAIN, chosen);
        }
        List<PlannedTrial> trials = isPerChain
                ? together.stream().map(PlannedTrial::perInstance).toList()
                : running != null
                        ? together.stream().map(trial -> trial.around(running)).toList()
                        : isSpread(chosen, names, shape)
                                ? together.stream().map(PlannedTrial::spread).toList()
                                : together;
        return new Plan(
                trials,
                EngineOptions.inRunningOrder(trials, load.seed()),
                chosen,
                shape.payloadBytes(),
                diskBytes(chosen, names.size()));
    }

    /** Returns the trials with each idle strategy if there are no messages and none was typed, otherwise as they are. */
    private Stream<PlannedTrials> idled(List<String> names, PlannedTrials trials) {
        boolean isEach = load.isIdle() && names.equals(List.of(Subject.BATON)) && !load.isTyped("--idle");
        return isEach ? IDLE_STRATEGIES.stream().map(trials::idling) : Stream.of(trials);
    }

    private static String idleName(TrialPlan plan) {
        return plan.id() + "-" + plan.loops().idle().replace(':', '-');
    }

    private boolean isSpread(List<ChosenTransport> chosen, List<String> engineNames, Shape shape) {
        if (processes == null) {
            return false;
        }
        Checks.require(
                processes.equals(PER_SERVICE),
                "--processes '" + processes + "' is not known; " + PER_SERVICE + " or " + PER_CHAIN
                        + " (density shares instances among a number)");
        for (ChosenTransport each : chosen) {
            Checks.require(
                    each.promises(Guarantee.CROSS_PROCESS),
                    "--processes: " + each.provider().name()
                            + " cannot run a chain in several processes; name those that can, such as"
                            + " --transport chronicle,kafka, or aeron with -o driver=DIR");
        }
        Checks.require(
                engineNames.equals(List.of(Subject.BATON)),
                "--processes: reference loops run in one process; omit --engine");
        Checks.require(
                shape.services() >= 1 && shape.services() <= MOST_PROCESSES,
                "--processes: " + shape.services() + " services; 1 to " + MOST_PROCESSES + " get a process each");
        return true;
    }

    /** Returns the range of {@code --curve}; null for none. */
    private CurveSweep.Range range() {
        return curve == null ? null : Checks.allowed("--curve: ", () -> CurveSweep.Range.of(curve));
    }

    @Override
    public boolean isSearching() {
        return curve != null;
    }

    @Override
    public int measure(Plan plan, Workspace workspace) {
        return curve == null
                ? super.measure(plan, workspace)
                : new CurveSweep(this, workspace, range()).run(plan.trials());
    }

    /** Returns the bytes that the transports of this run may write under {@code --dir}. */
    private long diskBytes(List<ChosenTransport> chosen, int engineCount) {
        long writers = chosen.stream().filter(ChosenTransport::writesHere).count() * engineCount;
        long each =
                curve == null ? load.diskBytes() : load.diskBytes(load.shape().instances(), null);
        long waiting = backlog == null ? 0 : load().backlog() * TrialOptions.diskBytesPerMessage(load.shape());
        return (each + waiting) * (output().isKept() ? writers : Math.min(1, writers));
    }

    @Override
    public Rehearsal.Size size() {
        return load.size();
    }

    @Override
    public Stages stages() {
        return stages.stages();
    }

    @Override
    public List<String> report(List<TrialResult> results, Path folder) {
        return ChainReport.lines(results, folder, console().terminal());
    }
}
