package dev.baton.operations.line;

import dev.baton.operations.terminal.Terminal;
import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a command writes: results to {@code out}, everything about how it is getting on to {@code err}.
 *
 * @param terminal what the two are connected to
 */
public record Console(PrintWriter out, PrintWriter err, Terminal terminal) {
    /** Longer than any path that people type. */
    private static final int MAX_WORD = 300;

    private static final int KEPT = 60;
    private static final Pattern LONG_WORD = Pattern.compile("\\S{" + (MAX_WORD + 1) + ",}+");

    public void print(List<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }

    public void complain(String line) {
        err.println(line);
        err.flush();
    }

    /**
     * Text that may hold what somebody typed, as a terminal shows it: one line, without control characters, and without
     * words that fill the screen.
     */
    static String shown(String text) {
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
