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

    /** @throws NumberFormatException when the text is no such number, or out of range */
    public static int parse(String text) {
        return Integer.parseInt(checked(text));
    }

    static int integer(String text) {
        try {
            return parse(text);
        } catch (NumberFormatException malformed) {
            throw refused(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
    }

    static long any(String text) {
        try {
            return Long.parseLong(checked(text));
        } catch (NumberFormatException malformed) {
            throw refused(text, Long.MIN_VALUE, Long.MAX_VALUE);
        }
    }

    private static String checked(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new NumberFormatException(text);
        }
        return text;
    }

    private static TypeConversionException refused(String text, long least, long most) {
        return new TypeConversionException("'" + text + "' is not a whole number from " + least + " to " + most);
    }
}
