package dev.baton.lab.study.density;

import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The capacity curve of a contender: a row for each number of instances that was measured. Of several trials of one
 * number the row shows the range of their worst instances, and of the rest the trial whose worst instance is the median.
 * Stateless, thread-safe.
 */
final class DensityCurve {
    private static final Comparator<Measured> BY_WORST =
            Comparator.comparing(Measured::worstNanos, Comparator.nullsLast(Comparator.naturalOrder()));

    private DensityCurve() {}

    static Table of(Contender contender, int width) {
        List<DensityCells.Column> columns = DensityCells.curve(contender.hasBroker(), width);
        Map<Integer, List<Measured>> byNumber = contender.trials().stream()
                .collect(Collectors.groupingBy(each -> each.step().instances(), TreeMap::new, Collectors.toList()));
        List<String> headings = new ArrayList<>(List.of("worst p99.9"));
        columns.forEach(column -> headings.add(column.heading()));
        headings.add("verdict");
        Table table = Table.bold(headings.toArray(String[]::new));
        int widest = byNumber.keySet().stream()
                .mapToInt(each -> Units.count(each).length())
                .max()
                .orElse(0);
        byNumber.forEach((number, trials) -> {
            List<Measured> sorted = trials.stream().sorted(BY_WORST).toList();
            Measured median = sorted.get(sorted.size() / 2);
            List<Cell> cells = new ArrayList<>(List.of(worst(sorted)));
            columns.forEach(column -> cells.add(column.cell().apply(median)));
            cells.add(verdicts(trials));
            String text = Units.count(number);
            table.row(" ".repeat(widest - text.length()) + text, cells);
        });
        return table;
    }

    private static Cell worst(List<Measured> sorted) {
        List<Long> worst = sorted.stream()
                .map(Measured::worstNanos)
                .filter(each -> each != null)
                .toList();
        if (worst.isEmpty()) {
            return Cell.of("-");
        }
        String least = Units.time(worst.get(0));
        String most = Units.time(worst.get(worst.size() - 1));
        boolean hasFewSamples = sorted.stream().allMatch(Measured::isProvisional);
        return Cell.of(least.equals(most) ? most : span(least, most), hasFewSamples ? Tone.GREY : Tone.PLAIN);
    }

    /** The unit once where both have the same. */
    private static String span(String least, String most) {
        String unit = most.substring(most.indexOf(' '));
        return (least.endsWith(unit) ? least.substring(0, least.length() - unit.length()) : least) + " .. " + most;
    }

    private static Cell verdicts(List<Measured> trials) {
        Map<Verdict, Long> counts =
                trials.stream().collect(Collectors.groupingBy(Measured::verdict, TreeMap::new, Collectors.counting()));
        List<String> words = counts.entrySet().stream()
                .map(each -> each.getKey() + (each.getValue() > 1 ? " x" + each.getValue() : ""))
                .toList();
        return Cell.of(
                String.join(", ", words),
                words.size() > 1
                        ? Tone.WARNING
                        : DensityCells.verdict(trials.get(0)).tone());
    }
}
