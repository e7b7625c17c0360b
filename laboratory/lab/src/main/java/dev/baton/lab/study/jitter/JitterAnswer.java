package dev.baton.lab.study.jitter;

import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.jitter.JitterFindings.Cause;
import dev.baton.lab.study.jitter.JitterFindings.Stops;
import dev.baton.lab.study.jitter.JitterFindings.Tally;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Whether the interval of guaranteed safepoints makes a difference that the data can show. Stateless, thread-safe.
 *
 * <p>Events that stops caused are counted among the kept ones of a run with safepoints and of one without. The counts
 * differ when they are further apart than twice the root of their sum, which two counts of the same rate are once in
 * twenty times. That says something about these two runs; repetitions say more.
 */
public final class JitterAnswer {
    /** What HotSpot calls a safepoint that nothing but the interval asked for. */
    private static final String HOUSEKEEPING = "Cleanup";

    private static final double DEVIATIONS = 2;

    private JitterAnswer() {}

    /** The default of this JVM, and the answer where two runs differ in the interval. */
    public static List<String> sentences(List<TrialResult> runs) {
        List<String> sentences = new ArrayList<>();
        Long byDefault = JitterRuns.study(runs.get(0)).jvmDefaultMillis();
        sentences.add(
                byDefault == null
                        ? "This JVM has no interval of guaranteed safepoints that could be changed."
                        : byDefault == 0
                                ? "By default this JVM guarantees no safepoints (GuaranteedSafepointInterval is 0)."
                                : "By default this JVM guarantees a safepoint every "
                                        + Units.typed(Duration.ofMillis(byDefault))
                                        + " if there is something to clean up (GuaranteedSafepointInterval is "
                                        + byDefault + ").");
        List<TrialResult> known = JitterRuns.complete(runs).stream()
                .filter(run -> JitterRuns.millis(run) != null)
                .toList();
        TrialResult off = known.stream()
                .filter(run -> JitterRuns.millis(run) == 0)
                .findFirst()
                .orElse(null);
        TrialResult on = known.stream()
                .filter(run -> JitterRuns.millis(run) > 0)
                .min(Comparator.comparing(JitterRuns::millis))
                .orElse(null);
        if (on != null && off != null) {
            sentences.add(comparison(on, off));
        } else if (runs.size() > 1) {
            sentences.add(
                    "No two runs differ in being with and without guaranteed safepoints, so nothing is compared.");
        }
        return sentences;
    }

    private static String comparison(TrialResult on, TrialResult off) {
        JitterFindings with = JitterRuns.findings(on);
        JitterFindings without = JitterRuns.findings(off);
        Tally more = with.tally(Cause.SAFEPOINT);
        Tally less = without.tally(Cause.SAFEPOINT);
        Stops forced = with.stops(HOUSEKEEPING);
        double noise = DEVIATIONS * Math.sqrt(more.events() + less.events());
        boolean isDifferent = Math.abs(more.events() - less.events()) > noise;
        String counts = Units.count(more.events()) + " of the " + Units.count(with.kept()) + " longest events of "
                + JitterRuns.name(on) + " are safepoints other than collections (" + Units.time(more.nanos())
                + " in all), against " + Units.count(less.events()) + " of " + Units.count(without.kept()) + " of "
                + JitterRuns.name(off) + " (" + Units.time(less.nanos()) + ")";
        if (!isDifferent) {
            return "No effect of the interval that this data can show: " + counts + "; "
                    + (forced.count() == 0
                            ? "the interval brought about no safepoint at all"
                            : "the interval brought about " + Units.count(forced.count())
                                    + " safepoints, the longest of " + Units.time(forced.worstNanos()))
                    + ".";
        }
        return "The interval makes a difference: " + counts + ".";
    }
}
