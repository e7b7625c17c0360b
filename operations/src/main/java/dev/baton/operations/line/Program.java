package dev.baton.operations.line;

import dev.baton.operations.terminal.Terminal;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The process behind a command line: its streams, its signals, its exit code. Stateless, thread-safe. */
public final class Program {
    private Program() {}

    /**
     * Runs what was typed, then ends the process.
     *
     * @param commands makes the command line
     */
    public static void run(String[] arguments, BiFunction<Console, Interruption, CommandLine> commands) {
        Terminal terminal = Terminal.detect(System.getProperties(), System.getenv());
        Console console = new Console(writer(System.out), writer(System.err), terminal);
        Interruption interruption = Interruption.ofThisProcess();
        interruption.exit(execute(() -> commands.apply(console, interruption), arguments, console));
    }

    /** An error that no command foresaw, such as too little memory, ends the process as well, not this thread alone. */
    static int execute(Supplier<CommandLine> commands, String[] arguments, Console console) {
        try {
            return CommandLines.execute(commands.get(), console, arguments);
        } catch (CommandException refused) {
            console.complain("baton: " + Console.shown(refused.getMessage()));
            return ExitCode.of(refused);
        } catch (LinkageError missing) {
            console.complain("baton: " + Console.shown(ForeignJars.complaint(missing)));
            return ExitCode.ENVIRONMENT;
        } catch (Error fatal) {
            console.complain("baton: this is a bug, or too little memory: " + fatal);
            return ExitCode.ENVIRONMENT;
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, false, Charset.defaultCharset());
    }
}
