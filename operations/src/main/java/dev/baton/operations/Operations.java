package dev.baton.operations;

import dev.baton.operations.chains.ChainsCommand;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.Program;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The command line of a host in production, without the laboratory. */
@Command(
        name = "baton",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Runs services of a chain, shows their state and verifies topics.",
        subcommands = {
            HelpCommand.class,
            ServiceCommand.class,
            TopCommand.class,
            VerifyCommand.class,
            ReplayCommand.class,
            TraceCommand.class,
            DeadLettersCommand.class,
            ForgetConsumerCommand.class,
            PromoteCommand.class,
            TransportsCommand.class,
            ChainsCommand.class
        })
public final class Operations extends RootCommand {
    private Operations(Console console, KnownTransports known, Interruption interruption) {
        super(console, known, interruption);
    }

    public static void main(String[] arguments) {
        Program.run(
                arguments,
                (console, interruption) -> commandLine(console, KnownTransports.onClassPath(), interruption));
    }

    /** The commands, for one use. */
    public static CommandLine commandLine(Console console, KnownTransports known, Interruption interruption) {
        return CommandLines.configure(new CommandLine(new Operations(console, known, interruption)), console);
    }
}
