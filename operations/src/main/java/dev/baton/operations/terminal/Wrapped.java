package dev.baton.operations.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Text broken at blanks to fit a width, continued under its own first column, and not broken between a number and its unit or sign.
 * Stateless, thread-safe.
 */
public final class Wrapped {
    private static final int NARROWEST = 20;

    /** The indent of the lines after the first one, where the label takes more than a third of the width. */
    private static final int INDENT_AFTER_LONG_LABEL = 5;

    /** A blank before the unit of a number, or after a sign before one. */
    private static final Pattern IN_FIGURE =
            Pattern.compile("(?<=[0-9]) (?=(ns|us|ms|s|min|h|B|KiB|MiB|GiB|KB|MB|GB)\\b|%)|(?<=[<>]) (?=[0-9])");

    private static final char KEPT = '\u00a0';

    private Wrapped() {}

    /**
     * Lines that start with {@code label} and go on below the text after it, or below the first columns of a long label.
     *
     * @param width columns to fit; a word longer than that is not broken
     */
    public static List<String> lines(String label, String text, int width) {
        boolean isLong = 3 * label.length() > width && !label.isBlank();
        int indent = isLong ? INDENT_AFTER_LONG_LABEL : label.length();
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word :
                IN_FIGURE.matcher(text).replaceAll(String.valueOf(KEPT)).split(" ")) {
            int room = isLong
                    ? width - (lines.isEmpty() ? label.length() : indent)
                    : Math.max(NARROWEST, width - label.length());
            boolean isFirstOfLongLabel = isLong && lines.isEmpty() && line.length() == 0;
            int needed = line.length() + (line.length() == 0 ? 0 : 1) + word.length();
            if (needed > room && (line.length() > 0 || isFirstOfLongLabel)) {
                lines.add((start(lines, label, indent) + line).stripTrailing());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word.replace(KEPT, ' '));
        }
        lines.add((start(lines, label, indent) + line).stripTrailing());
        return lines;
    }

    private static String start(List<String> lines, String label, int indent) {
        return lines.isEmpty() ? label : " ".repeat(indent);
    }
}
