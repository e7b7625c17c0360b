package dev.baton.lab.study.soak;

import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.RemoteProcess;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Judges what processes that run services elsewhere hold, by the rules of {@link TrendJudge}. Stateless, thread-safe. */
final class ProcessesElsewhere {
    /** The figures of a process have to cover this much of the measurement. */
    private static final double LEAST_COVERED = 0.9;

    private static final String UNTOUCHED =
            "not judged: it grows until the heap of that process has touched all of its pages";

    private ProcessesElsewhere() {}

    /** The same trial with the trends of all processes, failed when something grows in one of them. */
    static TrialResult judged(TrialResult trial) {
        if (!(trial.findings() instanceof SoakFindings own) || trial.outcome().verdict() == Verdict.INTERRUPTED) {
            return trial;
        }
        List<SoakFindings.OfProcess> found = new ArrayList<>();
        Outcome outcome = trial.outcome();
        for (RemoteProcess process : trial.elsewhere()) {
            List<Trend> trends = trends(process);
            found.add(new SoakFindings.OfProcess(
                    process.address(), process.timeline().size(), trends));
            List<Trend> named =
                    trends.stream().map(trend -> trend.of(process.address())).toList();
            outcome = TrendJudge.outcome(
                    outcome, named, uncounted(process, trial.span().measureNanos()));
        }
        return trial.with(outcome, new SoakFindings(own.points(), own.rule(), own.trends(), found));
    }

    private static List<Trend> trends(RemoteProcess process) {
        boolean isKnown = process.busyCores() != null && process.cpuCores() != null;
        Double others = isKnown ? Double.valueOf(process.busyCores() - process.cpuCores()) : null;
        return new TrendJudge(process.spanNanos(), others, Map.of(Quantity.ANONYMOUS, UNTOUCHED))
                .judgeProcess(process.timeline());
    }

    /** Why the figures of a process are not those of the whole soak; null when they are. */
    private static String uncounted(RemoteProcess process, long measuredNanos) {
        List<Second> timeline = process.timeline();
        long covered =
                timeline.isEmpty() ? 0 : timeline.get(timeline.size() - 1).endNanos();
        return covered >= LEAST_COVERED * measuredNanos
                ? null
                : process.address() + " answered for " + Math.round(100.0 * covered / measuredNanos)
                        + " % of the time, or was started again";
    }
}
