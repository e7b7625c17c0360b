package dev.baton.lab.outside;

import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.command.load.LoadOptions;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.Console;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton echo}. */
@Command(name = "echo", description = "Measures a chain and repeats what it was told.")
final class EchoCommand extends MeasuringCommand {
    @Mixin
    private TransportOptions transports;

    @Mixin
    private LoadOptions load;

    EchoCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Plan plan(JvmChoice choice) {
        List<ChosenTransport> chosen = transports.choose(bench().known());
        LoopPlan loops = new LoopPlan("cooperative:1", null, 0);
        List<PlannedTrial> trials = new PlannedTrials(
                        load.shape(), load.load(), loops, load.phases(), observers(), choice, "128m")
                .of(chosen, List.of(Subject.BATON)).stream()
                        .map(trial -> trial.asking(new EchoStudy("hello")))
                        .toList();
        return new Plan(trials, trials, chosen, load.shape().payloadBytes(), 0);
    }

    @Override
    public long seed() {
        return load.seed();
    }

    @Override
    public List<String> report(List<TrialResult> results, Path folder) {
        return results.stream().map(result -> "heard: " + heard(result)).toList();
    }

    @Override
    public List<Figure> figures() {
        return new EchoKind().figures();
    }

    static String heard(TrialResult result) {
        return ((EchoFindings) result.findings()).words();
    }
}
