package dev.baton.lab.study.advice;

import dev.baton.lab.matrix.Spread;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Guarantee;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The sentences of a recommendation. Stateless, thread-safe. */
final class AdviceText {
    private static final int SWEEPS_PER_BUDGET = 3;

    private AdviceText() {}

    /** What the setting does not promise, and what it pays with. */
    static List<String> givesUp(Finding finding, List<Tried> tried) {
        Setting taken = finding.taken();
        List<String> lines = new ArrayList<>();
        Set<Guarantee> promised = taken.transport().provider().guarantees();
        String missing = Arrays.stream(Guarantee.values())
                .filter(each -> !promised.contains(each))
                .map(Guarantee::meaning)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            lines.add("not promised by " + taken.transportName() + ": " + missing);
        }
        if (taken.loops().latencyBudgetNanos() > 0) {
            lines.add("latency for CPU: a message may wait "
                    + Units.time(taken.loops().latencyBudgetNanos() / SWEEPS_PER_BUDGET)
                    + " for the next sweep");
        }
        if (Set.of("spin", "yielding").contains(taken.loops().idle())) {
            lines.add("its loops never rest: they use their cores at any rate");
        }
        faster(finding, tried).ifPresent(lines::add);
        if (taken.transport().needsBroker()) {
            lines.add(Units.counted(taken.transport().brokers(), "broker")
                    + " ran on this machine, so no network is in these figures");
        }
        return lines;
    }

    /** The setting that used up least of the limit, when it was not the cheapest one. */
    private static Optional<String> faster(Finding finding, List<Tried> tried) {
        Optional<Tried> own = tried.stream()
                .filter(each -> each.setting().equals(finding.taken()))
                .findFirst();
        return tried.stream()
                .filter(Tried::holds)
                .min(Comparator.comparingDouble(Tried::share))
                .filter(fastest ->
                        own.isPresent() && fastest.share() < own.get().share())
                .map(fastest -> fastest.setting().name() + " used up " + Units.percent(fastest.share())
                        + " of the limit where this used "
                        + Units.percent(own.get().share()) + ", at "
                        + Units.significant(fastest.cpuNanos() / own.get().cpuNanos())
                        + " times the CPU (one short trial each)");
    }

    /** Why to believe it, and why not. */
    static List<String> sureness(Finding finding, List<Tried> tried, boolean isExhausted) {
        List<String> lines = new ArrayList<>();
        List<TrialResult> results = finding.run().results(finding.taken());
        String kept = results.get(0).plan().limits().stream()
                .map(limit -> kept(limit, results))
                .collect(Collectors.joining("; "));
        lines.add("kept the limit in " + finding.run().passes(finding.taken()) + " of " + results.size()
                + " deciding trials: " + kept);
        lines.add(compared(finding));
        long holding = tried.stream().filter(Tried::holds).count();
        lines.add(Units.count(tried.size()) + (tried.size() == 1 ? " setting was" : " settings were")
                + " measured, each in one short trial; " + Units.count(holding) + " kept the limit"
                + (isExhausted ? "; the budget kept others from being measured" : ""));
        return lines;
    }

    private static String kept(Limit limit, List<TrialResult> results) {
        Spread spread = Spread.of(results.stream()
                .map(result -> Tried.nanos(limit, result.response()))
                .filter(Objects::nonNull)
                .map(Long::doubleValue)
                .toList());
        String name = Tried.entry(limit, results.get(0).response())
                .map(entry -> ResultTable.name(entry.percentile()))
                .orElse("max");
        return name + " " + (spread == null ? "-" : spread.text(nanos -> Units.time(Math.round(nanos)))) + " of "
                + Limit.time(limit.nanos());
    }

    private static String compared(Finding finding) {
        String noise =
                "identical trials differed by " + Units.percent(finding.run().noise());
        if (finding.other() == null) {
            return "nothing else that was measured kept the limit; " + noise;
        }
        String other = finding.other().name();
        Spread own = finding.run().cost(finding.taken());
        Spread against = finding.run().cost(finding.other());
        if (finding.run().isBroken(finding.other())) {
            return "the next best, " + other + ", broke the limit when it was confirmed; " + noise;
        }
        if (finding.isTie()) {
            return "as cheap as " + other + ", as far as can be told (" + cost(own) + " against "
                    + cost(against) + "; " + noise + "); taken as it "
                    + (promises(finding.taken()) > promises(finding.other())
                            ? "promises more"
                            : "has no more values that are not defaults");
        }
        double less = 1 - own.median() / against.median();
        return Units.percent(less) + " less CPU than the next best, " + other + " (" + cost(own) + " against "
                + cost(against) + "; " + noise + ")";
    }

    private static int promises(Setting setting) {
        return setting.transport().provider().guarantees().size();
    }

    private static String cost(Spread spread) {
        return spread.text(nanos -> Units.time(Math.round(nanos)));
    }
}
