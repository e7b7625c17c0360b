package dev.baton.benchmark.command;

import dev.baton.benchmark.launch.JvmChoice;
import dev.baton.benchmark.launch.PlannedTrial;
import dev.baton.benchmark.plan.LoopPlan;
import dev.baton.benchmark.plan.Shape;
import dev.baton.benchmark.result.TrialResult;
import dev.baton.benchmark.view.ChainReport;
import dev.baton.benchmark.view.Figure;
import dev.baton.benchmark.view.Figures;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton chain}: the same chain over each transport, each in a fresh JVM, side by side in one table. */
@Command(
        name = "chain",
        sortOptions = false,
        description = "Measures a chain of services over each transport, each in a fresh JVM, and prints one table.")
public final class ChainCommand extends MeasuringCommand {
    @Mixin
    private TransportOptions transports;

    @Mixin
    private LoadOptions load;

    @Mixin
    private LoopOptions loops;

    @Mixin
    private EngineOptions engines;

    public ChainCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    Plan plan(JvmChoice choice) {
        List<TransportOptions.Chosen> chosen = transports.choose(bench().known());
        LoopPlan threads = loops.loops(choice.jvm());
        List<String> names = engines.choose(chosen, threads);
        Shape shape = load.shape();
        List<PlannedTrial> trials = new PlannedTrials(
                        shape, load.load(), threads, load.phases(), output().out(), choice, JvmOptions.enough(shape))
                .of(chosen, names);
        return new Plan(
                trials,
                EngineOptions.inRunningOrder(trials, load.seed()),
                chosen,
                shape.payloadBytes(),
                diskBytes(chosen, names.size()));
    }

    /** What the transports of this run may write under {@code --dir}. */
    private long diskBytes(List<TransportOptions.Chosen> chosen, int engineCount) {
        long writers =
                chosen.stream().filter(TransportOptions.Chosen::writesHere).count() * engineCount;
        return load.diskBytes() * (output().isKept() ? writers : Math.min(1, writers));
    }

    @Override
    long seed() {
        return load.seed();
    }

    @Override
    List<String> report(List<TrialResult> results, Path folder) {
        return ChainReport.lines(results, folder, console().terminal());
    }

    @Override
    List<Figure> figures() {
        return Figures.ofChains();
    }
}
