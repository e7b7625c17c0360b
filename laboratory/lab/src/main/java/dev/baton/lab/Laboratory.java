package dev.baton.lab;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.DoctorCommand;
import dev.baton.lab.command.ReportCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.results.Studies;
import dev.baton.operations.chains.ChainsCommand;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.TransportsCommand;
import dev.baton.operations.line.Version;
import dev.baton.operations.replay.ReplayCommand;
import dev.baton.operations.replay.TraceCommand;
import dev.baton.operations.service.ServiceCommand;
import dev.baton.operations.top.TopCommand;
import dev.baton.operations.verify.DeadLettersCommand;
import dev.baton.operations.verify.ForgetConsumerCommand;
import dev.baton.operations.verify.RepairCommand;
import dev.baton.operations.verify.VerifyCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The laboratory's command line. Without a command it prints what there is. */
@Command(
        name = "baton",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Measures chains of services over exchangeable queues.",
        footer = {
            "",
            "Exit codes: 0 measured, 1 measured and failed (messages lost, duplicated, reordered or",
            "altered; a limit that even one instance breaks), 2 usage error, 3 the environment does",
            "not allow it, 4 inconclusive (the budget ran out, or a trial is inconclusive; in a matrix,",
            "every trial), 130 interrupted.",
            "",
            "Environment: JAVA_HOME, the JVM to use and to measure; BATON_CLASSPATH, further jars with",
            "transports and chains and all that these depend on; BATON_DEBUG=1, stack traces; NO_COLOR=1,",
            "no colours."
        },
        subcommands = HelpCommand.class)
public final class Laboratory implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    private Laboratory() {}

    /**
     * The same as {@link #commandLine}, on the system that it measures.
     *
     * @param system as {@code os.name} tells
     * @throws CommandException when it is another one
     */
    public static CommandLine onLinux(String system, Console console, Workbench bench, String... typed) {
        if (!system.startsWith("Linux")) {
            throw CommandException.environment("the laboratory runs on Linux, and this is " + system
                    + "; docs/running.md says what runs elsewhere");
        }
        return commandLine(console, bench, typed);
    }

    /**
     * The commands, those of {@link dev.baton.operations} included, for one use.
     *
     * @param typed what will be run: where it begins with a command's name, only that command is made, as picocli takes
     *     longer to read the annotations of all than a command takes that refuses its arguments
     */
    public static CommandLine commandLine(Console console, Workbench bench, String... typed) {
        Commands line = new Commands();
        Studies.all().forEach(kind -> {
            if (kind instanceof CommandSource source) {
                source.commands().forEach(each -> line.addSubcommand(each.make(console, bench)));
            }
        });
        line.addSubcommand(new ReportCommand(console))
                .addSubcommand(new DoctorCommand(console, bench.interruption()))
                .addSubcommand(new ServiceCommand(console, bench.known(), bench.interruption()))
                .addSubcommand(new VerifyCommand(console, bench.known(), bench.interruption()))
                .addSubcommand(new ReplayCommand(console, bench.known(), bench.interruption()))
                .addSubcommand(new TraceCommand(console, bench.known(), bench.interruption()))
                .addSubcommand(new DeadLettersCommand(console, bench.known(), bench.interruption()))
                .addSubcommand(new ForgetConsumerCommand(console, bench.known()))
                .addSubcommand(new TopCommand(console, bench.interruption()))
                .addSubcommand(new RepairCommand(console, bench.known()))
                .addSubcommand(new TransportsCommand(console, bench.known()))
                .addSubcommand(new ChainsCommand(console));
        return CommandLines.configure(line.make(typed.length == 0 ? "" : typed[0]), console);
    }

    /** The commands that there are. */
    private static final class Commands {
        private final List<Object> all = new ArrayList<>();

        Commands addSubcommand(Object command) {
            all.add(command);
            return this;
        }

        CommandLine make(String typed) {
            List<Object> named =
                    all.stream().filter(each -> typed.equals(name(each))).toList();
            CommandLine line = new CommandLine(new Laboratory());
            (named.isEmpty() ? all : named)
                    .forEach(each -> line.addSubcommand(
                            each instanceof DeadLettersCommand letters ? letters.commandLine() : each));
            return line;
        }

        private static String name(Object command) {
            Command annotation = command.getClass().getAnnotation(Command.class);
            return annotation == null ? null : annotation.name();
        }
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
