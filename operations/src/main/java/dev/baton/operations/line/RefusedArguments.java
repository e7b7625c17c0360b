package dev.baton.operations.line;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The reasons why arguments are refused: names a missing {@code @FILE}, and what was probably meant. Stateless, thread-safe. */
final class RefusedArguments {
    private static final String UNKNOWN_COMMAND = "Unknown subcommand '";

    private RefusedArguments() {}

    /** Returns one line about a refusal. @param typed all arguments */
    static String text(ParameterException refused, List<String> typed) {
        String text = refused.getMessage().lines().findFirst().orElse("cannot be understood");
        if (refused instanceof UnmatchedArgumentException surplus) {
            List<String> files = typed.stream().filter(RefusedArguments::isFile).toList();
            boolean isOfFile =
                    surplus.getUnmatched().stream().anyMatch(each -> !each.startsWith("-") && !typed.contains(each));
            if (!files.isEmpty() && isOfFile) { // what it contains may be a part of a secret
                return String.join(", ", files)
                        + ": some of its contents are no arguments of this command; quote a value with blanks, and write each option as"
                        + " on the command line, such as -o acks=1";
            }
            String first = surplus.getUnmatched().get(0);
            boolean isCommand = refused.getCommandLine().getParent() == null && !surplus.isUnknownOption();
            return missingFile(surplus.getUnmatched())
                    .orElse(isCommand ? command(first, refused.getCommandLine()) : unmatched(first, text, surplus));
        }
        if (refused instanceof MissingParameterException missing) {
            return missingFile(typed).or(() -> withoutValue(missing)).orElse(text);
        }
        if (text.startsWith(UNKNOWN_COMMAND)) {
            int end = text.indexOf('\'', UNKNOWN_COMMAND.length());
            return command(text.substring(UNKNOWN_COMMAND.length(), end), refused.getCommandLine());
        }
        return text;
    }

    private static Optional<String> missingFile(List<String> typed) {
        return typed.stream()
                .filter(each -> each.length() > 1 && each.startsWith("@") && !each.startsWith("@@"))
                .map(each -> each.substring(1))
                .filter(file -> !exists(file))
                .findFirst()
                .map(file -> "there is no file " + file + " (@FILE reads arguments from a file)");
    }

    private static boolean isFile(String argument) {
        return argument.length() > 1
                && argument.startsWith("@")
                && !argument.startsWith("@@")
                && exists(argument.substring(1));
    }

    private static boolean exists(String file) {
        try {
            return Files.exists(Path.of(file));
        } catch (InvalidPathException foreign) {
            return false;
        }
    }

    private static String command(String typed, CommandLine line) {
        CommandLine root = line;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return "there is no command '" + typed + "'"
                + Checks.meant(typed, root.getSubcommands().keySet());
    }

    private static String unmatched(String first, String text, UnmatchedArgumentException surplus) {
        return surplus.isUnknownOption()
                ? text
                        + Checks.meant(
                                first.replaceFirst("=.*", ""),
                                surplus.getCommandLine()
                                        .getCommandSpec()
                                        .optionsMap()
                                        .keySet())
                : "'" + first + "' is not expected";
    }

    /** Returns a text about an option without a value: what it is for, and how it is written. */
    private static Optional<String> withoutValue(MissingParameterException missing) {
        return missing.getMissing().stream()
                .filter(OptionSpec.class::isInstance)
                .map(OptionSpec.class::cast)
                .filter(option -> option.arity().min() > 0 && !option.required())
                .findFirst()
                .map(option -> option.longestName() + " has no value; write " + option.longestName()
                        + (option.longestName().startsWith("--") ? "=" : " ") + option.paramLabel() + ": "
                        + String.join("; ", option.description()));
    }
}
