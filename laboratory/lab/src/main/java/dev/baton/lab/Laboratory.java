package dev.baton.lab;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.DoctorCommand;
import dev.baton.lab.command.ReportCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.export.ExportCommand;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.systems.SystemsCommand;
import dev.baton.operations.chains.ChainsCommand;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.RootCommand;
import dev.baton.operations.line.Version;
import dev.baton.operations.options.TransportsCommand;
import dev.baton.operations.replay.ReplayCommand;
import dev.baton.operations.replay.TraceCommand;
import dev.baton.operations.service.ServiceCommand;
import dev.baton.operations.top.TopCommand;
import dev.baton.operations.verify.DeadLettersCommand;
import dev.baton.operations.verify.ForgetConsumerCommand;
import dev.baton.operations.verify.PromoteCommand;
import dev.baton.operations.verify.VerifyCommand;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The laboratory's command line. */
@Command(
        name = "baton",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Measures chains of services over exchangeable queues.",
        footer = {
            "",
            "To begin: 'chain' prints a table of four transports within two minutes; 'doctor' grades this machine; 'COMMAND --help'"
                    + " lists the options of a command.",
            "",
            "Exit codes: 0 measured, 1 measured and failed (messages lost, duplicated, reordered or altered; a limit that even"
                    + " one instance exceeds), 2 usage error, 3 the environment does not allow it, 4 inconclusive (the budget"
                    + " ran out, or a trial is inconclusive; in a matrix, every trial), 130 interrupted.",
            "",
            "Environment: JAVA_HOME: the JVM to use and to measure; BATON_CLASSPATH: further jars with transports, chains and"
                    + " systems, and their dependencies; BATON_DEBUG=1: stack traces; NO_COLOR=1: no colours."
        },
        subcommands = HelpCommand.class)
public final class Laboratory extends RootCommand {
    private Laboratory(Console console, Workbench bench) {
        super(console, bench.known(), bench.interruption());
    }

    /**
     * Creates the command line, as {@link #commandLine} does, on Linux only.
     *
     * @param system value of {@code os.name}
     * @throws CommandException on another system
     */
    public static CommandLine onLinux(String system, Console console, Workbench bench, String... typed) {
        if (!system.startsWith("Linux")) {
            throw CommandException.environment("the laboratory runs on Linux, and this is " + system
                    + "; docs/running.md lists what runs elsewhere");
        }
        return commandLine(console, bench, typed);
    }

    /**
     * Creates the commands, those of {@link dev.baton.operations} included, for one use.
     *
     * @param typed what will be run: where it begins with a command's name, only that command is made, as picocli takes
     *     longer to read the annotations of all than a command takes that refuses its arguments
     */
    public static CommandLine commandLine(Console console, Workbench bench, String... typed) {
        List<Object> all = new ArrayList<>();
        StudyKind.all(CommandSource.class)
                .forEach(kind -> kind.commands().forEach(each -> all.add(each.make(console, bench))));
        all.addAll(List.of(
                new ReportCommand(),
                new ExportCommand(),
                new ServiceCommand(),
                new VerifyCommand(),
                new ReplayCommand(),
                new TraceCommand(),
                new DeadLettersCommand(),
                new ForgetConsumerCommand(),
                new PromoteCommand(),
                new TopCommand(),
                new TransportsCommand(),
                new DoctorCommand(),
                new SystemsCommand(),
                new ChainsCommand()));
        List<Object> named = all.stream()
                .filter(each -> typed.length > 0 && typed[0].equals(name(each)))
                .toList();
        CommandLine line = new CommandLine(new Laboratory(console, bench));
        (named.isEmpty() ? all : named).forEach(line::addSubcommand);
        return CommandLines.configure(line, console);
    }

    private static String name(Object command) {
        Command annotation = command.getClass().getAnnotation(Command.class);
        return annotation == null ? null : annotation.name();
    }
}
