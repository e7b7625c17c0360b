package dev.baton.operations.line;

import dev.baton.operations.terminal.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The process behind a command line: its streams, its signals, its exit code. Stateless, thread-safe. */
public final class Program {
    private Program() {}

    /**
     * Runs a command line, then ends the process.
     *
     * @param commands creates the command line
     */
    public static void run(String[] arguments, BiFunction<Console, Interruption, CommandLine> commands) {
        Terminal terminal = Terminal.detect(System.getProperties(), System.getenv());
        Watched out = new Watched();
        Console console = new Console(
                new PrintWriter(out, false, Charset.defaultCharset()),
                new PrintWriter(System.err, false, Charset.defaultCharset()),
                terminal);
        Interruption interruption = Interruption.ofThisProcess();
        Supplier<CommandLine> readable = () -> {
            ForeignJars.addToClassPath(System.getenv("BATON_CLASSPATH"));
            ForeignJars.requireReadable(System.getProperty("java.class.path"));
            return commands.apply(console, interruption);
        };
        int code = execute(readable, arguments, console);
        interruption.exit(out.isFull() ? complained(out.failure, code, console) : code);
    }

    private static int complained(IOException failure, int code, Console console) {
        console.complain(
                "baton: cannot write to standard output: " + failure.getMessage() + "; the output is truncated");
        return code == ExitCode.OK ? ExitCode.ENVIRONMENT : code;
    }

    /** Ends the process, not only this thread, after an unforeseen failure such as too little memory. */
    static int execute(Supplier<CommandLine> commands, String[] arguments, Console console) {
        try {
            return CommandLines.execute(commands.get(), console, arguments);
        } catch (CommandException refused) {
            console.complain("baton: " + refused.getMessage());
            return ExitCode.of(refused);
        } catch (RuntimeException | Error cutOff) {
            return Interruption.isEnding() ? CommandLines.interrupted(console) : unforeseen(cutOff, console);
        }
    }

    private static int unforeseen(Throwable thrown, Console console) {
        String text = "this is a bug, or too little memory: " + thrown;
        if (thrown instanceof LinkageError missing) {
            text = ForeignJars.complaint(missing);
        } else if (thrown instanceof RuntimeException) {
            text = "this is a bug: " + thrown;
        }
        console.complain("baton: " + text);
        return ExitCode.ENVIRONMENT;
    }

    /** A stream that keeps the failure of a write, which a {@link PrintWriter} hides. Confined to one thread. */
    private static final class Watched extends FileOutputStream {
        private IOException failure; // the first; null for none

        Watched() {
            super(FileDescriptor.out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                super.write(bytes, offset, length);
            } catch (IOException refused) {
                failure = failure == null ? refused : failure;
                throw refused;
            }
        }

        /** Returns whether a write failed, other than because the reader ended, such as head. */
        boolean isFull() {
            return failure != null && !"Broken pipe".equals(failure.getMessage());
        }
    }
}
