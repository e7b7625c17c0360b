package dev.baton.operations.terminal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A report for the terminal, built from top to bottom and wrapped at the terminal's width. Confined to one thread. */
public final class TextReport {
    private final Paint paint;
    private final int width;
    private final List<String> lines = new ArrayList<>();

    public TextReport(Terminal terminal) {
        this(terminal.paint(), terminal.columns());
    }

    /** Creates an empty report. @param width in columns */
    public TextReport(Paint paint, int width) {
        this.paint = paint;
        this.width = width;
    }

    public Paint paint() {
        return paint;
    }

    /** {@return the width in columns} */
    public int width() {
        return width;
    }

    /** Adds an empty line. */
    public TextReport gap() {
        return line("");
    }

    /** Adds a line without wrapping it. */
    public TextReport line(String line) {
        lines.add(line);
        return this;
    }

    /** Adds a line in a tone. */
    public TextReport line(Tone tone, String line) {
        return line(paint.apply(tone, line));
    }

    /** Adds lines that are wrapped already. */
    public TextReport lines(Collection<String> finished) {
        lines.addAll(finished);
        return this;
    }

    /** Adds a text, wrapped by {@link Wrapped}. */
    public TextReport text(String text) {
        return text("", text);
    }

    /** Adds a text in a tone. */
    public TextReport text(Tone tone, String text) {
        Wrapped.lines("", text, width).forEach(each -> line(tone, each));
        return this;
    }

    /** Adds a text with a label before it. */
    public TextReport text(String label, String text) {
        return lines(Wrapped.lines(label, text, width));
    }

    /** Adds each of these texts. */
    public TextReport texts(Collection<String> texts) {
        return texts("", texts);
    }

    /** Adds each of these texts behind the same label. */
    public TextReport texts(String label, Collection<String> texts) {
        texts.forEach(each -> text(label, each));
        return this;
    }

    public TextReport table(Table table) {
        return lines(table.lines(paint, width));
    }

    public List<String> lines() {
        return lines;
    }
}
