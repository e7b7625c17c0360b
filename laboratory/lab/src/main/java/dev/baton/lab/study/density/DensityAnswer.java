package dev.baton.lab.study.density;

import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch.Finding;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The result of a search, in a sentence or two that can be quoted. Stateless, thread-safe. */
final class DensityAnswer {
    /** The beginning of a result that rests on provisional verdicts. */
    private static final String NO_ANSWER = "provisional, not an answer: ";

    private DensityAnswer() {}

    static String of(Contender contender, String name) {
        Finding finding = contender.finding();
        List<Integer> provisional = contender.provisional();
        String text = name + ": " + (provisional.isEmpty() || contender.stop() != null ? "" : NO_ANSWER)
                + core(contender, finding);
        if (!finding.unsteady().isEmpty()) {
            text += " " + all(finding.unsteady())
                    + " passed and then failed the confirmation: the search continued below.";
        }
        if (!provisional.isEmpty()) {
            boolean isOne = provisional.size() == 1;
            text += " Provisional: the verdict" + (isOne ? " on " : "s on ") + all(provisional)
                    + (isOne && provisional.get(0) == 1 ? " chain" : " chains") + (isOne ? " rests" : " rest")
                    + " on fewer than " + Limit.ENOUGH_SAMPLES
                    + " messages of an instance above the limit's percentile.";
        }
        return text;
    }

    private static String all(List<Integer> numbers) {
        return numbers.stream().map(Units::count).collect(Collectors.joining(" and "));
    }

    private static String core(Contender contender, Finding finding) {
        if (contender.trials().isEmpty()) {
            return "no trial was completed" + stopped(contender) + ".";
        }
        if (finding.end() == Finding.End.FOUND) {
            return holds(contender, finding.holds()) + "; " + breaks(contender, finding.breaks()) + ".";
        }
        if (finding.end() == Finding.End.AT_MOST) {
            return "at least " + holds(contender, finding.holds()) + "; larger numbers were not run"
                    + (contender.ceiling() == null
                            ? ""
                            : " (" + contender.ceiling().text(finding.holds() + 1) + ")")
                    + ".";
        }
        if (finding.end() == Finding.End.NONE) {
            return "not even one chain at " + rate(contender) + " msg/s keeps " + limits(contender) + ": "
                    + reason(contender, 1) + ".";
        }
        return "inconclusive" + stopped(contender) + ": " + bracket(contender, finding) + ".";
    }

    private static String stopped(Contender contender) {
        if (contender.stop() == null) {
            List<Measured> trials = contender.trials();
            return trials.isEmpty()
                    ? ""
                    : ", as the host disturbed every trial of "
                            + Units.count(trials.get(trials.size() - 1).step().instances());
        }
        return ", as " + contender.stop();
    }

    private static String bracket(Contender contender, Finding finding) {
        String lower = finding.holds() == 0
                ? "no number has passed"
                : holds(contender, finding.holds()) + (finding.isConfirmed() ? "" : " (not confirmed)");
        return finding.breaks() == 0
                ? lower + ", and none has failed"
                : lower + ", and " + breaks(contender, finding.breaks());
    }

    private static String holds(Contender contender, int instances) {
        return Units.counted(instances, "chain") + " at " + rate(contender) + " msg/s "
                + (instances == 1 ? "keeps " : "keep ") + limits(contender);
    }

    private static String breaks(Contender contender, int instances) {
        return Units.count(instances) + " did not (" + reason(contender, instances) + ")";
    }

    /** Returns the reason why this number failed, from the last of its failed trials. */
    private static String reason(Contender contender, int instances) {
        return contender.trials().stream()
                .filter(each -> each.step().instances() == instances && each.verdict() == Verdict.FAIL)
                .reduce((one, other) -> other)
                .map(DensityAnswer::reason)
                .orElse("");
    }

    private static String reason(Measured trial) {
        String why = trial.reasons().isEmpty() ? "" : trial.reasons().get(0);
        Double share = trial.limitShare();
        boolean isOfLimit = share != null && share > 1; // the reason has the figure
        return trial.worstNanos() == null || isOfLimit
                ? why
                : why + "; worst p99.9 = " + Units.time(trial.worstNanos());
    }

    private static String rate(Contender contender) {
        return Units.rate(plan(contender).load().ratePerSecond());
    }

    private static String limits(Contender contender) {
        return Limit.text(plan(contender).limits());
    }

    private static TrialPlan plan(Contender contender) {
        return contender.trials().stream()
                .map(Measured::plan)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    /**
     * Describes the latencies from the slot and from the send: of the number that exceeded a limit, else of the one that held; empty where
     * nothing was recorded.
     */
    static String readings(Contender contender, String name) {
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
        return trials.isEmpty() ? Optional.empty() : reading(trials.get(trials.size() / 2));
    }

    private static Optional<String> reading(Measured trial) {
        double percentile = trial.plan().limits().stream()
                .mapToDouble(Limit::percentile)
                .max()
                .orElse(100);
        String slot = time(trial.result().response(), percentile);
        String send = time(trial.result().service(), percentile);
        if (slot == null || send == null) {
            return Optional.empty();
        }
        return Optional.of("at " + Units.counted(trial.step().instances(), "chain") + " the "
                + ResultTable.name(percentile) + " of all messages is " + slot + " from the intended send"
                + (slot.equals(send)
                        ? " and from the actual send."
                        : ", " + send + " from the actual send; latencies from the actual send hide this delay."));
    }

    private static String time(Latency latency, double percentile) {
        return latency.find(percentile).map(Percentile::nanos).map(Units::time).orElse(null);
    }
}
