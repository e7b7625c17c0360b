package dev.baton.lab.study.density;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.command.EngineOptions;
import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.command.LaboratoryCommand;
import dev.baton.lab.command.ManyTopics;
import dev.baton.lab.command.OutputOptions;
import dev.baton.lab.command.PageOfResults;
import dev.baton.lab.command.Rehearsal;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.search.SearchScheduler;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code baton density}: the largest number of chains that all keep a limit on this machine. */
@Command(
        name = "density",
        sortOptions = false,
        defaultValueProvider = DensityCommand.Defaults.class,
        resourceBundle = "dev.baton.lab.study.density.density",
        description = "Finds the maximum number of chains on one machine that keep a limit.")
public final class DensityCommand extends LaboratoryCommand {
    static final class Defaults extends ChangedDefaults {
        public Defaults() {
            super(Map.of("--warmup", "20s"));
        }
    }

    @Mixin
    private TransportOptions transports;

    @Mixin
    private SearchOptions search;

    @Mixin
    private DensityLoadOptions load;

    @Mixin
    private EngineOptions engines;

    @Mixin
    private DensityLoopOptions loops;

    @Mixin
    private JvmOptions jvms;

    @Mixin
    private OutputOptions output;

    @Option(names = "--services-elsewhere", paramLabel = "HOST:PORT", hidden = true)
    void refuseServicesElsewhere(String addresses) {
        throw new ParameterException(
                spec.commandLine(),
                "--services-elsewhere: density decides how many chains run, and services elsewhere are started with a number"
                        + " of them; measure each number with 'chain --services-elsewhere " + addresses
                        + " --instances N', and start the services with --instances N before");
    }

    public DensityCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Integer call() {
        int payload = load.shape(1).payloadBytes();
        List<JvmOptions.Way> ways = jvms.startingWays(console);
        List<ChosenTransport> chosen = engines.overTransports(transports.choose(bench.known()), oldest(ways)).stream()
                .map(each -> ManyTopics.advised(each, payload, load.load().ratePerSecond()))
                .toList();
        if (search.processes() != 1) {
            TransportOptions.requireSeveralProcesses(search.typedProcesses(), chosen);
        }
        Contenders contenders =
                new Contenders(search, load, load.exploratory(search.limits()), load.deciding(search.limits()));
        List<Contenders.Entry> entries = entries(contenders, chosen, ways);
        AvailableResources available = contenders.available(output.directory(), entries);
        List<Contender> all =
                entries.stream().map(entry -> contenders.of(entry, available)).toList();
        search.budget();
        try (Workspace workspace = output.openWorkspace(bench.interruption(), 0, available.queues())) {
            Rehearsal.run(chosen, payload, load.size(), workspace);
            return run(all, DensityReport.head(contenders, entries, available, console.terminal()), workspace);
        }
    }

    private List<Contenders.Entry> entries(
            Contenders contenders, List<ChosenTransport> chosen, List<JvmOptions.Way> jvmWays) {
        double rate = load.load().ratePerSecond();
        List<String> names = engines.choose(
                chosen,
                loops.loops(Subject.BATON, chosen.get(0).provider(), search.limits(), rate, search.processes()));
        load.readBy(names);
        load.requireRunnable(load.shape(1), names, chosen);
        if (search.isComparingThreading) {
            Checks.require(
                    chosen.size() == 1 && names.equals(List.of(Subject.BATON)) && !loops.isThreadingTyped(),
                    "--compare-threading compares Baton's threadings over one transport: name one with --transport,"
                            + " and neither another --engine nor a --threading");
        }
        List<Contenders.Entry> entries = new ArrayList<>();
        for (ChosenTransport each : chosen) {
            for (String engine : names) {
                if (!ReferenceEngine.isOver(engine, each.provider())) {
                    continue;
                }
                for (JvmOptions.Way jvm : jvmWays) {
                    threadings(each, engine, rate, jvm)
                            .forEach(loops -> entries.add(contenders.entry(each, engine, loops, jvm)));
                }
            }
        }
        return entries;
    }

    private static int oldest(List<JvmOptions.Way> ways) {
        return ways.stream().mapToInt(way -> way.choice().jvm().feature()).min().orElseThrow();
    }

    private List<LoopPlan> threadings(ChosenTransport each, String engine, double rate, JvmOptions.Way jvm) {
        int feature = jvm.choice().jvm().feature();
        return search.isComparingThreading
                ? loops.ways(each.provider(), search.limits(), rate, feature)
                : List.of(loops.loops(engine, each.provider(), search.limits(), rate, search.processes()));
    }

    private int run(List<Contender> contenders, List<String> head, Workspace workspace) {
        ExperimentFolder folder = output.begin(spec, load.seed(), List.of());
        console.print(head);
        DensityLines lines = new DensityLines(contenders, console.terminal());
        console.print(lines.heading());
        try (ProgressLine progress = new ProgressLine(console.err(), console.terminal())) {
            Trials trials = bench.trials(folder, workspace, progress);
            SearchScheduler<Contender> scheduler = new SearchScheduler<>(
                    trials::runOne,
                    contender -> console.print(lines.trial(contender, contender.last())),
                    bench.interruption()::isRequested,
                    System::nanoTime);
            scheduler.run(contenders, search.budget(), load.seed());
        }
        folder.end();
        console.print(DensityReport.lines(contenders, search.price, folder.path(), console.terminal()));
        PageOfResults.write(folder.measured(), DensityReport.headline(contenders, search.price), console);
        folder.discardIfEmpty();
        return conclude(contenders, workspace);
    }

    private int conclude(List<Contender> contenders, Workspace workspace) {
        int code = ExitCode.OK;
        for (Contender each : contenders) {
            CommandException refusal = each.refusal();
            if (refusal != null) {
                console.complain("baton: " + refusal.getMessage());
            }
            code = ExitCode.graver(code, each.exitCode(load.isQuick()));
        }
        output.tellKept(workspace, console);
        if (bench.interruption().isRequested()) {
            console.complain("baton: interrupted; the results so far are above");
            return ExitCode.INTERRUPTED;
        }
        return code;
    }
}
