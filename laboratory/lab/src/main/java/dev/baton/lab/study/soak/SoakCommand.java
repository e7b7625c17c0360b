package dev.baton.lab.study.soak;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.command.ElsewhereOptions;
import dev.baton.lab.command.EngineOptions;
import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.Rehearsal;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.command.load.LoadOptions;
import dev.baton.lab.command.load.StageOptions;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.request.Observers.Stages;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.Console;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.LoopOptions;
import dev.baton.operations.settings.LoopPlan;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code baton soak}: chains that run for long, and whether they hold ever more of anything. */
@Command(
        name = "soak",
        sortOptions = false,
        resourceBundle = "dev.baton.lab.study.soak.soak",
        defaultValueProvider = SoakCommand.Defaults.class,
        description = {
            "Runs many chains for hours, and fails when memory, descriptors, threads, disk, latency or CPU grow.",
            "Each is read at even intervals; growth is a failure if it is significant and not small. --quick takes less"
                    + " than two minutes for each transport."
        })
public final class SoakCommand extends MeasuringCommand {
    /** The bytes of a topic whose read part is freed: blocks, a remaining file and the next one, index pages. */
    private static final long FREED_TOPIC_BYTES = 1 << 20;

    @Mixin
    private TransportOptions transports;

    @Mixin
    private SoakOptions soak;

    @Mixin
    private LoopOptions loops;

    @Mixin
    private EngineOptions engines;

    @Mixin
    private StageOptions stages;

    @Mixin
    private ElsewhereOptions elsewhere;

    public SoakCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Plan plan(JvmChoice choice) {
        Checks.require(
                !soak.load().isSaturated(),
                "--rate max: a soak runs at a rate that the machine keeps up with; type one, such as --rate 100");
        Checks.require(!soak.isIdle(), "--rate 0: a soak needs messages; measure idle chains with chain --rate 0");
        Checks.require(soak.limits().isEmpty(), "--limit: a soak looks for trends; measure a limit with chain --limit");
        List<ChosenTransport> named = engines.overTransports(
                transports.choose(bench().known()), choice.jvm().feature());
        SoakStudy study = soak.study();
        LoopPlan threads = loops.loops(choice.jvm().feature());
        List<String> names = engines.choose(named, threads);
        stages.requireTimed(names);
        Shape shape = soak.shape();
        soak.requireRunnable(shape, names, named);
        stages.requireOneEach(soak, shape);
        PlannedTrial.Elsewhere running = elsewhere.elsewhere(named, names, shape, null);
        stages.requireTimed(running == null, "with --services-elsewhere nothing is timed; omit one of them");
        // options for many small topics, below those that were typed; topics of services that run already have theirs
        List<ChosenTransport> chosen = running != null
                ? named
                : named.stream()
                        .map(each -> each.withDefaults(each.provider().longRunOptions()))
                        .toList();
        String heap = JvmOptions.enough(shape);
        List<PlannedTrial> trials = new PlannedTrials(
                        shape, soak.load(), threads, soak.phases(), observers(), choice, heap)
                .of(chosen, names).stream()
                        .map(trial -> trial.withWholeHeap(choice.heapOr(heap)).asking(study))
                        .map(trial -> running == null ? trial : trial.around(running))
                        .toList();
        return new Plan(trials, trials, chosen, shape.payloadBytes(), diskBytes(chosen, shape));
    }

    private long diskBytes(List<ChosenTransport> chosen, Shape shape) {
        long topics = (long) shape.chains() * (shape.services() + 1);
        LongStream bytes = chosen.stream()
                .filter(ChosenTransport::writesHere)
                .mapToLong(
                        each -> each.provider().topicFootprint(each.options()).isBounded()
                                ? topics * FREED_TOPIC_BYTES
                                : soak.diskBytes());
        return output().isKept() ? bytes.sum() : bytes.max().orElse(0);
    }

    @Override
    public Rehearsal.Size size() {
        return soak.size();
    }

    @Override
    public Stages stages() {
        return stages.stages();
    }

    @Override
    public List<String> report(List<TrialResult> results, Path folder) {
        return SoakReport.lines(results, folder, console().terminal());
    }

    /** The defaults of {@code soak} that differ from those of the other commands. Thread-safe. */
    static final class Defaults extends ChangedDefaults {
        public Defaults() {
            super(Map.of(
                    "--transport", "chronicle",
                    "--instances", "100",
                    "--rate", "100",
                    "--warmup", "2m",
                    "--duration", "1h"));
        }
    }

    /** The duration of a soak, and the number of its counts. */
    static final class SoakOptions extends LoadOptions {
        @Option(
                names = "--points",
                paramLabel = "N",
                defaultValue = "60",
                description =
                        "number of readings of memory, descriptors, threads and disk, evenly over --duration, at most one per second; a full collection precedes each and stops the chains for some milliseconds; 20 to 1000 (default: ${DEFAULT-VALUE})")
        private BigDecimal points;

        SoakStudy study() {
            return new SoakStudy(Checks.integer("--points", points, SoakStudy.LEAST_POINTS, SoakStudy.MOST_POINTS));
        }

        @Override
        public Duration quickWarmup() {
            return Duration.ofSeconds(15);
        }

        @Override
        public Duration quickDuration() {
            return Duration.ofSeconds(60);
        }
    }
}
