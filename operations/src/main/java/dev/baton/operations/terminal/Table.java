package dev.baton.operations.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table with labels on the left and figures aligned to the right, a column for each compared variant.
 *
 * <p>Where the columns do not fit side by side, the table is cut into blocks one below the other, each with the rows that have figures
 * in it. Without colours grey figures stand in parentheses, and the digits of the others stay aligned with theirs. Confined to one thread.
 */
public final class Table {
    /** The text of a cell without a figure. */
    public static final String NOTHING = "-";

    private static final String GAP = "  ";

    private record Row(String label, List<Cell> cells) {}

    private final List<Cell> headings;
    private final List<Row> rows = new ArrayList<>();
    private int together = 1;

    public Table(List<Cell> headings) {
        this.headings = List.copyOf(headings);
    }

    /** A table whose headings are plain. */
    public Table(String... headings) {
        this(cells(Tone.PLAIN, headings));
    }

    /** Creates a table whose headings are bold. */
    public static Table bold(String... headings) {
        return new Table(cells(Tone.BOLD, headings));
    }

    private static List<Cell> cells(Tone tone, String... texts) {
        return Arrays.stream(texts).map(each -> Cell.of(each, tone)).toList();
    }

    /** Keeps this number of columns, which belong together, in one block. */
    public Table together(int columns) {
        together = columns;
        return this;
    }

    /**
     * Adds a row.
     *
     * @param cells one for each heading
     */
    public Table row(String label, List<Cell> cells) {
        if (cells.size() != headings.size()) {
            throw new IllegalArgumentException(
                    "row '" + label + "' has " + cells.size() + " cells for " + headings.size() + " columns");
        }
        rows.add(new Row(label, List.copyOf(cells)));
        return this;
    }

    public Table row(String label, String... cells) {
        return row(label, cells(Tone.PLAIN, cells));
    }

    /** An empty line between groups of rows. */
    public Table gap() {
        rows.add(new Row("", headings.stream().map(heading -> Cell.of("")).toList()));
        return this;
    }

    /** The finished lines, none wider than {@code width} unless a single column, or those that belong together, is wider. */
    public List<String> lines(Paint paint, int width) {
        int labels = rows.stream().mapToInt(row -> row.label().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        int from = 0;
        while (from < headings.size()) {
            int used = labels;
            int to = from;
            while (to < headings.size() && (to == from || used + widthOfThoseAt(to, paint) <= width)) {
                used += widthOfThoseAt(to, paint);
                to = Math.min(headings.size(), to + together);
            }
            if (from > 0) {
                lines.add("");
            }
            lines.add(line(new Row("", headings), labels, from, to, paint));
            boolean isCut = from > 0 || to < headings.size();
            for (int i = 0; i < rows.size(); i++) {
                if (!isCut || isShown(i, from, to)) {
                    lines.add(line(rows.get(i), labels, from, to, paint));
                }
            }
            from = to;
        }
        return lines;
    }

    /** Returns whether a row has a figure in some columns, or is the heading of indented ones that have. */
    private boolean isShown(int index, int from, int to) {
        boolean isHeading = !rows.get(index).label().startsWith(" ");
        boolean isShown = hasFigure(rows.get(index), from, to);
        for (int i = index + 1; isHeading && !isShown && i < rows.size(); i++) {
            isHeading = rows.get(i).label().startsWith(" ");
            isShown = isHeading && hasFigure(rows.get(i), from, to);
        }
        return isShown;
    }

    private static boolean hasFigure(Row row, int from, int to) {
        return !row.cells().subList(from, to).stream()
                .allMatch(cell -> cell.text().equals(NOTHING));
    }

    private String line(Row row, int labels, int from, int to, Paint paint) {
        StringBuilder line = new StringBuilder(row.label());
        line.append(" ".repeat(labels - row.label().length()));
        for (int column = from; column < to; column++) {
            Cell cell = row.cells().get(column);
            String after = hangs(column, paint) && !isParenthesised(cell, paint) ? " " : "";
            int padding = columnWidth(column, paint) - plainWidth(cell, paint) - after.length();
            line.append(GAP).append(" ".repeat(padding));
            line.append(paint.apply(cell.tone(), cell.text())).append(after);
        }
        return line.toString().stripTrailing();
    }

    /** Returns the width of the columns that belong together, from one on. */
    private int widthOfThoseAt(int from, Paint paint) {
        int used = 0;
        for (int column = from; column < Math.min(headings.size(), from + together); column++) {
            used += GAP.length() + columnWidth(column, paint);
        }
        return used;
    }

    private int columnWidth(int column, Paint paint) {
        int hanging = hangs(column, paint) ? 1 : 0;
        int widest = plainWidth(headings.get(column), paint) + hanging;
        for (Row row : rows) {
            Cell cell = row.cells().get(column);
            widest = Math.max(widest, plainWidth(cell, paint) + (isParenthesised(cell, paint) ? 0 : hanging));
        }
        return widest;
    }

    /** {@return whether a closing parenthesis protrudes beyond the right edge of the column's digits} */
    private boolean hangs(int column, Paint paint) {
        return rows.stream().anyMatch(row -> isParenthesised(row.cells().get(column), paint));
    }

    private static boolean isParenthesised(Cell cell, Paint paint) {
        return cell.tone() == Tone.GREY && !paint.isColoured() && !cell.text().isEmpty();
    }

    private static int plainWidth(Cell cell, Paint paint) {
        return paint.plain(cell.tone(), cell.text()).length();
    }
}
