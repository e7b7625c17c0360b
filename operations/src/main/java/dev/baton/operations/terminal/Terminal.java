package dev.baton.operations.terminal;

import java.util.Map;
import java.util.Properties;

/**
 * The destinations of the two output streams, as determined by the shell script {@code baton}: Java cannot distinguish them. Immutable,
 * thread-safe.
 *
 * @param outIsTerminal whether standard output is a terminal that can move its cursor ({@code TERM=dumb} cannot)
 * @param errIsTerminal whether standard error is such a terminal
 * @param columns width to write for
 * @param isColoured whether colours may be used on standard output: a terminal and no {@code NO_COLOR}
 */
public record Terminal(boolean outIsTerminal, boolean errIsTerminal, int columns, boolean isColoured) {
    private static final int USUAL_COLUMNS = 100;
    private static final int FEWEST_COLUMNS = 40;
    private static final int MOST_COLUMNS = 120;

    /**
     * Reads {@code baton.stdout}, {@code baton.stderr} ({@code terminal} or anything else) and {@code baton.columns}; without a terminal
     * that has a width, the variable {@code COLUMNS}.
     */
    public static Terminal detect(Properties properties, Map<String, String> environment) {
        boolean isDumb = "dumb".equals(environment.get("TERM")); // it would show the codes that move the cursor
        boolean out = !isDumb && "terminal".equals(properties.getProperty("baton.stdout"));
        boolean err = !isDumb && "terminal".equals(properties.getProperty("baton.stderr"));
        boolean isRefused = !environment.getOrDefault("NO_COLOR", "").isEmpty();
        String width = properties.getProperty("baton.columns", "");
        return new Terminal(
                out,
                err,
                columns(width.isEmpty() ? environment.getOrDefault("COLUMNS", "") : width),
                out && !isRefused);
    }

    public Paint paint() {
        return new Paint(isColoured);
    }

    /** Returns a foreign text, such as the message of a service's exception, without control characters. */
    public static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }

    private static int columns(String text) {
        try {
            return Math.max(FEWEST_COLUMNS, Math.min(MOST_COLUMNS, Integer.parseInt(text)));
        } catch (NumberFormatException unknown) {
            return USUAL_COLUMNS;
        }
    }
}
