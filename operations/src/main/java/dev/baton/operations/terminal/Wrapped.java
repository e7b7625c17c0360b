package dev.baton.operations.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text broken at blanks to fit a width, continued under its own first column. Stateless, thread-safe. */
public final class Wrapped {
    private static final int NARROWEST = 20;

    private Wrapped() {}

    /**
     * Lines that start with {@code label} and go on below the text after it.
     *
     * @param width columns to fit; a word longer than that is not broken
     */
    public static List<String> lines(String label, String text, int width) {
        int room = Math.max(NARROWEST, width - label.length());
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > room) {
                lines.add(start(lines, label) + line);
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add((start(lines, label) + line).stripTrailing());
        return lines;
    }

    private static String start(List<String> lines, String label) {
        return lines.isEmpty() ? label : " ".repeat(label.length());
    }
}
