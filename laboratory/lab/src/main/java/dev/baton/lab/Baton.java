package dev.baton.lab;

import dev.baton.lab.command.ChaosCommand;
import dev.baton.lab.command.CommandLines;
import dev.baton.lab.command.CompareCommand;
import dev.baton.lab.command.Console;
import dev.baton.lab.command.DensityCommand;
import dev.baton.lab.command.DoctorCommand;
import dev.baton.lab.command.ExitCode;
import dev.baton.lab.command.GateCommand;
import dev.baton.lab.command.KnownTransports;
import dev.baton.lab.command.MeasuringCommands;
import dev.baton.lab.command.ReportCommand;
import dev.baton.lab.command.SelftestCommand;
import dev.baton.lab.command.ServiceCommand;
import dev.baton.lab.command.TransportsCommand;
import dev.baton.lab.command.VerifyCommand;
import dev.baton.lab.command.Version;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.Interruption;
import dev.baton.lab.launch.KafkaBrokers;
import dev.baton.lab.view.Terminal;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
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
            "altered; a limit that even one instance breaks), 2 not understood, 3 the environment does",
            "not allow it, 4 not settled (the budget ran out, or a trial is inconclusive; in a matrix,",
            "every trial), 130 interrupted.",
            "",
            "Environment: JAVA_HOME, the JVM to use and to measure; BATON_CLASSPATH, further jars with",
            "transports; BATON_DEBUG=1, stack traces; NO_COLOR=1, no colours."
        },
        subcommands = HelpCommand.class)
public final class Baton implements Callable<Integer> {
    private static final String CHILD_MAIN = "dev.baton.lab.child.TrialMain";

    @Spec
    private CommandSpec spec;

    private Baton() {}

    public static void main(String[] arguments) {
        Terminal terminal = Terminal.detect(System.getProperties(), System.getenv());
        Console console = new Console(writer(System.out), writer(System.err), terminal);
        Interruption interruption = Interruption.ofThisProcess();
        Workbench bench = new Workbench(KnownTransports.onClassPath(), new KafkaBrokers(), CHILD_MAIN, interruption);
        interruption.exit(execute(commandLine(console, bench), arguments, console));
    }

    /** An error that no command foresaw, such as too little memory, ends the process as well, not this thread alone. */
    private static int execute(CommandLine line, String[] arguments, Console console) {
        try {
            return line.execute(arguments);
        } catch (Error fatal) {
            console.err().println("baton: this is a bug, or too little memory: " + fatal);
            console.err().flush();
            return ExitCode.ENVIRONMENT;
        }
    }

    /** All commands, for one use. */
    static CommandLine commandLine(Console console, Workbench bench) {
        CommandLine line = new CommandLine(new Baton());
        MeasuringCommands.all(console, bench).values().forEach(each -> line.addSubcommand(each.get()));
        line.addSubcommand(new DensityCommand(console, bench))
                .addSubcommand(MeasuringCommands.matrix(console, bench))
                .addSubcommand(new CompareCommand(console))
                .addSubcommand(new GateCommand(console))
                .addSubcommand(new ReportCommand(console))
                .addSubcommand(new DoctorCommand(console, bench.interruption()))
                .addSubcommand(new SelftestCommand(console, bench))
                .addSubcommand(new ServiceCommand(console, bench.known(), bench.interruption()))
                .addSubcommand(new VerifyCommand(console, bench.known(), bench.interruption()))
                .addSubcommand(new ChaosCommand(console, bench))
                .addSubcommand(new TransportsCommand(console, bench.known()));
        return CommandLines.configure(line, console, CommandLines.isDebug(System.getenv()));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.OK;
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, false, Charset.defaultCharset());
    }
}
