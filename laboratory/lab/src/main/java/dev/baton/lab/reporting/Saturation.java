package dev.baton.lab.reporting;

import dev.baton.lab.request.Shape;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.List;

/** What trials at saturation were run for: how many messages went through, and what each hop of each cost. Stateless. */
final class Saturation {
    private static final Cell NONE = Cell.of("-");

    private Saturation() {}

    /** Trials side by side have the same load. */
    static boolean among(List<TrialResult> trials) {
        return trials.stream().anyMatch(trial -> trial.plan().load().isSaturated());
    }

    static void rows(Table table, List<TrialResult> trials) {
        table.row(
                "messages  per second",
                trials.stream()
                        .map(trial ->
                                Cell.of(Units.count(Math.round(trial.rate().achievedPerSecond())), Tone.BOLD))
                        .toList());
        table.row("one hop   wall time", trials.stream().map(Saturation::wall).toList());
        table.row("          CPU time", trials.stream().map(Saturation::cpu).toList());
    }

    private static Cell wall(TrialResult trial) {
        return nanos(1e9, trial);
    }

    /** Of the JVM and, where there is one, of the broker. */
    private static Cell cpu(TrialResult trial) {
        if (trial.machine() == null || trial.machine().jvmCpuCores() == null) {
            return NONE;
        }
        Double broker = trial.machine().brokerCpuCores();
        return nanos((trial.machine().jvmCpuCores() + (broker == null ? 0 : broker)) * 1e9, trial);
    }

    /** A quantity of a second, for each hop of each message that went through in it. */
    private static Cell nanos(double ofSecond, TrialResult trial) {
        Shape shape = trial.plan().shape();
        double hops = trial.rate().achievedPerSecond() * (shape.services() + 1);
        return hops > 0 ? Cell.of(Units.count(Math.round(ofSecond / hops)) + " ns") : NONE;
    }
}
