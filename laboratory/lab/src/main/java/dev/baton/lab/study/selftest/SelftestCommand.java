package dev.baton.lab.study.selftest;

import dev.baton.lab.command.LaboratoryCommand;
import dev.baton.lab.command.OutputOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.study.selftest.Proof.Answer;
import dev.baton.lab.systems.ForeignSystem;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.options.ChosenTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code baton selftest}: whether the laboratory reports what was done to it on purpose. */
@Command(
        name = "selftest",
        sortOptions = false,
        description =
                "Injects known faults into trials, such as stalls and losses, and compares the reports with the expected values.",
        footer = {
            "",
            "Exit codes: 0 every case passed, 1 one failed, 2 usage error, 3 the environment does not allow it, 4 the machine"
                    + " disturbed a case in each of three rounds, 130 interrupted."
        })
public final class SelftestCommand extends LaboratoryCommand {
    @Option(
            names = "--engine",
            paramLabel = "system:NAME",
            description =
                    "inject the faults into a system of a jar in BATON_CLASSPATH, at the interface between it and the"
                            + " laboratory (default: a transport that was made for the self-test)")
    private String engine;

    @Option(
            names = ForeignSystem.OPTION,
            paramLabel = "KEY=VALUE",
            description = "an option of that system (repeatable)")
    private List<String> systemSettings = new ArrayList<>();

    @Option(names = "--list", description = "list the cases, and run none")
    private boolean isList;

    @Option(names = "--only", paramLabel = "NAME", description = "run these cases only, separated by commas")
    private String only;

    @Option(names = "--all", description = "print all figures of each case")
    private boolean isWhole;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "keep the trials' files in a folder of this directory (default: they are removed)")
    private Path out;

    public SelftestCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Integer call() {
        ChosenTransport system = system();
        List<Case> cases = cases(
                system == null
                        ? Arrays.stream(SelftestCase.values()).map(Case::of).toList()
                        : Case.ofSystems());
        if (isList) {
            console.print(SelftestReport.list(cases.stream().map(Case::name).toList()));
            return ExitCode.OK;
        }
        if (out != null) {
            Workspace.requireWritable(out, "--out");
        }
        bench.interruption().hasToClose();
        try (Workspace workspace =
                Workspace.in(OutputOptions.temporary(), "the system's directory for temporary files", false)) {
            return run(cases, system, workspace);
        }
    }

    private ChosenTransport system() {
        if (engine == null) {
            Checks.require(
                    systemSettings.isEmpty(), ForeignSystem.OPTION + " needs a system; add --engine system:NAME");
            return null;
        }
        Checks.require(
                ForeignSystem.isMeant(engine),
                "--engine '" + engine + "' is not known; system:NAME, with a system that 'baton systems' lists");
        return ForeignSystem.chosen(Stream.of(engine), systemSettings).get(0);
    }

    /** Returns those of the cases that the command line names, or all. */
    private List<Case> cases(List<Case> all) {
        if (only == null) {
            return all;
        }
        Set<SelftestCase> names = Arrays.stream(only.split(",", -1))
                .map(typed -> Checks.named("--only", typed, "not a case", SelftestCase.class))
                .collect(Collectors.toSet());
        List<Case> chosen =
                all.stream().filter(each -> names.contains(each.name())).toList();
        Checks.require(
                chosen.size() == names.size(),
                "--only " + only + ": only these cases are for systems: "
                        + all.stream().map(each -> each.name().typed()).collect(Collectors.joining(", ")));
        return chosen;
    }

    private int run(List<Case> cases, ChosenTransport system, Workspace workspace) {
        long begun = System.nanoTime();
        ExperimentFolder folder = ExperimentFolder.in(out == null ? workspace.directory("results") : out, spec.name());
        folder.begin(spec.root().commandLine().getParseResult().expandedArgs(), 0, List.of());
        List<Answer> answers;
        List<CommandException> refusals;
        try (ChildLaboratory laboratory = new ChildLaboratory(folder, workspace, bench, console, system)) {
            answers = new Proof(laboratory, bench.interruption()::isRequested).of(cases, laboratory::plan);
            refusals = laboratory.refusals;
        }
        folder.end();
        if (bench.interruption().isRequested()) {
            folder.discardIfEmpty();
            console.complain("baton: interrupted; the result is incomplete");
            return ExitCode.INTERRUPTED;
        }
        console.print(SelftestReport.lines(
                answers, Duration.ofNanos(System.nanoTime() - begun), isWhole, console.terminal()));
        if (out != null) {
            console.print(List.of("files: " + folder.path()));
        }
        folder.discardIfEmpty();
        return conclude(answers, refusals);
    }

    private int conclude(List<Answer> answers, List<CommandException> refusals) {
        Set<Answer.State> states = answers.stream().map(Answer::state).collect(Collectors.toSet());
        int code = states.contains(Answer.State.FAIL) ? ExitCode.FAILED : ExitCode.OK;
        for (CommandException failure : refusals) {
            console.complain("baton: " + failure.getMessage());
            code = Math.max(code, ExitCode.of(failure));
        }
        boolean isConclusive = !states.contains(Answer.State.INCONCLUSIVE) && !states.contains(Answer.State.MISSING);
        return code == ExitCode.OK && !isConclusive ? ExitCode.INCONCLUSIVE : code;
    }
}
