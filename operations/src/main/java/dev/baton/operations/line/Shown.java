package dev.baton.operations.line;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text that may hold what somebody typed, as a terminal shows it: one line, without control characters, and without words
 * that fill the screen. Stateless, thread-safe.
 */
public final class Shown {
    /** Longer than any path that people type. */
    private static final int MAX_WORD = 300;

    private static final int KEPT = 60;
    private static final Pattern LONG_WORD = Pattern.compile("\\S{" + (MAX_WORD + 1) + ",}+");

    private Shown() {}

    /** The text on one line. */
    public static String text(String text) {
        String line = CommandLines.oneLine(text);
        Matcher words = LONG_WORD.matcher(line);
        String shortened = words.replaceAll(word -> Matcher.quoteReplacement(
                word.group().substring(0, KEPT) + "... (" + word.group().length() + " characters)"));
        StringBuilder shown = new StringBuilder(shortened.length());
        for (int i = 0; i < shortened.length(); i++) {
            char each = shortened.charAt(i);
            if (Character.isISOControl(each) || Character.getType(each) == Character.FORMAT) {
                shown.append(String.format("\\u%04x", (int) each));
            } else {
                shown.append(each);
            }
        }
        return shown.toString();
    }
}
