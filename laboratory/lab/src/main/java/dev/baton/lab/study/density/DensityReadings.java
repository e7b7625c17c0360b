package dev.baton.lab.study.density;

import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.study.density.CapacitySearch.Finding;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Units;
import java.util.Comparator;
import java.util.List;
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
        return time(trial.result().response(), percentile)
                .flatMap(
                        slot -> time(trial.result().service(), percentile)
                                .map(
                                        send -> "at " + Units.count(trial.step().instances())
                                                + (trial.step().instances() == 1 ? " chain the " : " chains the ")
                                                + ResultTable.name(percentile)
                                                + " of all messages is " + slot + " from the slot and "
                                                + (slot.equals(send)
                                                        ? "from the send."
                                                        : send
                                                                + " from the send; the difference is what a reading from the send omits.")));
    }

    private static Optional<String> time(Latency latency, double percentile) {
        return latency.find(percentile).map(Percentile::nanos).map(Units::time);
    }
}
