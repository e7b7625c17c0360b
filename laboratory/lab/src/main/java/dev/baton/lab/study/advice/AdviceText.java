package dev.baton.lab.study.advice;

import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.matrix.Spread;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Guarantee;
import java.time.Duration;
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

    /** A search with more time measures more and longer. */
    private static final double MORE_BUDGET = 1.25;

    private static final int ROUNDING_SECONDS = 10;

    /** The maximum number of settings whose exceeded limit is described. */
    private static final int MOST_NAMED = 3;

    private AdviceText() {}

    /** Describes the missing guarantees of the setting, and its disadvantages. */
    static List<String> givesUp(SearchEnd finding, List<Tried> tried) {
        Candidate taken = finding.taken();
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
            lines.add("its loops never idle: they use their cores at any load");
        }
        faster(finding, tried).ifPresent(lines::add);
        if (taken.transport().needsBroker()) {
            lines.add(Units.counted(taken.transport().brokers(), "broker")
                    + " ran on this machine, so no network is in these figures");
        }
        return lines;
    }

    /** The setting that used the smallest part of the limit, if it is not the cheapest one. */
    private static Optional<String> faster(SearchEnd finding, List<Tried> tried) {
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
                        + " times the CPU (one short trial each"
                        + (fastest.isProvisional() ? ", provisional)" : ")"));
    }

    /**
     * Explains why a search ends before deciding trials, and which budget is enough.
     *
     * @param what purpose of the trials
     */
    static String noTime(String what, List<PlannedTrial> trials, TrialBudget budget) {
        Duration needed = budget.needed(trials);
        Duration left = budget.left().isNegative() ? Duration.ZERO : budget.left();
        long enough = Math.round(MORE_BUDGET * budget.spent().plus(needed).toSeconds());
        return "the budget has no time left to " + what + ": " + trials.size() + " trials take about "
                + Units.typed(roundedUp(needed)) + ", and " + Units.span(left) + " are left; raise --budget to "
                + Units.typed(roundedUp(Duration.ofSeconds(enough)));
    }

    /** Returns a time rounded up to ten seconds, for the command line. */
    static Duration roundedUp(Duration time) {
        long seconds = time.plusNanos(999_999_999).toSeconds();
        return Duration.ofSeconds((seconds + ROUNDING_SECONDS - 1) / ROUNDING_SECONDS * ROUNDING_SECONDS);
    }

    /** Describes the trials that were to confirm a setting, and did not exceed the limit. */
    static String unconfirmed(Confirmation run, Candidate setting) {
        List<TrialResult> ended = run.results(setting);
        long passes = run.passes(setting);
        String counts = setting.name() + ": " + passes + " of " + run.planned(setting) + " passed";
        if (passes == run.planned(setting)) {
            return counts + ", and their CPU time is not known";
        }
        return passes == ended.size()
                ? "the budget cut short the trials that were to confirm " + counts
                : (ended.stream().anyMatch(each -> each.outcome().blamesHost())
                                ? "the host disturbed the trials that were to confirm "
                                : "trials that were to confirm a setting could not be judged: ")
                        + counts + ", another did not (" + run.reason(setting) + ")";
    }

    /** Describes which trials of a setting passed and which failed, where its deciding trials exceeded the limit. */
    static String broken(Candidate setting, AdviceSearch search) {
        Tried looked = search.tried.stream()
                .filter(each -> each.setting().equals(setting))
                .findFirst()
                .orElseThrow();
        long passes = search.confirmations.stream()
                .mapToLong(run -> run.passes(setting))
                .sum();
        String reason = search.confirmations.stream()
                .filter(run -> run.isBroken(setting))
                .map(run -> run.reason(setting))
                .findFirst()
                .orElse("");
        return setting.name()
                + (looked.verdict() == Verdict.PASS ? " kept" : " broke")
                + " the limit in a short trial (" + looked.figures() + ") and broke it in a longer one that decides ("
                + reason + (passes == 0 ? "" : "; " + passes + " passed") + ")";
    }

    /** Explains why there is no recommendation when no setting is left. */
    static String nothing(AdviceSearch search) {
        Set<Candidate> broken = search.broken();
        List<String> parts = new ArrayList<>();
        broken.stream().limit(MOST_NAMED).map(each -> broken(each, search)).forEach(parts::add);
        if (broken.size() > MOST_NAMED) {
            parts.add("so did " + (broken.size() - MOST_NAMED) + " more");
        }
        List<Tried> unjudged = search.unjudged();
        if (!unjudged.isEmpty()) {
            parts.add(unjudged(unjudged, broken.isEmpty() ? "no trial" : "no other trial"));
        } else if (!broken.isEmpty()) {
            parts.add("no other measured setting keeps the limit");
        } else {
            parts.add("no setting that was measured keeps the limit; the nearest was "
                    + search.nearest().setting().name() + ": "
                    + search.nearest().reason());
        }
        if (search.isExhausted) {
            List<String> transports = search.unmeasured();
            parts.add("the budget kept "
                    + (transports.isEmpty() ? "others" : String.join(" and ", transports))
                    + " from being measured");
        }
        return String.join("; ", parts);
    }

    private static String unjudged(List<Tried> trials, String none) {
        Tried first = trials.get(0);
        String example = ": " + first.setting().name() + ", " + first.reason();
        if (first.verdict() == Verdict.PASS) {
            return "a setting kept the limit in a short trial and cannot be compared" + example;
        }
        boolean isHost =
                trials.stream().anyMatch(each -> each.result().outcome().blamesHost());
        return none + " kept the limit, and "
                + (isHost ? "the host disturbed some of them" : "some of them could not be judged") + example;
    }

    /** Describes the reasons for and against trust in the recommendation. */
    static List<String> sureness(SearchEnd finding, AdviceSearch search) {
        List<Tried> tried = search.tried;
        List<String> lines = new ArrayList<>();
        List<TrialResult> results = search.confirmations.stream()
                .flatMap(run -> run.results(finding.taken()).stream())
                .toList();
        String kept = results.get(0).plan().limits().stream()
                .map(limit -> kept(limit, results))
                .collect(Collectors.joining("; "));
        long passes = search.confirmations.stream()
                .mapToLong(run -> run.passes(finding.taken()))
                .sum();
        lines.add("kept the limit in " + passes + " of " + results.size() + " deciding trials: " + kept);
        lines.add(compared(finding, search));
        int processors = results.get(0).environment().processors();
        if (Advice.Costs.of(finding.run().results(finding.taken()), null).wholeCores() < processors) {
            lines.add("measured on " + Units.counted(processors, "core")
                    + "; on fewer the limit may break, as its threads then wait for each other");
        }
        search.broken().stream()
                .filter(each -> !each.equals(finding.other()))
                .limit(MOST_NAMED)
                .forEach(each -> lines.add(broken(each, search)));
        long holding = tried.stream().filter(Tried::holds).count();
        lines.add(Units.count(tried.size()) + (tried.size() == 1 ? " setting was" : " settings were")
                + " measured, each in one short trial; " + Units.count(holding) + " kept the limit in it"
                + (tried.stream().anyMatch(each -> each.holds() && each.isProvisional()) ? " (provisional)" : "")
                + (search.isExhausted ? "; the budget was too short to measure others" : ""));
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

    private static String compared(SearchEnd finding, AdviceSearch search) {
        String noise =
                "identical trials differed by " + Units.percent(finding.run().noise());
        if (finding.other() == null) {
            return (search.broken().isEmpty()
                            ? "no other measured setting kept the limit; "
                            : "no other setting kept the limit in deciding trials; ")
                    + noise;
        }
        String other = finding.other().name();
        Spread own = finding.run().cost(finding.taken());
        Spread against = finding.run().cost(finding.other());
        if (finding.run().isBroken(finding.other())) {
            return "the next best broke the limit when it was confirmed: " + broken(finding.other(), search) + "; "
                    + noise;
        }
        if (finding.isTie()) {
            return "as cheap as " + other + ", as far as can be told (" + cost(own) + " against "
                    + cost(against) + "; " + noise + "); taken because "
                    + (promises(finding.taken()) > promises(finding.other())
                            ? "it promises more"
                            : "no more of its values differ from the defaults");
        }
        double less = 1 - own.median() / against.median();
        return Units.percent(less) + " less CPU than the next best, " + other + " (" + cost(own) + " against "
                + cost(against) + "; " + noise + ")";
    }

    private static int promises(Candidate setting) {
        return setting.transport().provider().guarantees().size();
    }

    private static String cost(Spread spread) {
        return spread.text(nanos -> Units.time(Math.round(nanos)));
    }
}
