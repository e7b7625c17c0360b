package dev.baton.operations.line;

import dev.baton.operations.settings.Secrets;
import dev.baton.spi.options.Options;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Configures picocli: one line per error, our exit codes, colours only on request. */
public final class CommandLines {
    /** A year: a longer time is probably a mistake, and overflows when nanoseconds are counted from now. */
    private static final Duration LONGEST = Duration.ofHours(8_760);

    private CommandLines() {}

    /** Applies the settings that all commands share. With {@code BATON_DEBUG=1} an error shows its stack trace, too. */
    public static CommandLine configure(CommandLine line, Console console) {
        CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF); // its own messages would precede ours
        line.getSubcommands().values().forEach(each -> HelpText.addTo(each.getCommandSpec()));
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpText::commands);
        convertAsTyped(line);
        line.setOut(console.out());
        line.setErr(console.err());
        line.setUsageHelpWidth(Math.max(80, console.terminal().columns()));
        line.setUsageHelpAutoWidth(false);
        line.setColorScheme(
                CommandLine.Help.defaultColorScheme(console.terminal().isColoured() ? Ansi.ON : Ansi.OFF));
        line.setParameterExceptionHandler((refused, arguments) -> refuse(refused, List.of(arguments), console));
        line.setExecutionExceptionHandler(
                (failed, command, result) -> fail(failed, secrets(result.originalArgs()), console));
        return line;
    }

    /** Reads paths, numbers and times in the same words for all commands; after subcommands are added. */
    public static CommandLine convertAsTyped(CommandLine line) {
        return line.registerConverter(Path.class, CommandLines::path)
                .registerConverter(BigDecimal.class, new NumberConverter())
                .registerConverter(Integer.class, WholeNumbers::integer)
                .registerConverter(int.class, WholeNumbers::integer)
                .registerConverter(Long.class, WholeNumbers::any)
                .registerConverter(long.class, WholeNumbers::any)
                .registerConverter(Duration.class, CommandLines::time);
    }

    /** Runs a command line. @return the exit code */
    public static int execute(CommandLine line, Console console, String... arguments) {
        try {
            TypedArguments.check(List.of(arguments));
        } catch (CommandException refused) {
            return complain(console, secrets(List.of()), refused);
        }
        return line.execute(arguments);
    }

    private static int complain(Console console, Secrets secrets, CommandException failure) {
        console.complain("baton: " + secrets.hiddenIn(failure.getMessage()));
        return ExitCode.of(failure);
    }

    /** Converts a path; refuses a text that looks like an option, as the value was probably forgotten. */
    private static Path path(String typed) {
        if (Checks.isBlank(typed)) {
            throw new TypeConversionException("the path is empty; write . for the working directory");
        }
        if (typed.startsWith("-")) {
            throw new TypeConversionException(
                    "'" + typed + "' looks like an option; a path that begins so is written" + " './" + typed + "'");
        }
        return Path.of(typed);
    }

    /** A time such as {@code 500us}, {@code 20ms}, {@code 30s} or {@code 2m}. */
    public static Duration time(String typed) {
        if (typed.startsWith("-")) {
            throw new TypeConversionException("'" + typed + "' is negative; write a time such as 20ms or 30s");
        }
        try {
            Duration time = Options.parseDuration(typed);
            if (time.compareTo(LONGEST) > 0) {
                throw new TypeConversionException(
                        "'" + typed + "' is too long; write a time such as 20ms or 30s, at most 8760h");
            }
            return time;
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(malformed.getMessage());
        }
    }

    private static Secrets secrets(List<String> typed) {
        return TypedArguments.secrets(typed, System.getenv());
    }

    private static int refuse(ParameterException refused, List<String> typed, Console console) {
        Secrets secrets = secrets(typed);
        String name = refused.getCommandLine().getCommandSpec().qualifiedName();
        String text = RefusedArguments.text(refused, typed);
        console.complain(
                "baton: " + secrets.hiddenIn(text) + (text.endsWith("?") ? " See '" : "; see '") + help(name) + "'");
        trace(refused, secrets, console);
        return ExitCode.USAGE;
    }

    private static int fail(Exception failed, Secrets secrets, Console console) {
        trace(failed, secrets, console);
        if (isCutOff(failed) && Interruption.isEnding()) {
            return interrupted(console);
        }
        if (failed instanceof CommandException failure) {
            return complain(console, secrets, failure);
        }
        if (failed instanceof InvalidPathException impossible) {
            String unreadable = UnreadableName.complaint(impossible);
            String complaint = unreadable == null
                    ? "'" + impossible.getInput() + "' is not a path: " + impossible.getReason() + "; name another one"
                    : unreadable;
            console.complain("baton: " + secrets.hiddenIn(complaint));
            return UnreadableName.isWorkingDirectory(impossible) ? ExitCode.ENVIRONMENT : ExitCode.USAGE;
        }
        if (FileSizeLimit.isCauseOf(failed)) {
            console.complain("baton: a file cannot be written: " + secrets.hiddenIn(failed.getMessage()));
            return ExitCode.ENVIRONMENT;
        }
        console.complain("baton: this is a bug: " + secrets.hiddenIn(failed.toString())
                + "; set BATON_DEBUG=1 to see the stack trace");
        return ExitCode.ENVIRONMENT;
    }

    /** Returns whether a failure may be due to the end of the JVM: libraries throw that register shutdown hooks meanwhile. */
    private static boolean isCutOff(Exception failed) {
        return !(failed instanceof CommandException) || failed.getCause() instanceof LinkageError;
    }

    /** Complains that a signal came before the command was done. @return the exit code */
    static int interrupted(Console console) {
        console.complain("baton: interrupted before it was finished");
        return ExitCode.INTERRUPTED;
    }

    private static String help(String qualifiedName) {
        int blank = qualifiedName.indexOf(' ');
        return blank < 0 ? "baton help" : "baton help" + qualifiedName.substring(blank);
    }

    public static String oneLine(String text) {
        return String.valueOf(text).replaceAll("\\s*\\R\\s*", " ");
    }

    /** {@return whether stack traces are wanted, which {@code BATON_DEBUG=1} says} */
    public static boolean isTracing() {
        return "1".equals(System.getenv("BATON_DEBUG"));
    }

    public static String stackTrace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    private static void trace(Exception failed, Secrets secrets, Console console) {
        if (isTracing()) {
            console.trace(secrets.hiddenIn(stackTrace(failed)));
        }
    }
}
