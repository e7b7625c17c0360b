package dev.baton.operations.line;

import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads whole numbers of the digits 0 to 9. Java's own parsers take the digits of all scripts and a plus sign, and some of
 * them other bases. Stateless, thread-safe.
 */
public final class WholeNumbers {
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");

    private WholeNumbers() {}

    /**
     * {@return the whole number that a text contains}
     *
     * @throws NumberFormatException when the text is no such number, or out of range
     */
    public static int parse(String text) {
        return Integer.parseInt(checked(text));
    }

    static int integer(String text) {
        try {
            return parse(text);
        } catch (NumberFormatException malformed) {
            throw refused(text);
        }
    }

    static long any(String text) {
        try {
            return Long.parseLong(checked(text));
        } catch (NumberFormatException malformed) {
            throw refused(text);
        }
    }

    private static String checked(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new NumberFormatException(text);
        }
        return text;
    }

    private static TypeConversionException refused(String text) {
        boolean isWhole = WHOLE.matcher(text).matches();
        return new TypeConversionException(
                "'" + text + (isWhole ? "' is out of range" : "' is not a whole number; write one such as 3"));
    }
}
