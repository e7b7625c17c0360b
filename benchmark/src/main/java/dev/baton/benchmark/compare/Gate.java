package dev.baton.benchmark.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Decides whether a build got worse by more than was allowed.
 *
 * <p>Worse is a percentile whose growth exceeds the allowance even when the noise is taken off. The noise is that of
 * {@link Statistics} at a confidence at which all checks of a run together call an unchanged build worse in {@value
 * #FALSE_ALARMS} of the runs (Bonferroni: each check gets its part), were the logarithms of repeated measurements normally
 * distributed, even if nothing at all were allowed to grow. Measurements of this kind have heavier tails than that; a
 * growth that is allowed makes up for it many times over. Growth beyond the allowance that noise may explain, too few
 * repetitions, or too few samples above a percentile are inconclusive. Stateless, thread-safe.
 */
public final class Gate {
    /** One in two hundred, half of what is promised. */
    static final double FALSE_ALARMS = 0.005;

    private Gate() {}

    /** What came of one check. */
    public enum Outcome {
        PASS,
        INCONCLUSIVE,
        WORSE
    }

    /**
     * One percentile of one thing measured.
     *
     * @param series what was measured
     * @param difference null when one side has no such percentile
     */
    public record Check(String series, Allowance allowance, Difference difference, Outcome outcome) {}

    /**
     * Checks everything that both sides measured.
     *
     * @return in order; empty when they have nothing in common
     */
    public static List<Check> check(Side before, Side after, List<Allowance> allowances) {
        Statistics statistics = new Statistics(before, after);
        List<String> common = before.series().keySet().stream()
                .filter(after.series()::containsKey)
                .toList();
        double quantile = 1 - FALSE_ALARMS / Math.max(1, common.size() * allowances.size());
        List<Check> checks = new ArrayList<>();
        for (String name : common) {
            List<Difference> differences = statistics.differences(
                    before.series().get(name), after.series().get(name), quantile);
            allowances.forEach(allowance -> checks.add(check(name, allowance, differences)));
        }
        return checks;
    }

    private static Check check(String name, Allowance allowance, List<Difference> differences) {
        Difference found = differences.stream()
                .filter(each -> each.percentile() == allowance.percentile())
                .findFirst()
                .orElse(null);
        return new Check(name, allowance, found, found == null ? Outcome.INCONCLUSIVE : outcome(allowance, found));
    }

    private static Outcome outcome(Allowance allowance, Difference difference) {
        if (difference.isGrey() || Double.isInfinite(difference.margin())) {
            return Outcome.INCONCLUSIVE;
        }
        double growth = Math.log1p(difference.change());
        double allowed = Math.log1p(allowance.share());
        if (growth <= allowed) {
            return Outcome.PASS;
        }
        return growth - Math.log1p(difference.margin()) > allowed ? Outcome.WORSE : Outcome.INCONCLUSIVE;
    }

    /** The gravest of all: worse before inconclusive before pass. */
    public static Outcome worst(List<Check> checks) {
        return checks.stream().map(Check::outcome).max(Enum::compareTo).orElse(Outcome.INCONCLUSIVE);
    }

    /** Names of both sides that the other does not have. */
    public static List<String> unmatched(Side before, Side after) {
        List<String> names = new ArrayList<>();
        for (Map.Entry<Side, Side> each : List.of(Map.entry(before, after), Map.entry(after, before))) {
            each.getKey().series().keySet().stream()
                    .filter(name -> !each.getValue().series().containsKey(name))
                    .map(name -> name + " (only in " + each.getKey().path() + ")")
                    .forEach(names::add);
        }
        return names;
    }
}
