package dev.baton.lab.study.comparison;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.LaboratoryCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.PrivateFile;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.settings.Secrets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton gate}: fails when this build is worse than a stored experiment, for CI. */
@Command(
        name = "gate",
        sortOptions = false,
        description =
                "Fails when an experiment is worse than its baseline by more than is allowed and by more than noise. The"
                        + " baseline's command is run again, or another experiment is read.",
        footer = {
            "",
            "Exit codes: 0 not worse; 1 worse beyond noise, messages lost, duplicated, reordered or altered, a chain that"
                    + " stopped, or a command that failed; 4 inconclusive: worse than allowed, but possibly by noise; too few"
                    + " measurements to detect the allowed growth; or trials of the baseline are missing. The baseline must be"
                    + " of the same CPU.",
            "",
            "The noise of each figure is estimated from its repetitions. 'detects growth from +12 %' is its power: growth of"
                    + " that size is detected in 4 of 5 such runs. One outlier of each side is excluded and reported.",
            "",
            "An unchanged build is reported as worse in at most 1 of 100 runs. This requires 5 trials of each side (4 for one"
                    + " check, 6 or more from 6 checks on), because on some machines JVMs start at one of two speeds:"
                    + " docs/decisions/009."
        })
public final class GateCommand extends LaboratoryCommand {
    @Parameters(index = "0", paramLabel = "BASELINE", description = "folder of the baseline experiment")
    private Path baseline;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "AFTER",
            description = "folder of a finished experiment (default: the baseline's command is run again)")
    private Path after;

    @Option(
            names = "--allow",
            paramLabel = "GROWTH",
            defaultValue = "p50<+10%,p99<+25%",
            description = "allowed growth of percentiles, such as p99.9<+10%% (default: p50<+10%%,p99<+25%%)")
    private String allowed;

    @Option(
            names = "--trials",
            paramLabel = "N",
            description =
                    "trials of each configuration, 2 to 100 (default: 5, or as many as a verdict needs, up to 20)")
    private Integer trials;

    @Option(names = "--junit", paramLabel = "FILE", description = "write the result as XML of JUnit")
    private Path junit;

    @Option(names = "--out", paramLabel = "DIR", description = "directory of results (default: results)")
    private Path out;

    @Option(
            names = "--anyway",
            description =
                    "compare even with a baseline of another machine, and the remaining files when some are missing"
                            + " or were changed")
    private boolean isForced;

    public GateCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Integer call() {
        List<Allowance> allowances = Checks.allowed("--allow ", () -> Allowance.parse(allowed));
        Checks.require(
                out == null || after == null,
                "--out " + out + " is for an experiment that is run, and with AFTER nothing is run; omit one of them");
        Checks.require(
                trials == null || after == null,
                "--trials " + trials
                        + " is for an experiment that is run, and with AFTER nothing is run; omit one of them");
        PrivateFile.require("--junit", junit);
        out = out == null ? Path.of("results") : out;
        ComparisonSide before = ComparisonSide.read(baseline);
        before.requireUnaltered(isForced, "gate", console);
        boolean isRunAgain = after == null;
        int code = ExitCode.OK;
        if (isRunAgain) {
            Checks.require(
                    trials == null || (trials >= 2 && trials <= 100),
                    "--trials " + trials + " is out of range; 2 to 100");
            code = runAgain(before.experiment(), trials == null ? Gate.trials(before, allowances) : trials);
            if (Gate.Outcome.of(code) == null) {
                return code;
            }
        }
        ComparisonSide now = ComparisonSide.read(after);
        now.requireUnaltered(isForced, "gate", console);
        checkComparable(before, now);
        List<String> added = Gate.unmatched(now, before);
        if (!isRunAgain && added.size() == now.series().size()) {
            List<String> names = new ArrayList<>(Gate.unmatched(before, now));
            names.addAll(added);
            throw CommandException.usage("nothing was measured on both sides: " + String.join(", ", names));
        }
        List<Gate.Check> checks = isRunAgain
                ? Gate.checkAgain(before, now, allowances, Gate.Outcome.of(code))
                : Gate.check(before, now, allowances);
        List<String> remarks = new ArrayList<>();
        remarks.addAll(ComparisonReport.disturbed("before", all(before)));
        remarks.addAll(ComparisonReport.disturbed("after", all(now)));
        console.print(GateReport.lines(checks, added, remarks, console.terminal()));
        if (junit != null) {
            CommandException.guarded(
                    "cannot write " + junit, () -> GateReport.writeJunit(junit.toAbsolutePath(), checks));
        }
        return Gate.worst(checks).code;
    }

    private static List<Sample> all(ComparisonSide side) {
        return side.series().values().stream().flatMap(List::stream).toList();
    }

    /** Runs the baseline's command, and stores the name of its folder. */
    private int runAgain(Experiment experiment, int times) {
        if (experiment == null) {
            throw CommandException.usage(
                    baseline + " has no experiment.json with a command to run; name a second experiment");
        }
        List<String> arguments = new ArrayList<>(
                ExperimentFolder.without(Set.of("--out", "--trials", "--resume"), experiment.commandLine()));
        Checks.require(
                arguments.stream().noneMatch(argument -> argument.contains(Secrets.HIDDEN)),
                baseline
                        + " was run with a secret, which its file does not contain; run it yourself and name its folder");
        CommandLine commands = CommandSource.commandLine(console, bench, source -> true);
        String command = arguments.isEmpty() ? "" : arguments.get(0);
        CommandLine repeated = commands.getSubcommands().get(command);
        Checks.require(
                repeated != null && repeated.getCommandSpec().findOption("--trials") != null,
                "gate cannot repeat " + command
                        + ", which has no --trials; run it yourself and name its folder as AFTER");
        arguments.add("--out=" + out);
        arguments.add("--trials=" + times);
        Set<Path> earlier = Set.copyOf(ExperimentFolder.below(out));
        int code = commands.execute(arguments.toArray(String[]::new));
        after = ExperimentFolder.below(out).stream()
                .filter(folder -> !earlier.contains(folder))
                .max(Comparator.naturalOrder())
                .orElse(null);
        if (after == null && Gate.Outcome.of(code) != null) {
            throw new CommandException(
                    CommandException.Kind.FAILURE, "the baseline's command created no experiment in " + out);
        }
        return code;
    }

    private void checkComparable(ComparisonSide before, ComparisonSide now) {
        for (String name : before.series().keySet()) {
            if (!now.series().containsKey(name)) {
                continue;
            }
            SetUpDifferences differences = SetUpDifferences.of(
                    before, before.series().get(name), now, now.series().get(name));
            List<String> grave = new ArrayList<>(differences.forbidding());
            differences.others().stream()
                    .filter(each -> each.startsWith("CPU: ") || each.startsWith("processors: "))
                    .forEach(grave::add);
            Checks.require(
                    grave.isEmpty() || isForced,
                    name + " is not comparable with its baseline: " + String.join("; ", grave)
                            + "; --anyway compares them all the same");
            differences.others().forEach(each -> console.complain("gate: " + name + " differs: " + each));
        }
    }
}
