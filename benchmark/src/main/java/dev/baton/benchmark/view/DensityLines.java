package dev.baton.benchmark.view;

import dev.baton.benchmark.density.Answer;
import dev.baton.benchmark.density.Contender;
import dev.baton.benchmark.density.Measured;
import java.util.ArrayList;
import java.util.List;

/**
 * Trials of searches as they end, a line each under one heading, and below it why a trial did not pass. Confined to one
 * thread.
 */
public final class DensityLines {
    private static final String GAP = " ";
    private static final String INDENT = "  ";
    private static final int NUMBER = 6;

    private final Paint paint;
    private final int columns;
    private final DensityNames names;
    private final int label;
    private final List<DensityCells.Column> cells;

    public DensityLines(List<Contender> contenders, Terminal terminal) {
        paint = terminal.paint();
        columns = terminal.columns();
        names = new DensityNames(contenders);
        label = contenders.size() == 1
                ? 0
                : contenders.stream()
                        .mapToInt(each -> names.of(each).length())
                        .max()
                        .orElse(0);
        boolean hasBroker =
                contenders.stream().anyMatch(each -> each.name().transport().equals("kafka"));
        cells = DensityCells.columns(hasBroker, columns);
    }

    /** The columns' names. */
    public List<String> heading() {
        StringBuilder line = new StringBuilder(" ".repeat(label == 0 ? 0 : label + INDENT.length()));
        line.append(padded(Cell.of("N"), NUMBER));
        cells.forEach(column -> line.append(GAP).append(padded(Cell.of(column.heading()), column.width())));
        return List.of("", line.toString());
    }

    /** A trial that has ended. */
    public List<String> trial(Contender contender, Measured trial) {
        StringBuilder line = new StringBuilder();
        if (label > 0) {
            String name = names.of(contender);
            line.append(name).append(" ".repeat(label - name.length())).append(INDENT);
        }
        line.append(padded(Cell.of(Units.count(trial.step().instances())), NUMBER));
        cells.forEach(column -> line.append(GAP).append(padded(column.cell().apply(trial), column.width())));
        Cell verdict = DensityCells.verdict(trial);
        line.append(GAP).append(paint.apply(verdict.tone(), verdict.text()));
        List<String> lines = new ArrayList<>();
        lines.add(line.toString());
        if (trial.answer() != Answer.PASS && !trial.reasons().isEmpty()) {
            int more = trial.reasons().size() - 1;
            String text = trial.reasons().get(0) + (more == 0 ? "" : " (and " + more + " more)");
            lines.addAll(Wrapped.lines(
                    " ".repeat((label == 0 ? 0 : label + INDENT.length()) + NUMBER + GAP.length()), text, columns));
        }
        return lines;
    }

    /** Right-aligned; without colours a closing parenthesis hangs over the edge of the digits. */
    private String padded(Cell cell, int width) {
        String after = paint.isColoured() || cell.tone() == Tone.GREY ? "" : " ";
        int padding = width - paint.plain(cell.tone(), cell.text()).length() - after.length();
        return " ".repeat(Math.max(0, padding)) + paint.apply(cell.tone(), cell.text()) + after;
    }
}
