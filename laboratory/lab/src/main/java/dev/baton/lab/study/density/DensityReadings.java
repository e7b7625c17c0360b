package dev.baton.lab.study.density;

import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.study.density.CapacitySearch.Finding;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What a contender's latencies are from the slot and from the send, in a sentence. Stateless, thread-safe. */
final class DensityReadings {
    private DensityReadings() {}

    /** About the number that broke a limit, else about the one that held; empty where nothing was recorded. */
    static String of(Contender contender, String name) {
        Finding finding = contender.finding();
        return about(contender, finding.breaks())
                .or(() -> about(contender, finding.holds()))
                .map(text -> name + ": " + text)
                .orElse("");
    }

    private static Optional<String> about(Contender contender, int instances) {
        List<Measured> trials = contender.trials().stream()
                .filter(each -> each.step().instances() == instances && each.worstNanos() != null)
                .sorted(Comparator.comparing(Measured::worstNanos))
                .toList();
        return trials.isEmpty() ? Optional.empty() : text(trials.get(trials.size() / 2));
    }

    private static Optional<String> text(Measured trial) {
        double percentile = trial.plan().limits().stream()
                .mapToDouble(Limit::percentile)
                .max()
                .orElse(100);
        Percentile slot = trial.result().response().find(percentile).orElse(null);
        Percentile send = trial.result().service().find(percentile).orElse(null);
        if (Objects.isNull(slot) || Objects.isNull(send) || slot.nanos() == null || send.nanos() == null) {
            return Optional.empty();
        }
        String chains = trial.step().instances() == 1
                ? "one chain"
                : Units.count(trial.step().instances()) + " chains";
        String start = "at " + chains + " the " + ResultTable.name(percentile) + " of all messages is ";
        String fromSlot = Units.time(slot.nanos());
        String fromSend = Units.time(send.nanos());
        return Optional.of(
                fromSlot.equals(fromSend)
                        ? start + fromSlot + " from the slot and from the send."
                        : start + fromSlot + " from the slot and " + fromSend
                                + " from the send; the difference is what a reading from the send omits.");
    }
}
