package dev.baton.lab.study.density;

import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Memory;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns of the table of trials, and of all trials together as a curve. Stateless, thread-safe. */
final class DensityCells {
    private static final String NONE = "-";
    private static final int USUAL = 96;
    private static final int WIDE = 112;
    private static final int WIDER = 123;
    private static final String FROM_SEND = "send p99.9";
    private static final int PERCENTILES = 3; // columns of a curve before the other reading
    private static final List<String> TRIALS_ALONE = List.of("worst p99.9", "of", "cs/s");

    private static final Comparator<Measured> BY_WORST =
            Comparator.comparing(Measured::worstNanos, Comparator.nullsLast(Comparator.naturalOrder()));

    private DensityCells() {}

    /** A column. @param width that its texts need, to print rows as they come */
    record Column(String heading, int width, Function<Measured, Cell> cell) {}

    /**
     * Returns the columns.
     *
     * @param hasBroker whether brokers were watched
     * @param width columns of the terminal; a wide one shows more
     */
    static List<Column> columns(boolean hasBroker, int width) {
        return Stream.of(
                        new Column("worst p99.9", 12, DensityCells::worst),
                        width < USUAL ? null : new Column("of", 6, DensityCells::worstInstance),
                        new Column("p50", 9, trial -> percentile(trial, TrialResult::response, 50)),
                        new Column("p99", 9, trial -> percentile(trial, TrialResult::response, 99)),
                        new Column("p99.9", 9, trial -> percentile(trial, TrialResult::response, 99.9)),
                        width < WIDER ? null : fromSend(),
                        new Column("CPU", 7, trial -> machine(trial, Machine::chainCpuCores, Units::percent)),
                        hasBroker
                                ? new Column(
                                        "broker", 7, trial -> machine(trial, Machine::brokerCpuCores, Units::percent))
                                : null,
                        new Column("ns/hop", 7, trial -> number(trial.cpuNanosPerHop())),
                        width < USUAL ? null : new Column("cs/s", 7, trial -> number(trial.contextSwitchesPerSecond())),
                        width < USUAL
                                ? null
                                : new Column("RSS/inst", 9, trial -> perInstance(trial, Memory::residentBytes)),
                        width < WIDE
                                ? null
                                : new Column("anon/inst", 9, trial -> perInstance(trial, Memory::anonymousBytes)))
                .filter(column -> column != null)
                .toList();
    }

    /** Returns the columns of a row for one number of instances, between the worst instances' p99.9 and the verdict. */
    private static List<Column> columnsOfCurve(boolean hasBroker, boolean isDisturbed, int width) {
        List<Column> curve = new ArrayList<>(columns(hasBroker, Math.max(width, USUAL)).stream()
                .filter(column -> !TRIALS_ALONE.contains(column.heading())
                        && !column.heading().equals(FROM_SEND))
                .toList());
        curve.add(PERCENTILES, fromSend()); // whatever the width: a table breaks lines
        if (isDisturbed) {
            curve.add(new Column("others", 7, DensityCells::others));
        }
        return curve;
    }

    /** The p99.9 of all messages, read from the actual send. */
    private static Column fromSend() {
        return new Column(FROM_SEND, 10, trial -> percentile(trial, TrialResult::service, 99.9));
    }

    /** CPU time of other processes meanwhile. */
    private static Cell others(Measured trial) {
        return machine(
                trial, machine -> machine.host() == null ? null : machine.host().otherProcessesCores(), Units::percent);
    }

    static Cell verdict(Measured trial) {
        if (trial.isVerdictProvisional()) {
            return Cell.of(trial.verdict().name(), Tone.GREY);
        }
        return switch (trial.verdict()) {
            case PASS -> Cell.of("PASS", Tone.GOOD);
            case FAIL -> Cell.of("FAIL", Tone.BAD);
            case INCONCLUSIVE, INTERRUPTED -> Cell.of(trial.verdict().name(), Tone.WARNING);
        };
    }

    private static Cell worst(Measured trial) {
        Long nanos = trial.worstNanos();
        return nanos == null
                ? Cell.of(NONE)
                : Cell.of(Units.time(nanos), trial.isProvisional() ? Tone.GREY : Tone.PLAIN);
    }

    private static Cell worstInstance(Measured trial) {
        InstanceFigures worst = trial.worst();
        return Cell.of(worst == null ? NONE : "#" + worst.instance());
    }

    private static Cell percentile(Measured trial, Function<TrialResult, Latency> reading, double percentile) {
        return trial.result() == null
                ? Cell.of(NONE)
                : ResultTable.percentile(reading.apply(trial.result()), percentile);
    }

    private static <T> Cell machine(Measured trial, Function<Machine, T> figure, Function<T, String> text) {
        return trial.result() == null ? Cell.of(NONE) : ResultTable.machine(trial.result(), figure, text);
    }

    private static Cell number(Double value) {
        return Cell.of(value == null ? NONE : String.format(Locale.ROOT, "%,.0f", value));
    }

    private static Cell perInstance(Measured trial, Function<Memory, Long> figure) {
        return machine(
                trial,
                machine -> machine.memory() == null ? null : figure.apply(machine.memory()),
                bytes -> Units.bytes(bytes / (double) trial.step().instances()));
    }

    /**
     * The capacity curve of a contender: a row for each number of instances that was measured. Of several trials of one
     * number the row shows the range of their worst instances, and of the rest the trial whose worst instance is the median.
     */
    static Table curve(Contender contender, int width) {
        boolean isDisturbed = contender.trials().stream()
                .map(Measured::result)
                .anyMatch(result -> result != null && Remarks.isDisturbed(result));
        List<Column> columns = columnsOfCurve(contender.hasBroker(), isDisturbed, width);
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
            List<Cell> cells = new ArrayList<>(List.of(worstOf(sorted)));
            columns.forEach(column -> cells.add(column.cell().apply(median)));
            cells.add(verdicts(trials));
            String text = Units.count(number);
            table.row(" ".repeat(widest - text.length()) + text, cells);
        });
        return table;
    }

    private static Cell worstOf(List<Measured> sorted) {
        List<Long> worst = sorted.stream()
                .map(Measured::worstNanos)
                .filter(Objects::nonNull)
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
        List<String> words = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            for (boolean isProvisional : new boolean[] {false, true}) {
                long count = trials.stream()
                        .filter(each -> each.verdict() == verdict && each.isVerdictProvisional() == isProvisional)
                        .count();
                String word = isProvisional ? "(" + verdict + ")" : verdict.name();
                if (count > 0) {
                    words.add(word + (count > 1 ? " x" + count : ""));
                }
            }
        }
        boolean isOne = trials.stream().map(Measured::verdict).distinct().count() == 1;
        Tone tone = trials.stream()
                .map(each -> verdict(each).tone())
                .filter(each -> each != Tone.GREY)
                .findFirst()
                .orElse(Tone.PLAIN); // words have parentheses of their own
        return Cell.of(String.join(", ", words), isOne ? tone : Tone.WARNING);
    }
}
