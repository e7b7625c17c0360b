package dev.baton.lab.study.comparison;

import dev.baton.lab.command.LaboratoryCommand;
import dev.baton.lab.command.MatrixRun;
import dev.baton.lab.command.MeasuredStudy;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.OutputOptions;
import dev.baton.lab.command.RepetitionOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.matrix.Combinations;
import dev.baton.lab.matrix.ExperimentFile;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code baton matrix}: runs an experiment described in a file, each cell of which is a trial of another command. */
@Command(
        name = "matrix",
        commandListHeading = "Studies",
        sortOptions = false,
        description = {
            "Measures a command under every combination of the values in a file, interleaved, each several times.",
            "",
            "The file is YAML: title, command, trials, options (those of the command, without the hyphens; a list makes"
                    + " every value a row) and quick (options that replace those with --quick). The first row is measured"
                    + " twice as often, to show the noise between its two halves."
        },
        footer = {
            "",
            "An experiment:",
            "  title: which collector keeps a window's tail short?",
            "  command: window",
            "  trials: 3",
            "  options:",
            "    keys: [10000, 50000]",
            "    gc: [g1, zgc]",
            "  quick:",
            "    duration: 5s",
            "",
            "Published studies are ready to run: baton reproduce"
        })
public final class MatrixCommand extends LaboratoryCommand {
    /** Options with several values, and the separators of these. */
    private static final Map<String, String> LISTS = Map.of("jvm", ",", "gc", ",", "heap", ",", "jvm-flags", ";");

    /** Options that this command decides for all cells. */
    private static final Set<String> OURS = Set.of("out", "dir", "keep", "trials", "budget", "resume");

    @Parameters(paramLabel = "EXPERIMENT.yaml", description = "the file of the experiment")
    private Path file;

    @Option(names = "--quick", description = "one exploratory trial of each row, with the file's quick options")
    private boolean isQuick;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "seed of the order of trials (default: 1)")
    private long seed;

    @Mixin
    private RepetitionOptions repetition;

    @Mixin
    private OutputOptions output;

    public MatrixCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Integer call() {
        ExperimentFile experiment = ExperimentFile.read(file);
        Map<String, Supplier<MeasuringCommand>> commands = MeasuredStudy.all(console, bench);
        Supplier<MeasuringCommand> maker = commands.get(experiment.command());
        if (maker == null) {
            throw CommandException.usage(file + ": unknown command '" + experiment.command() + "'; known: "
                    + String.join(", ", new TreeSet<>(commands.keySet())));
        }
        Map<String, ExperimentFile.Values> options = experiment.options(isQuick);
        Combinations combinations = Combinations.of(joined(options));
        MatrixRun.Variants variants = new MatrixRun.Variants(isQuick);
        MeasuringCommand any = null;
        for (Map<String, String> combination : combinations.all()) {
            any = parsed(maker.get(), combination, options);
            variants.add(combinations.name(combination), any);
        }
        List<String> typed = spec.root().commandLine().getParseResult().expandedArgs();
        MatrixRun.Question question = new MatrixRun.Question(title(experiment), stem(), typed, any.figures());
        MatrixRun.Course course =
                new MatrixRun.Course(trials(experiment), seed, repetition.budget(), repetition.resumed());
        return new MatrixRun(console, bench).run(question, variants, course, output);
    }

    private String title(ExperimentFile experiment) {
        String title = experiment.title() == null ? file.getFileName().toString() : experiment.title();
        return title + " (baton " + experiment.command() + ", " + Units.counted(trials(experiment), "trial") + " each"
                + (isQuick ? "; quick: short trials, do not quote their figures" : "") + ")";
    }

    private int trials(ExperimentFile experiment) {
        Integer ofFile = experiment.trials();
        return isQuick ? repetition.trials(1) : ofFile == null ? repetition.trials() : repetition.trials(ofFile);
    }

    private String stem() {
        String name = file.getFileName().toString().replaceAll("\\.ya?ml$", "").replaceAll("[^A-Za-z0-9.-]+", "-");
        return "matrix-" + name;
    }

    /** Joins lists of options that have several values themselves. */
    private static Map<String, List<String>> joined(Map<String, ExperimentFile.Values> options) {
        Map<String, List<String>> joined = new LinkedHashMap<>();
        options.forEach((name, values) -> joined.put(
                name, LISTS.containsKey(name) ? List.of(String.join(LISTS.get(name), values.all())) : values.all()));
        return joined;
    }

    private MeasuringCommand parsed(
            MeasuringCommand command, Map<String, String> combination, Map<String, ExperimentFile.Values> options) {
        CommandLine line = CommandLines.convertAsTyped(new CommandLine(command));
        Set<String> known = new TreeSet<>();
        line.getCommandSpec().optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--"))
                .map(name -> name.substring(2))
                .filter(name -> !OURS.contains(name))
                .forEach(known::add);
        known.add("o");
        List<String> arguments = new ArrayList<>();
        combination.forEach((name, value) -> {
            int number = options.get(name).line();
            Checks.require(
                    known.contains(name),
                    file + ", line " + number + ": unknown option '" + name + "'; known: " + String.join(", ", known));
            arguments.add((name.length() == 1 ? "-" : "--") + name + "=" + value);
        });
        arguments.addAll(output.typed());
        try {
            line.parseArgs(arguments.toArray(String[]::new));
            return command;
        } catch (ParameterException refused) {
            throw CommandException.usage(
                    file + ": " + refused.getMessage().lines().findFirst().orElse("cannot be understood"), refused);
        }
    }
}
