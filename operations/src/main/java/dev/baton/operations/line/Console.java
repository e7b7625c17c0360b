package dev.baton.operations.line;

import dev.baton.operations.terminal.Terminal;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Output of a command: results go to {@code out}, progress and errors to {@code err}.
 *
 * @param terminal describes what the two are connected to
 */
public record Console(PrintWriter out, PrintWriter err, Terminal terminal) {
    /** Longer than any path that people write. */
    private static final int MAX_WORD = 300;

    private static final int KEPT = 60;

    /** Longer than the options of all transports together. */
    private static final int MAX_LINE = 3_800;

    /** Colour codes as {@link dev.baton.operations.terminal.Paint} writes them. */
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]{0,20}m");

    private static final Pattern LONG_WORD = Pattern.compile("\\S{" + (MAX_WORD + 1) + ",}+");

    /** Prints lines that may contain text of a file, without control characters, including those of colours. */
    public void print(List<String> lines) {
        lines.forEach(line -> out.println(escaped(line, "\n\t", terminal.isColoured())));
        out.flush();
    }

    /** Prints a text as one line on {@code err}. */
    public void complain(String text) {
        err.println(shown(text + FileSizeLimit.hint(text)));
        err.flush();
    }

    void trace(String lines) {
        err.println(lines);
        err.flush();
    }

    /** Returns a text from outside as a terminal can show it: one line of limited length, without control characters and endless words. */
    static String shown(String text) {
        String line = CommandLines.oneLine(text);
        Matcher words = LONG_WORD.matcher(line);
        String shortened = words.replaceAll(word -> Matcher.quoteReplacement(
                word.group().substring(0, KEPT) + "... (" + word.group().length() + " characters)"));
        String shown = escaped(shortened, "", false);
        return shown.length() <= MAX_LINE
                ? shown
                : shown.substring(0, MAX_LINE) + "... (" + shown.length() + " characters)";
    }

    /** Replaces control characters, except some, and those that change the direction of text. */
    private static String escaped(String line, String kept, boolean hasColours) {
        StringBuilder escaped = new StringBuilder(line.length());
        Matcher colours = COLOUR.matcher(line);
        int at = 0;
        while (at < line.length()) {
            if (hasColours && colours.region(at, line.length()).lookingAt()) {
                escaped.append(colours.group());
                at = colours.end();
                continue;
            }
            int each = line.codePointAt(at);
            boolean isHidden = Character.isISOControl(each) || Character.getType(each) == Character.FORMAT;
            if (isHidden && kept.indexOf(each) < 0) {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", each));
            } else {
                escaped.appendCodePoint(each);
            }
            at += Character.charCount(each);
        }
        return escaped.toString();
    }
}
