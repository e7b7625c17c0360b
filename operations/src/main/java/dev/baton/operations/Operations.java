package dev.baton.operations;

import dev.baton.operations.chains.ChainsCommand;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.Program;
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
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line of a host in production, without the laboratory. Without a command it prints what there is. */
@Command(
        name = "baton",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Runs services of a chain, shows what they do, verifies topics and repairs them.",
        subcommands = HelpCommand.class)
public final class Operations implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    private Operations() {}

    public static void main(String[] arguments) {
        Program.run(arguments, Operations::commandLine);
    }

    private static CommandLine commandLine(Console console, Interruption interruption) {
        KnownTransports known = KnownTransports.onClassPath();
        CommandLine line = new CommandLine(new Operations())
                .addSubcommand(new ServiceCommand(console, known, interruption))
                .addSubcommand(new TopCommand(console, interruption))
                .addSubcommand(new VerifyCommand(console, known, interruption))
                .addSubcommand(new ReplayCommand(console, known, interruption))
                .addSubcommand(new TraceCommand(console, known, interruption))
                .addSubcommand(new DeadLettersCommand(console, known, interruption).commandLine())
                .addSubcommand(new ForgetConsumerCommand(console, known))
                .addSubcommand(new RepairCommand(console, known))
                .addSubcommand(new TransportsCommand(console, known))
                .addSubcommand(new ChainsCommand(console));
        return CommandLines.configure(line, console);
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
