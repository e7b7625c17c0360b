package dev.baton.lab.study.comparison;

import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.results.Delivery;
import dev.baton.measuring.statistics.TwoSpeeds;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Tone;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Decides whether a build got worse by more than was allowed.
 *
 * <p>Worse is a percentile whose growth exceeds the allowance even when the noise is taken off. The risk that an unchanged build is called
 * worse, for all checks of a run together and even without any allowance:
 * <ul>
 * <li>by noise, {@value #FALSE_ALARMS}: the margin is that of {@link Statistics} at a quantile of 1 - {@value #FALSE_ALARMS} / checks
 * (Bonferroni). That holds for normally distributed logarithms. Tails that are heavier widen the margin more than they move the means; the
 * simulated risks in the tests are smaller
 * <li>by a machine that starts at one of two speeds, {@value #TWO_SPEEDS}: see {@link TwoSpeeds}. Where there are too few trials for that,
 * no figure is called worse
 * </ul>
 *
 * <p>PASS needs power: either a change of the allowed size would have been found ({@link Difference#seen}), or the growth and its noise
 * together stay within the allowance. Anything else is inconclusive: growth beyond the allowance that noise may explain, noise that may
 * hide such growth, too few repetitions, or too few samples above a percentile; and growth where the host or other processes disturbed at
 * least half of the trials of a side. Independently of the percentiles, faulty messages, stopped
 * chains and missing trials count: see {@link CompletenessCheck}. Stateless, thread-safe.
 */
public final class Gate {
    /** The risk of a false alarm: one in two hundred, half of the documented one. */
    static final double FALSE_ALARMS = 0.005;

    /** The other half. */
    static final double TWO_SPEEDS = 0.005;

    private static final int USUAL_TRIALS = 5;
    private static final int MOST_TRIALS = 20;

    /** The largest number that {@code --trials} accepts. */
    static final int TRIALS_AT_MOST = 100;

    private Gate() {}

    public enum Outcome {
        PASS(ExitCode.OK, Tone.GOOD),
        INCONCLUSIVE(ExitCode.INCONCLUSIVE, Tone.WARNING),
        WORSE(ExitCode.FAILED, Tone.BAD);

        final int code;
        final Tone tone;

        Outcome(int code, Tone tone) {
            this.code = code;
            this.tone = tone;
        }

        /** Returns the outcome of a command that ended with this code; null when it has measured nothing. */
        static Outcome of(int code) {
            return Arrays.stream(values())
                    .filter(each -> each.code == code)
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * One check.
     *
     * @param series its name
     * @param subject a percentile and its allowance, such as {@code p50<+10%}, or another subject
     * @param difference null when one side lacks the percentile, or the subject is none
     * @param lacksPower whether it is inconclusive because growth beyond the allowance may have remained undetected
     * @param trialsNeeded after the change, if only their number keeps this check from being called worse; otherwise 0
     * @param reason of the outcome in words; null when the difference shows it
     */
    public record Check(
            String series,
            String subject,
            Difference difference,
            Outcome outcome,
            boolean lacksPower,
            int trialsNeeded,
            String reason) {
        Check(String series, String subject, Outcome outcome, String reason) {
            this(series, subject, null, outcome, false, 0, reason);
        }
    }

    /** Checks everything measured before: the faults and missing trials of each series, then its percentiles. */
    public static List<Check> check(ComparisonSide before, ComparisonSide after, List<Allowance> allowances) {
        return check(
                before, after, allowances, name -> before.series().get(name).size());
    }

    /**
     * Checks the results of the repeated command of the baseline, which may have had another number of trials.
     *
     * @param command its outcome, so that the check is never better
     */
    public static List<Check> checkAgain(
            ComparisonSide before, ComparisonSide after, List<Allowance> allowances, Outcome command) {
        List<Check> checks = new ArrayList<>();
        if (command != Outcome.PASS) {
            String how = command == Outcome.WORSE ? "it failed" : "it was inconclusive";
            checks.add(new Check("the command", "run again", command, how + "; its own report gives the reason"));
        }
        checks.addAll(check(before, after, allowances, name -> Math.max(1, after.planned(name))));
        return checks;
    }

    private static List<Check> check(
            ComparisonSide before,
            ComparisonSide after,
            List<Allowance> allowances,
            ToIntFunction<String> trialsExpected) {
        List<String> common = before.series().keySet().stream()
                .filter(after.series()::containsKey)
                .toList();
        int count = Math.max(1, common.size() * allowances.size());
        double quantile = 1 - FALSE_ALARMS / count;
        List<Check> checks = new ArrayList<>();
        for (String name : before.series().keySet()) {
            List<Sample> one = before.series().get(name);
            List<Sample> other = after.series().getOrDefault(name, List.of());
            checks.addAll(new CompletenessCheck(name, one, other).checks(trialsExpected.applyAsInt(name)));
            if (other.isEmpty()) {
                continue;
            }
            Statistics statistics = new Statistics(one, other);
            for (Allowance allowance : allowances) {
                Difference found = statistics.difference(allowance.percentile(), quantile);
                checks.add(unlessDisturbed(check(name, allowance, found, count), one, other));
            }
        }
        return checks;
    }

    /** {@return the number of repetitions for a comparison with this side, up to a limit} */
    public static int trials(ComparisonSide before, List<Allowance> allowances) {
        int count = Math.max(1, before.series().size() * allowances.size());
        int fewest =
                before.series().values().stream().mapToInt(List::size).min().orElse(1);
        int needed = TwoSpeeds.trialsNeeded(fewest, count, 0, TWO_SPEEDS, MOST_TRIALS);
        return needed > MOST_TRIALS ? USUAL_TRIALS : Math.max(USUAL_TRIALS, needed);
    }

    /**
     * Checks one percentile.
     *
     * @param found null when one side has no such percentile
     * @param checks of the whole run
     */
    private static Check check(String name, Allowance allowance, Difference found, int checks) {
        Outcome outcome = found == null ? Outcome.INCONCLUSIVE : outcome(allowance, found);
        String subject = allowance.toString();
        int trialsNeeded = outcome == Outcome.WORSE ? trialsNeeded(found, checks) : 0;
        boolean lacksPower = outcome == Outcome.INCONCLUSIVE && found != null && found.seen() > allowance.share();
        return trialsNeeded > 0
                ? new Check(name, subject, found, Outcome.INCONCLUSIVE, false, trialsNeeded, null)
                : new Check(name, subject, found, outcome, lacksPower, 0, null);
    }

    /** Returns the check; an inconclusive one if it is worse on trials most of which are the host's, too. */
    private static Check unlessDisturbed(Check check, List<Sample> before, List<Sample> after) {
        long one = before.stream().filter(Gate::isDisturbed).count();
        long other = after.stream().filter(Gate::isDisturbed).count();
        if (check.outcome() != Outcome.WORSE || 2 * one < before.size() && 2 * other < after.size()) {
            return check;
        }
        String reason = String.format(
                Locale.ROOT,
                "%+.1f %%, but the host or other processes disturbed %d of %d trials before, %d of %d after",
                100 * check.difference().change(),
                one,
                before.size(),
                other,
                after.size());
        return new Check(check.series(), check.subject(), check.difference(), Outcome.INCONCLUSIVE, false, 0, reason);
    }

    private static boolean isDisturbed(Sample sample) {
        return sample.result().outcome().blamesHost() || Remarks.isDisturbed(sample.result());
    }

    /** Returns the number of trials after a change that would distinguish it from a machine with two speeds; 0 when these do. */
    private static int trialsNeeded(Difference found, int checks) {
        int before = found.before().count();
        double risk = TwoSpeeds.risk(before, found.after().count(), found.contrary());
        return checks * risk <= TWO_SPEEDS
                ? 0
                : TwoSpeeds.trialsNeeded(before, checks, found.contrary(), TWO_SPEEDS, TRIALS_AT_MOST);
    }

    private static Outcome outcome(Allowance allowance, Difference difference) {
        if (difference.hasFewSamples() || Double.isInfinite(difference.margin())) {
            return Outcome.INCONCLUSIVE;
        }
        double growth = Math.log1p(difference.change());
        double margin = Math.log1p(difference.margin());
        double allowed = Math.log1p(allowance.share());
        if (growth - margin > allowed) {
            return Outcome.WORSE;
        }
        boolean isKept = growth <= allowed && difference.seen() <= allowance.share();
        return isKept || growth + margin <= allowed ? Outcome.PASS : Outcome.INCONCLUSIVE;
    }

    /** Returns the most severe outcome: worse before inconclusive before pass. */
    public static Outcome worst(List<Check> checks) {
        return checks.stream().map(Check::outcome).max(Enum::compareTo).orElse(Outcome.INCONCLUSIVE);
    }

    /** Names of one side that the other does not have. */
    public static List<String> unmatched(ComparisonSide one, ComparisonSide other) {
        return one.series().keySet().stream()
                .filter(name -> !other.series().containsKey(name))
                .map(name -> name + " (only in " + one.path() + ")")
                .toList();
    }

    /**
     * The check of everything besides percentiles: messages, chains and trials of a series.
     *
     * <p>Faulty messages and stopped chains are worse if there were none before, and inconclusive otherwise: such a baseline is no
     * evidence. Missing trials are inconclusive. Immutable, thread-safe.
     *
     * @param after empty when no trial of the series was measured
     */
    private record CompletenessCheck(String series, List<Sample> before, List<Sample> after) {
        /**
         * {@return the faults; empty for none}
         *
         * @param expected number of trials after
         */
        List<Check> checks(int expected) {
            List<Check> checks = new ArrayList<>();
            String stop =
                    after.stream().flatMap(CompletenessCheck::stop).findFirst().orElse("");
            compare(checks, "messages", sample -> !sample.result().delivery().isFaultless(), faults());
            compare(checks, "chains", sample -> stop(sample).findAny().isPresent(), stop + ",");
            if (after.size() < expected) {
                String reason = before.size() + " before, " + after.size() + " after, where " + expected + " should be";
                checks.add(new Check(series, "trials", Outcome.INCONCLUSIVE, reason));
            }
            return checks;
        }

        private void compare(List<Check> checks, String subject, Predicate<Sample> isBad, String what) {
            long bad = after.stream().filter(isBad).count();
            if (bad > 0) {
                boolean isNew = before.stream().noneMatch(isBad);
                String since = isNew ? "; before there was none" : "; before as well: take a baseline without";
                String reason = what + " in " + bad + " of " + after.size() + " trials" + since;
                checks.add(new Check(series, subject, isNew ? Outcome.WORSE : Outcome.INCONCLUSIVE, reason));
            }
        }

        private static Stream<String> stop(Sample sample) {
            return sample.result().outcome().stop().stream();
        }

        private String faults() {
            Map<String, ToLongFunction<Delivery>> kinds = new LinkedHashMap<>();
            kinds.put("lost", Delivery::lost);
            kinds.put("duplicated", Delivery::duplicated);
            kinds.put("reordered", Delivery::reordered);
            kinds.put("corrupted", Delivery::corrupted);
            List<String> found = new ArrayList<>();
            kinds.forEach((kind, count) -> {
                long all = after.stream()
                        .map(sample -> sample.result().delivery())
                        .mapToLong(count)
                        .sum();
                if (all > 0) {
                    found.add(all + " " + kind);
                }
            });
            return String.join(", ", found);
        }
    }
}
