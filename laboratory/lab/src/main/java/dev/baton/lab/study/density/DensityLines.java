package dev.baton.lab.study.density;

import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;

/**
 * Trials of searches as they end, a line each under one heading, and below it the reason of a failed trial. The name of the contender is at
 * the left if there are several and the terminal is wide enough, otherwise on a separate line whenever it changes. Confined to one thread.
 */
public final class DensityLines {
    private static final String GAP = " ";
    private static final String INDENT = "  ";
    private static final int NUMBER = 6;
    private static final int VERDICT = 7;

    private final Paint paint;
    private final int width;
    private final DensityReport.Names names;
    private final int label;
    private final boolean isHeaded;
    private final List<DensityCells.Column> columns;
    private Contender previous;

    public DensityLines(List<Contender> contenders, Terminal terminal) {
        paint = terminal.paint();
        width = terminal.columns();
        names = DensityReport.Names.among(contenders);
        columns = DensityCells.columns(contenders.stream().anyMatch(Contender::hasBroker), width);
        int longest = contenders.stream()
                .mapToInt(each -> names.of(each).length() + INDENT.length())
                .max()
                .orElse(0);
        int used = NUMBER
                + VERDICT
                + columns.stream().mapToInt(each -> GAP.length() + each.width()).sum();
        boolean isSeveral = contenders.size() > 1;
        isHeaded = isSeveral && used + longest > width;
        label = isSeveral && !isHeaded ? longest : 0;
    }

    public List<String> heading() {
        StringBuilder line = new StringBuilder(" ".repeat(label));
        line.append(padded(Cell.of("N"), NUMBER));
        columns.forEach(column -> line.append(GAP).append(padded(Cell.of(column.heading()), column.width())));
        return List.of("", line.toString().stripTrailing());
    }

    public List<String> trial(Contender contender, Measured trial) {
        List<String> lines = new ArrayList<>();
        if (isHeaded && contender != previous) {
            lines.add(paint.apply(Tone.BOLD, names.of(contender)));
        }
        previous = contender;
        StringBuilder line = new StringBuilder();
        if (label > 0) {
            String name = names.of(contender);
            line.append(name).append(" ".repeat(label - name.length()));
        }
        line.append(padded(Cell.of(Units.count(trial.step().instances())), NUMBER));
        columns.forEach(column -> line.append(GAP).append(padded(column.cell().apply(trial), column.width())));
        Cell verdict = DensityCells.verdict(trial);
        lines.add(line.append(GAP)
                .append(paint.apply(verdict.tone(), verdict.text()))
                .toString());
        if (trial.verdict() != Verdict.PASS && !trial.reasons().isEmpty()) {
            int more = trial.reasons().size() - 1;
            String text = trial.reasons().get(0) + (more == 0 ? "" : " (and " + more + " more)");
            lines.addAll(Wrapped.lines(" ".repeat(label + NUMBER + INDENT.length()), text, width));
        }
        return lines;
    }

    /** Right-aligned; without colours a closing parenthesis hangs over the edge of the digits. */
    private String padded(Cell cell, int columnWidth) {
        String after = paint.isColoured() || cell.tone() == Tone.GREY ? "" : " ";
        int padding = columnWidth - paint.plain(cell.tone(), cell.text()).length() - after.length();
        return " ".repeat(Math.max(0, padding)) + paint.apply(cell.tone(), cell.text()) + after;
    }
}
