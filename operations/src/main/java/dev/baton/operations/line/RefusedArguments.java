package dev.baton.operations.line;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The reasons why arguments are refused: names a missing {@code @FILE}, and what was probably meant. Stateless, thread-safe. */
final class RefusedArguments {
    private static final String UNKNOWN_COMMAND = "Unknown subcommand '";

    private static final int MOST_EDITS = 2;

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
                    .orElse(isCommand ? command(first, refused.getCommandLine()) : text + suggestion(surplus));
        }
        if (refused instanceof MissingParameterException) {
            return missingFile(typed).orElse(text);
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
        List<String> similar = root.getSubcommands().keySet().stream()
                .filter(name -> distance(typed, name) <= MOST_EDITS)
                .sorted(Comparator.comparingInt(name -> distance(typed, name)))
                .toList();
        return "there is no command '" + typed + "'" + meant(similar);
    }

    /** Returns the number of characters to insert, delete or replace. */
    private static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        Arrays.setAll(above, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[other.length()];
    }

    private static String suggestion(UnmatchedArgumentException surplus) {
        return surplus.isUnknownOption() ? meant(surplus.getSuggestions()) : "";
    }

    private static String meant(List<String> similar) {
        return similar.isEmpty() ? "" : "; did you mean '" + similar.get(0) + "'?";
    }
}
