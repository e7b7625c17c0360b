package dev.baton.operations.line;

import dev.baton.operations.settings.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.PicocliException;
import picocli.CommandLine.Unmatched;

/**
 * Arguments of the command line: checks that they are readable, and replaces {@code @FILE} by the arguments in a file, and {@code -o
 * key=env:NAME} by the value of an environment variable, so that command lines need no secrets. Stateless, thread-safe.
 */
public final class TypedArguments {
    private static final String ENVIRONMENT = "env:";
    private static final int MAX_FILE_BYTES = 1 << 20;

    /** A file that is named in a file. */
    private static final Pattern NESTED = Pattern.compile("(?<=^|[\\s\"'])@(?!@)([^\\s\"']+)");

    private TypedArguments() {}

    /**
     * Refuses arguments that no command can read: control characters, bytes that are no text, and an {@code @FILE} that is a directory, a
     * device or no text.
     *
     * @throws CommandException for the first one that cannot be read
     */
    static void check(List<String> typed) {
        Set<Path> seen = new HashSet<>();
        for (String each : typed) {
            checkText(each);
            if (each.startsWith("@") && !each.startsWith("@@") && each.length() > 1) {
                checkFile(each.substring(1), seen);
            }
        }
    }

    private static void checkText(String typed) {
        for (int i = 0; i < typed.length(); i++) {
            char each = typed.charAt(i);
            if (Character.isISOControl(each) || turnsText(each)) {
                throw CommandException.usage(String.format(
                        Locale.ROOT,
                        "'%s' contains the control character U+%04X; type it without",
                        Console.shown(typed),
                        (int) each));
            }
        }
        if (typed.indexOf(UnreadableName.REPLACEMENT) >= 0
                || !StandardCharsets.UTF_8.newEncoder().canEncode(typed)) {
            throw CommandException.usage(UnreadableName.text("'" + Console.shown(typed) + "'", "type it in that, or "));
        }
    }

    /** {@return whether a character breaks a line, or changes the direction of text on a terminal} */
    private static boolean turnsText(int each) {
        return switch (Character.getType(each)) {
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            case Character.FORMAT -> each >= '\u202a' && each <= '\u202e' || each >= '\u2066' && each <= '\u2069';
            default -> false;
        };
    }

    private static void checkFile(String name, Set<Path> seen) {
        Path file;
        try {
            file = Path.of(name);
        } catch (InvalidPathException foreign) {
            throw CommandException.usage(
                    "@" + name + " is not a path in this locale: " + foreign.getReason() + "; name another file",
                    foreign);
        }
        if (!Files.exists(file) || !seen.add(file.toAbsolutePath().normalize())) {
            return; // no file of arguments, but an argument that begins so
        }
        String shown = "@" + Console.shown(file.toString());
        if (!Files.isRegularFile(file)) {
            throw CommandException.usage(
                    shown + " is " + (Files.isDirectory(file) ? "a directory" : "not a regular file")
                            + "; name a text file with arguments in it");
        }
        Matcher nested = NESTED.matcher(text(file, shown));
        while (nested.find()) {
            checkFile(nested.group(1), seen);
        }
    }

    private static String text(Path file, String shown) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
            if (bytes.length > MAX_FILE_BYTES) {
                throw CommandException.usage(
                        shown + " has more than " + MAX_FILE_BYTES + " bytes; a file of arguments has fewer");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            text.codePoints()
                    .filter(each -> Character.isISOControl(each) && !Character.isWhitespace(each) || turnsText(each))
                    .findFirst()
                    .ifPresent(control -> {
                        throw CommandException.usage(String.format(
                                Locale.ROOT,
                                "%s contains the control character U+%04X; write it without",
                                shown,
                                control));
                    });
            return text;
        } catch (CharacterCodingException foreign) {
            throw CommandException.usage(shown + " is not text in UTF-8; name a text file", foreign);
        } catch (IOException unreadable) {
            throw CommandException.environment(shown + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /**
     * Splits a setting of the form {@code key=value}.
     *
     * @param option of the command line before it
     * @param example for error texts
     * @param taker receives the key, and the value with its variable replaced
     * @throws CommandException when the text has another form, or names a variable that is not set
     */
    public static void setting(String option, String typed, String example, BiConsumer<String, String> taker) {
        int equals = typed.indexOf('=');
        Checks.require(
                !typed.startsWith("@"),
                "there is no file " + typed.substring(Math.min(1, typed.length()))
                        + " (@FILE, in place of arguments, reads them from a file)");
        Checks.require(
                equals > 0, option + " '" + typed + "' is not key=value; write it like " + option + " " + example);
        String key = typed.substring(0, equals).trim();
        taker.accept(key, value(option + " " + key, typed.substring(equals + 1).trim(), System.getenv()));
    }

    /**
     * Returns a value with its variable replaced.
     *
     * @param option with the key, for error texts
     * @throws CommandException when the variable is not set
     */
    static String value(String option, String typed, Map<String, String> environment) {
        if (!typed.startsWith(ENVIRONMENT)) {
            return typed;
        }
        String name = typed.substring(ENVIRONMENT.length());
        String value = environment.get(name);
        if (value == null || value.isEmpty()) {
            throw CommandException.usage(option + "=" + ENVIRONMENT + name + ": the environment variable '" + name
                    + "' is " + (value == null ? "not set" : "empty") + "; set it, or give the value in an @FILE");
        }
        return value;
    }

    /** Returns all secrets in these arguments, also those in files and in the environment. */
    static Secrets secrets(List<String> typed, Map<String, String> environment) {
        List<String> all = new ArrayList<>();
        for (String each : expanded(typed)) {
            all.add(each);
            int reference = each.indexOf("=" + ENVIRONMENT);
            String value = reference < 0 ? null : environment.get(each.substring(reference + 1 + ENVIRONMENT.length()));
            if (value != null) {
                all.add(each.substring(0, reference + 1) + value);
            }
        }
        return Secrets.in(all);
    }

    /** Returns the arguments with the content of files in place of their names. */
    private static List<String> expanded(List<String> typed) {
        try {
            return new CommandLine(new Anything())
                    .parseArgs(typed.toArray(String[]::new))
                    .expandedArgs();
        } catch (PicocliException unreadable) {
            return typed;
        }
    }

    /** A command that accepts all arguments. */
    @Command
    private static final class Anything {
        @Unmatched
        private List<String> all;
    }
}
