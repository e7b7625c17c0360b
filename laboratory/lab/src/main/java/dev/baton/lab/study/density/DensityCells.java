package dev.baton.lab.study.density;

import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Memory;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** What is told of each trial of a search, column by column. Stateless, thread-safe. */
final class DensityCells {
    private static final String NONE = "-";
    private static final int WIDE = 112;
    private static final int WIDER = 122;
    private static final String FROM_SEND = "from send";
    private static final int PERCENTILES = 3; // columns of a curve before the other reading
    private static final List<String> TRIALS_ALONE = List.of("worst p99.9", "of", "cs/s");

    private DensityCells() {}

    /** A column. @param width that its texts need, to print rows as they come */
    record Column(String heading, int width, Function<Measured, Cell> cell) {}

    /**
     * Of a line for one trial.
     *
     * @param hasBroker whether brokers were watched
     * @param width columns of the terminal; a wide one shows more
     */
    static List<Column> columns(boolean hasBroker, int width) {
        return Stream.of(
                        new Column("worst p99.9", 12, DensityCells::worst),
                        new Column("of", 6, DensityCells::worstInstance),
                        new Column("p50", 9, trial -> percentile(trial, TrialResult::response, 50)),
                        new Column("p99", 9, trial -> percentile(trial, TrialResult::response, 99)),
                        new Column("p99.9", 9, trial -> percentile(trial, TrialResult::response, 99.9)),
                        width < WIDER ? null : fromSend(),
                        new Column("CPU", 7, trial -> machine(trial, Machine::jvmCpuCores, Units::percent)),
                        hasBroker
                                ? new Column(
                                        "broker", 7, trial -> machine(trial, Machine::brokerCpuCores, Units::percent))
                                : null,
                        new Column("ns/hop", 7, trial -> number(trial.cpuNanosPerHop())),
                        new Column("cs/s", 7, trial -> number(trial.contextSwitchesPerSecond())),
                        new Column("RSS/inst", 9, trial -> perInstance(trial, Memory::residentBytes)),
                        width < WIDE
                                ? null
                                : new Column("anon/inst", 9, trial -> perInstance(trial, Memory::anonymousBytes)))
                .filter(column -> column != null)
                .toList();
    }

    /** Of a row for one number of instances, between the worst instances' p99.9 and the verdict. */
    static List<Column> curve(boolean hasBroker, int width) {
        List<Column> curve = new ArrayList<>(columns(hasBroker, width).stream()
                .filter(column -> !TRIALS_ALONE.contains(column.heading())
                        && !column.heading().equals(FROM_SEND))
                .toList());
        curve.add(PERCENTILES, fromSend()); // whatever the width: a table breaks lines
        return curve;
    }

    /** The p99.9 of all messages, read from the actual send. */
    private static Column fromSend() {
        return new Column(FROM_SEND, 9, trial -> percentile(trial, TrialResult::service, 99.9));
    }

    static Cell verdict(Measured trial) {
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
}
